import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, findViolations, openContext } from "./support/browser.ts";
import { debateArgs, type FleetBench, startFleetBench, writeCases } from "./support/fleet-bench.ts";
import { postgresPrograms, runOn } from "./support/postgres.ts";
import { askApi, keepShot, openViewer, type Viewer, visit } from "./support/viewer.ts";

const cast = "compatible/m";

/** Two workers and two servers, each a process, take their time: this is for the long run. */
describe.skipIf(browserPath === null || postgresPrograms === null)("the page of a fleet at work", () => {
  let bench: FleetBench;
  let viewer: Viewer;
  const gate = Promise.withResolvers<void>();

  beforeAll(async () => {
    bench = await startFleetBench({ onCall: () => gate.promise, requestsPerMinute: 5_000 });
    viewer = await openViewer(bench.folder, ["--fleet", "--allow-cast", cast], { PARLEY_STORE: bench.address });
  });
  afterAll(async () => {
    gate.resolve();
    await viewer?.close();
    await bench?.close();
  });

  it("shows two workers, what waits, what is played, what is spent, what was given up and why, until all is done", async () => {
    const { page, base } = viewer;
    const { id: hopeless } = await askApi<{ id: string }>(page, "/api/runs", {
      pack: "question",
      text: "Who plays this?",
      cast,
    });
    const swap = `UPDATE parley.run SET manifest = replace(manifest, '"cast":"${cast}"', '"cast":"nobody/x"')`;
    await runOn(bench.address, `${swap} WHERE id = '${hopeless}'`);
    const workers = [bench.startWorker({ concurrency: 2 }), bench.startWorker({ concurrency: 2 })];
    const limits = ["--concurrency", "16", "--batch", "night", "--budget", "calls=400"];
    const files = ["--input", writeCases(bench.folder, 9), "--out", join(bench.folder, "out.jsonl")];
    const batch = bench.run(["run", "question", "--fleet", "--quiet", ...files, ...debateArgs, ...limits]);
    await visit(page, `${base}/fleet`);
    await page.getByText("2 workers; 5 waiting, 4 being played, 1 given up.").waitFor();
    expect(await page.getByRole("region", { name: "Given up" }).innerText()).toContain("nobody");
    expect(await page.getByRole("group", { name: "Budgets" }).innerText()).toContain("of 400");
    await lookAtIt();
    gate.resolve();
    expect((await batch).code).toBe(0);
    await page.getByText("2 workers; 0 waiting, 0 being played, 1 given up.").waitFor();
    await page.getByRole("link", { name: hopeless }).click();
    await page.waitForURL(`**/runs/${hopeless}`);
    for (const { child } of workers) child.kill("SIGTERM");
    await Promise.all(workers.map(({ ran }) => ran));
  });

  /** Light and dark, wide and narrow: readable, and nothing runs out of the page. */
  async function lookAtIt(): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [1280, 390]) {
        const storageState = await viewer.context.storageState();
        const view = { storageState, colorScheme, bypassCSP: true, viewport: { width, height: 900 } };
        const other = await openContext(view);
        const page = await other.newPage();
        await visit(page, `${viewer.base}/fleet`);
        await page.getByRole("heading", { name: "Workers" }).waitFor();
        await keepShot(page, `fleet-live-${width}-${colorScheme}`);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect({ over: Math.max(0, over), found: await findViolations(page, ["serious", "critical"]) }).toEqual({
          over: 0,
          found: [],
        });
        await other.close();
      }
  }
});
