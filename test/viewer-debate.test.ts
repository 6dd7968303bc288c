import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, findViolations } from "./support/browser.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { openViewer, type Viewer, visit } from "./support/viewer.ts";

describe.skipIf(browserPath === null)("reading a debate in Chromium", () => {
  const cwd = newFolder();
  let viewer: Viewer;
  let page: Page;
  let run = "";

  beforeAll(async () => {
    await runCli(["law", "Bolehkah tanah pusako tinggi diwasiatkan kepada anak kandung?", "--quiet"], { cwd });
    viewer = await openViewer(cwd);
    ({ page } = viewer);
    run = (await page.locator("a.subject").first().getAttribute("href")) ?? "";
  });
  afterAll(() => viewer?.close());

  const open = async (query = ""): Promise<void> => {
    await visit(page, `${viewer.base}${run}${query}`);
    await page.locator(".verdict .answer").waitFor();
  };

  it("at 1280 px no stage lies behind the evidence, programs are said to be programs, and axe finds nothing", async () => {
    await open();
    const edges = await page
      .locator(".stage")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    const evidence = await page.locator(".aside").evaluate((one) => one.getBoundingClientRect().left);
    expect(edges.length).toBeGreaterThan(2);
    expect(Math.max(...edges)).toBeLessThan(evidence);
    expect(await page.locator(".turn .played").first().innerText()).toContain("a program");
    expect(await findViolations(page)).toEqual([]);
  });

  it("the map shows each point with what became of it, and is there as a list too", async () => {
    await open("?tab=map");
    const nodes = page.locator(".node");
    await nodes.first().waitFor();
    const states = await nodes.evaluateAll((all) => all.map((one) => one.className));
    expect(states.some((name) => /\b(?:stands|contested|conceded|dropped)\b/.test(name))).toBe(true);
    const legend = await page.locator(".legend").innerText();
    for (const word of ["stands", "contested", "conceded", "dropped"]) expect(legend).toContain(word);
    await page.getByText("The same as a list").click();
    const names = await page.locator(".map-list a").allInnerTexts();
    expect(new Set(names).size).toBeGreaterThan(2);
    expect(names.length).toBeGreaterThanOrEqual(await nodes.count());
    await page.locator(".map-list ul a").first().click();
    await page.locator(".turn.at").waitFor();
    expect(page.url()).not.toContain("tab=map");
  });

  it("a claim lights its evidence, and evidence the claims that use it", async () => {
    await open();
    const point = page.locator(".point:has(.cite)").first();
    await point.hover();
    await page.locator(".exhibit.lit").first().waitFor();
    await page.mouse.move(5, 5);
    await expect.poll(() => page.locator(".lit").count()).toBe(0);
    await page.locator(".exhibit:has(.links a)").first().hover();
    await page.locator(".point.lit").first().waitFor();
  });

  it("j and k walk turns, h and l stages, f shows one stage at a time, and ? names the keys", async () => {
    await open();
    await page.locator(".turn").first().waitFor();
    const at = () => page.locator(".turn.at").getAttribute("data-turn");
    await page.keyboard.press("j");
    const first = await at();
    await page.keyboard.press("l");
    await expect.poll(at).not.toBe(first);
    await page.keyboard.press("h");
    await expect.poll(at).toBe(first);
    const stages = await page.locator(".stage").count();
    expect(stages).toBeGreaterThan(1);
    await page.keyboard.press("f");
    await expect.poll(() => page.locator(".stage").count()).toBe(1);
    await page.keyboard.press("l");
    await expect.poll(at).not.toBe(first);
    await page.keyboard.press("f");
    await expect.poll(() => page.locator(".stage").count()).toBe(stages);
    await page.keyboard.press("?");
    await page.getByText("previous and next stage").waitFor();
    await page.keyboard.press("Escape");
  });

  it("an address with a turn opens that turn, from another tab and among stages that are not in view", async () => {
    await open();
    const last = await page.locator("select[aria-label=Stage] option").count();
    await page.locator(".stage").last().scrollIntoViewIfNeeded();
    const turn = await page.locator(".stage").last().locator(".turn").first().getAttribute("data-turn");
    expect(last).toBeGreaterThan(1);
    await open(`?turn=${encodeURIComponent(turn ?? "")}`);
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    const target = page.locator(`.turn.at[data-turn="${turn}"]`);
    await expect.poll(async () => (await target.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    const box = await target.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect(box?.x).toBeLessThan(1280);
  });

  it("the turns that the decision hangs on are named beside the verdict and marked where they stand", async () => {
    await open();
    const why = page.getByRole("region", { name: "What it hangs on" });
    await why.waitFor();
    expect(await why.innerText()).toMatch(/hangs on/);
    const marked = await page.locator(".turn .decisive").count();
    const named = why.locator("a:has-text('◆')");
    expect(marked).toBeGreaterThan(0);
    await named.first().click();
    await page.locator(".turn.at .decisive").waitFor();
    await page.getByRole("tab", { name: "Decision" }).click();
    await page.getByText("Giliran yang menentukan").waitFor();
  });
});
