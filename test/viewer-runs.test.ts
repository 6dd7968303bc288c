import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../src/contract/run.ts";
import { createRunId } from "../src/runs/start.ts";
import { sqliteStore } from "../src/store/sqlite.ts";
import { browserPath } from "./support/browser.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { openViewer, type Viewer, visit } from "./support/viewer.ts";
import { createRun } from "./support/stored-run.ts";

describe.skipIf(browserPath === null)("the list of runs in Chromium", () => {
  const cwd = newFolder();
  let viewer: Viewer;

  beforeAll(async () => {
    await runCli(["sentiment", "포장은 꼼꼼한데 향이 너무 약해요.", "--quiet"], { cwd });
    await runCli(["sentiment", "The soup was cold.", "--quiet"], { cwd });
    await runCli(["law", "Bolehkah tanah pusako tinggi diwasiatkan kepada anak kandung?", "--quiet"], { cwd });
    await runCli(["ask", "Which planet is largest?", "--quiet"], { cwd });
    viewer = await openViewer(cwd);
  });
  afterAll(() => viewer?.close());

  it("finds a run by its words, and the address leads there again", async () => {
    const { page, base } = viewer;
    await visit(page, `${base}/`);
    await page.locator("a.subject").first().waitFor();
    await page.getByRole("searchbox").fill("pusako");
    await page.keyboard.press("Enter");
    await page.waitForURL(/text=pusako/);
    await expect.poll(() => page.locator("a.subject").count()).toBe(1);
    await page.reload();
    await expect.poll(() => page.locator("a.subject").count()).toBe(1);
    await page.locator("a.subject").click();
    await page.locator(".verdict .answer").waitFor();
  });

  it("is narrowed to a state", async () => {
    const { page, base } = viewer;
    await visit(page, `${base}/`);
    await page.getByLabel("State").selectOption("failed");
    await page.waitForURL(/state=failed/);
    await page.getByText("No run matches.").waitFor();
    await page.getByLabel("State").selectOption("decided");
    await expect.poll(() => page.locator("a.subject").count()).toBeGreaterThan(1);
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

  it("shows a hundred of many, and more when asked", async () => {
    const folder = newFolder();
    const store = sqliteStore(`${folder}/.parley/parley.db`);
    await Promise.all(Array.from({ length: 250 }, (_, at) => store.create(makeRun(at))));
    await store.close();
    const large = await openViewer(folder);
    const { page } = large;
    await expect.poll(() => page.locator("a.subject").count()).toBe(100);
    for (const count of [200, 250]) {
      await page.getByRole("button", { name: "Show more" }).click();
      await expect.poll(() => page.locator("a.subject").count()).toBe(count);
    }
    expect(await page.locator("a.subject").last().innerText()).toBe("case 0");
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
