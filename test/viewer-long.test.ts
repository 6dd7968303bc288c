import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPack } from "../src/packs/registry.ts";
import { expertPlayer } from "../src/players/offline-players.ts";
import { startRun } from "../src/runs/start.ts";
import { sqliteStore } from "../src/store/sqlite.ts";
import { browserPath, measureWork } from "./support/browser.ts";
import { newFolder } from "./support/cli.ts";
import { quarrel } from "./support/quarrel.ts";
import { timesOf } from "./support/share.ts";
import { openViewer, type Viewer } from "./support/viewer.ts";

const [speakers, steps] = [16, 60];
const rounds = timesOf({ quick: 32, whole: 128 });

describe.skipIf(browserPath === null)(`a debate of ${rounds * speakers} turns in Chromium`, () => {
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
  });
  afterAll(() => viewer?.close());

  it("is read from end to end without a long stop, with few of its turns drawn at once", async () => {
    const { page, base } = viewer;
    await page.goto(`${base}/studies`);
    const loading = await measureWork(page, async () => {
      await page.goto(`${base}/runs/${id}`);
      await page.locator(".turn").first().waitFor();
    });
    await page.locator(".stages").focus();
    const scrolling = await measureWork(page, async () => {
      for (let step = 0; step < steps; step += 1) {
        await page.locator(".stages").evaluate((box) => box.scrollBy(1_500, 0));
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
      }
    });
    expect(await page.locator(".turn").count()).toBeLessThan(400);
    expect(await page.locator(".strip td").count()).toBeLessThan(25 * speakers);
    // Seconds of one core, not of the clock: a busy machine does not make it fail.
    expect(scrolling / steps).toBeLessThan(0.5);
    expect(loading).toBeLessThan(4);
  });

  it("its last turn is reached by its address", async () => {
    const { page, base } = viewer;
    await page.goto(`${base}/runs/${id}?turn=${rounds}/revision/s${speakers - 1}`);
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".turn.at").waitFor();
    await expect.poll(async () => (await page.locator(".turn.at").boundingBox())?.x ?? 9_999).toBeLessThan(1_280);
  });

  it("a page loads no more script than it needs: at most 112 KB, compressed", async () => {
    const { page, base } = viewer;
    for (const path of ["/", `/runs/${id}`]) {
      const bodies = new Map<string, Promise<Buffer>>();
      page.on("response", (response) => {
        if (response.url().endsWith(".js")) bodies.set(response.url(), response.body());
      });
      await page.goto("about:blank");
      await page.goto(`${base}${path}`);
      await page.locator("main h1").waitFor();
      page.removeAllListeners("response");
      const sizes = await Promise.all(
        [...bodies].map(async ([url, body]) => [url, gzipSync(await body).length] as const),
      );
      const size = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
      expect(size).toBeGreaterThan(50_000);
      expect(size, JSON.stringify(sizes)).toBeLessThan(112_000);
    }
  });
});
