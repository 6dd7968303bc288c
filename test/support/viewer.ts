import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { spawnCli } from "./cli.ts";

const root = resolve(import.meta.dirname, "../..");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Where screenshots are kept; git knows nothing of it. */
export const artifacts = join(root, "out", "viewer");

/** Builds the viewer as it is shipped, when its sources are newer than what was built. */
export function buildViewer(): void {
  const built = statSync(join(root, "dist/web/index.html"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(["src/web/**/*", "src/contract/**/*.ts"], { cwd: root });
  if (sources.every((file) => statSync(join(root, file)).mtimeMs < built)) return;
  execFileSync(join(root, "node_modules/.bin/vite"), ["build", "--logLevel", "error"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
  });
}

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

export type Viewer = Serving & { browser: Browser; context: BrowserContext; page: Page };

/** A served store, open in Chromium. */
export async function openViewer(cwd: string, args: string[] = [], env: Record<string, string> = {}): Promise<Viewer> {
  buildViewer();
  const serving = await serve(cwd, args, env);
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(serving.link);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return { ...serving, browser, context, page };
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
  for (;;) {
    const { run } = await askApi<{ run: { status: string; outcome: string | null } }>(page, `/api/runs/${id}`);
    if (run.outcome !== null || run.status === "waiting") return run.outcome ?? run.status;
  }
}

/** What axe calls serious or critical. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    type Violation = { id: string; impact: string; nodes: { html: string }[] };
    const { axe: tool } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    return (await tool.run()).violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
  });
}

/** Keeps a picture of a page for people to look at. */
export async function keepShot(page: Page, name: string): Promise<void> {
  mkdirSync(artifacts, { recursive: true });
  await page.screenshot({ path: join(artifacts, `${name}.png`) });
}
