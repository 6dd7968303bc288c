import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { findChromium } from "../../scripts/ensure-chromium.ts";

/** The browser of this machine, or null: then a test says that it was skipped. */
export const browserPath = findChromium();

/** How long a page is waited for; a busy machine takes its time. */
const patienceMs = 120_000;

let launched: Promise<Browser> | null = null;

/** A window that knows nothing of the others, in the Chromium that all test files of a worker share; it ends with the worker. */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  launched ??= launchBrowser();
  const context = await (await launched).newContext(options);
  context.setDefaultTimeout(patienceMs);
  return context;
}

export type Look = { colorScheme: "light" | "dark"; width: number };

/** Opens a page that stands alone: it fits, asks for nothing and says nothing on the console. */
export async function openAlone(address: string, { colorScheme, width }: Look): Promise<Page> {
  const context = await openContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on("console", (message) => void trouble.push(message.text()));
  page.on("pageerror", (error) => void trouble.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith("file://")) trouble.push(request.url());
  });
  await page.goto(address);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect({ trouble, over: Math.max(0, over) }).toEqual({ trouble: [], over: 0 });
  return page;
}

/** Starts Chromium with nothing but what a page asks for; when it falls over, the next window starts another. */
async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: browserPath ?? "",
    timeout: patienceMs,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
  return browser.once("disconnected", () => void (launched = null));
}

/** How many seconds of one core the scripts, styles and layout of a page take for something; other work of the machine does not count. */
export async function measureWork(page: Page, act: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
  };
  const before = await read();
  await act();
  const work = (await read()) - before;
  await session.detach();
  return work;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Violation = { id: string; impact: string; nodes: { html: string }[] };

/** What axe has against a page, of these degrees or of any. */
export async function findViolations(page: Page, impacts?: readonly string[]): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> };
    };
    return (await tool.run({ resultTypes: ["violations"] })).violations;
  });
  return found
    .filter(({ impact }) => impacts?.includes(impact) ?? true)
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
}
