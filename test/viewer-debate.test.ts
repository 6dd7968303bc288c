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
    await runCli(
      ["law", "Seorang anak perempuan Bali menuntut bagian warisan yang sama menurut KUHPerdata", "--quiet"],
      { cwd },
    );
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

  it("an address with a turn opens that turn, from another tab and among stages that are not in view", async () => {
    await open();
    await page.locator(".stage").last().scrollIntoViewIfNeeded();
    const turn = await page.locator(".stage").last().locator(".turn").first().getAttribute("data-turn");
    await open(`?turn=${encodeURIComponent(turn ?? "")}`);
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    const target = page.locator(`.turn.at[data-turn="${turn}"]`);
    await expect.poll(async () => (await target.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    const box = await target.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect(box?.x).toBeLessThan(1280);
  });

  it("the turns that the decision depends on are named beside the verdict and marked where they stand", async () => {
    await open();
    const why = page.getByRole("region", { name: "What it depends on" });
    await why.waitFor();
    expect(await why.innerText()).toMatch(/depends on/);
    const marked = await page.locator(".turn .decisive").count();
    const named = why.locator("a:has-text('◆')");
    expect(marked).toBeGreaterThan(0);
    await named.first().click();
    await page.locator(".turn.at .decisive").waitFor();
    await page.getByRole("tab", { name: "Decision" }).click();
    await page.getByText("Giliran yang menentukan").waitFor();
  });
});
