import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../src/contract/run.ts";
import { createRunId } from "../src/runs/start.ts";
import { sqliteStore } from "../src/store/sqlite.ts";
import { browserPath, measureWork } from "./support/browser.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { openViewer, type Viewer, visit } from "./support/viewer.ts";
import { timesOf } from "./support/share.ts";
import { createRun } from "./support/stored-run.ts";

const steps = 60;
const many = timesOf({ quick: 500, whole: 3_000 });

describe.skipIf(browserPath === null)("the list of runs in Chromium", () => {
  const cwd = newFolder();
  let viewer: Viewer;

  beforeAll(async () => {
    await runCli(["sentiment", "포장은 꼼꼼한데 향이 너무 약해요.", "--quiet"], { cwd });
    await runCli(["law", "Bolehkah tanah pusako tinggi diwasiatkan kepada anak kandung?", "--quiet"], { cwd });
    await runCli(["ask", "Which planet is largest?", "--quiet"], { cwd });
    viewer = await openViewer(cwd);
  });
  afterAll(() => viewer?.close());

  it("finds a run by its words, and the address leads there again", async () => {
    const { page, base } = viewer;
    await visit(page, `${base}/`);
    await page.locator("a.subject").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("pusako");
    await page.waitForURL(/text=pusako/);
    await expect.poll(() => page.locator("a.subject").count()).toBe(1);
    await page.reload();
    await expect.poll(() => page.locator("a.subject").count()).toBe(1);
    await page.locator("a.subject").click();
    await page.locator(".verdict .answer").waitFor();
  });

  it("keeps a view under a name, over a reload, until it is let go", async () => {
    const { page, base } = viewer;
    await visit(page, `${base}/?pack=law`);
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByLabel("Name of the view").fill("Law");
    await page.keyboard.press("Enter");
    await visit(page, `${base}/`);
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Law" }).click();
    await page.waitForURL(/pack=law/);
    await expect.poll(() => page.locator("a.subject").count()).toBe(1);
    await page.getByRole("button", { name: "Forget the view Law" }).click();
    await expect.poll(() => page.getByRole("link", { name: "Law", exact: true }).count()).toBe(0);
  });

  it("groups runs by how they ended, with a way to all of a group", async () => {
    const { page, base } = viewer;
    await visit(page, `${base}/?group=outcome`);
    await page.getByRole("heading", { name: /^decided/ }).waitFor();
    expect(await page.locator(".group a.subject").count()).toBeGreaterThan(1);
  });

  it("is walked and opened with the keyboard, and two marked runs are compared", async () => {
    const { page, base } = viewer;
    await visit(page, `${base}/`);
    await page.locator("a.subject").first().waitFor();
    const second = await page.locator("a.subject").nth(1).getAttribute("href");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${base}${second}`);
    await page.goBack();
    await page.locator("a.subject").first().waitFor();
    for (const key of ["j", "x", "k", "x"]) await page.keyboard.press(key);
    await page.waitForURL(/compare\?a=/);
  });

  it("jumps to a page or a run from anywhere", async () => {
    const { page, base } = viewer;
    await visit(page, `${base}/doctor`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("planet");
    await page.getByRole("option", { name: /planet is largest/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/runs\//);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("stud");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/studies/);
  });

  it("is in the order of the command line", async () => {
    const { page, base } = viewer;
    const { out } = await runCli(["runs", "--json"], { cwd });
    await visit(page, `${base}/`);
    await page.locator("a.subject").first().waitFor();
    const shown = await page.locator("a.subject").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(shown).toEqual(
      out
        .trim()
        .split("\n")
        .map((line) => `/runs/${(JSON.parse(line) as { id: string }).id}`),
    );
  });

  it(`draws a few dozen of ${many} rows, and scrolling to the end blocks the page for no long while`, async () => {
    const folder = newFolder();
    const store = sqliteStore(`${folder}/.parley/parley.db`);
    for (let at = 0; at < many; at += 500)
      await Promise.all(Array.from({ length: 500 }, (_, n) => store.create(makeRun(at + n))));
    await store.close();
    const large = await openViewer(folder);
    const { page } = large;
    await page.locator("a.subject").first().waitFor();
    const work = await measureWork(page, async () => {
      for (let step = 0; step < steps; step += 1) {
        await page.mouse.wheel(0, 4_000);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
      }
    });
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
        return page.locator("a.subject").last().innerText();
      })
      .toBe("case 0");
    expect(await page.locator("a.subject").count()).toBeLessThan(120);
    // Seconds of one core, not of the clock: a busy machine does not make it fail.
    expect(work / steps).toBeLessThan(0.25);
    await large.close();
  });
});

function makeRun(n: number): Run {
  const atMs = Date.UTC(2026, 0, 1) + n * 1_000;
  return createRun(createRunId(atMs), {
    pack: "question",
    input: { question: `case ${n}` },
    status: "interrupted",
    createdAt: new Date(atMs).toISOString(),
  });
}
