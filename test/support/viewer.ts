import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { findViewerBuild } from "../../src/print/viewer-build.ts";
import { openContext } from "./browser.ts";
import { spawnCli } from "./cli.ts";
import { until } from "./server.ts";
import { timesOf } from "./share.ts";

const root = resolve(import.meta.dirname, "../..");

/** Where screenshots are kept; git knows nothing of it. */
export const artifacts = join(root, "out", "viewer");

export type Serving = { base: string; link: string; port: string; end(signal: NodeJS.Signals): Promise<unknown> };

/** Starts `parley serve` as a process of its own. */
export async function serve(cwd: string, args: string[] = [], env: Record<string, string> = {}): Promise<Serving> {
  const { child, ran } = spawnCli(["serve", ...(args.includes("--port") ? [] : ["--port", "0"]), ...args], {
    cwd,
    env,
  });
  const link = await new Promise<string>((done, failed) => {
    let said = "";
    child.stdout?.on("data", (data: Buffer) => {
      said += data.toString();
      const found = /(http\S+\/enter\/\S+)/.exec(said)?.[1];
      if (found) done(found);
    });
    void ran.then(({ err }) => failed(new Error(err)));
  });
  const { origin, port } = new URL(link);
  return { base: origin, link, port, end: (signal) => (child.kill(signal), ran) };
}

export type Viewer = Serving & { context: BrowserContext; page: Page; close(): Promise<void> };

/** A served store, open in Chromium. */
export async function openViewer(cwd: string, args: string[] = [], env: Record<string, string> = {}): Promise<Viewer> {
  findViewerBuild("web");
  const serving = await serve(cwd, args, env);
  const context = await openContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await visit(page, serving.link);
  const viewer: Viewer = {
    ...serving,
    context,
    page,
    async close() {
      await context.close();
      await viewer.end("SIGTERM");
    },
  };
  return viewer;
}

/** Goes to a page and waits until nothing on it is still on its way: looking at every frame is quicker than Playwright's own waits. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector("main h1") && !document.querySelector("[aria-busy=true]"));
}

/** Asks the server as its page does. */
export async function askApi<T>(page: Page, path: string, body?: unknown): Promise<T> {
  return page.evaluate(
    async ([address, given]) => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(given) };
      const response = await fetch(address as string, given === null ? {} : init);
      return (await response.json()) as never;
    },
    [path, body ?? null],
  );
}

/** Waits until a run has ended or waits for a person. */
export async function waitForRun(page: Page, id: string): Promise<string> {
  return until(async () => {
    const { run } = await askApi<{ run: { status: string; outcome: string | null } }>(page, `/api/runs/${id}`);
    return run.outcome ?? (run.status === "waiting" && run.status);
  });
}

/** Keeps a picture of a page for people to look at; only in the long run. */
export async function keepShot(page: Page, name: string): Promise<void> {
  if (timesOf({ quick: 0, whole: 1 }) === 0) return;
  mkdirSync(artifacts, { recursive: true });
  await page.screenshot({ path: join(artifacts, `${name}.png`) });
}
