import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPack } from "../src/packs/registry.ts";
import { expertPlayer } from "../src/players/offline/expert-player.ts";
import { startRun } from "../src/runs/start/start-run.ts";
import { sqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { browserPath } from "./support/browser.ts";
import { newFolder } from "./support/cli.ts";
import { quarrel } from "./support/quarrel.ts";
import { openViewer, type Viewer } from "./support/viewer.ts";

const [rounds, speakers] = [128, 16];

describe.skipIf(browserPath === null)("a debate of two thousand turns in Chromium", () => {
  const cwd = newFolder();
  let viewer: Viewer;
  let id = "";

  beforeAll(async () => {
    const pack = await loadPack("question");
    const store = sqliteStore(`${cwd}/.parley/parley.db`);
    const player = quarrel(expertPlayer());
    const order = Array.from({ length: speakers }, (_, at) => `s${at}`);
    const personas = Object.fromEntries(order.map((name) => [name, { name, role: "counts", goal: "to count" }]));
    const config = { max_rounds: rounds, same_answer: false, order, personas };
    const request = { pack, input: { question: "How long will it take?" }, config, cast: "quarrel" };
    ({ runId: id } = await startRun({ store, castOf: async () => () => player }, request));
    await store.close();
    viewer = await openViewer(cwd);
  }, 240_000);
  afterAll(async () => {
    await viewer?.browser.close();
    await viewer?.end("SIGTERM");
  });

  it("is read from end to end without a long stop, with few of its turns drawn at once", async () => {
    const { page, base } = viewer;
    await page.addInitScript(() => {
      const seen = globalThis as unknown as { tasks: number[] };
      seen.tasks = [];
      new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: "longtask",
      });
    });
    await page.goto(`${base}/runs/${id}`);
    await page.locator(".turn").first().waitFor({ timeout: 60_000 });
    const loading = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks.splice(0));
    await page.locator(".stages").focus();
    for (let step = 0; step < 60; step += 1) {
      await page.locator(".stages").evaluate((box) => box.scrollBy(1_500, 0));
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
    const scrolling = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
    expect(await page.locator(".turn").count()).toBeLessThan(400);
    expect(await page.locator(".strip td").count()).toBeLessThan(25 * speakers);
    const most = (tasks: number[]) => Math.round(Math.max(0, ...tasks));
    process.stderr.write(`long tasks: loading ${most(loading)} ms, scrolling ${most(scrolling)} ms\n`);
    // Wall time: a machine that does other work too must not make it fail.
    expect(most(scrolling)).toBeLessThan(1_000);
    expect(most(loading)).toBeLessThan(4_000);
  }, 120_000);

  it("its last turn is reached by its address", async () => {
    const { page, base } = viewer;
    await page.goto(`${base}/runs/${id}?turn=${rounds}/revision/s${speakers - 1}`);
    await page.getByRole("dialog").waitFor({ timeout: 60_000 });
    await page.keyboard.press("Escape");
    await page.locator(".turn.at").waitFor();
    await expect
      .poll(async () => (await page.locator(".turn.at").boundingBox())?.x ?? 9_999, { timeout: 30_000 })
      .toBeLessThan(1_280);
  }, 120_000);

  it("a page loads no more script than it needs: at most 130 KB, compressed", async () => {
    const { page, base } = viewer;
    for (const path of ["/", `/runs/${id}`]) {
      const bodies = new Map<string, Promise<Buffer>>();
      page.on("response", (response) => {
        if (response.url().endsWith(".js")) bodies.set(response.url(), response.body());
      });
      await page.goto("about:blank");
      await page.goto(`${base}${path}`);
      await page.locator("main h1").waitFor({ timeout: 60_000 });
      page.removeAllListeners("response");
      const sizes = await Promise.all(
        [...bodies].map(async ([url, body]) => [url, gzipSync(await body).length] as const),
      );
      const size = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
      expect(size).toBeGreaterThan(50_000);
      expect(size, JSON.stringify(sizes)).toBeLessThan(130_000);
    }
  }, 120_000);
});
