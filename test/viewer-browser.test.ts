import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, launchBrowser } from "./support/browser.ts";
import { newFolder, runCli, spawnCli } from "./support/cli.ts";

const root = resolve(import.meta.dirname, "..");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const hostile = "The <img src=x onerror=alert(1)> soup was \u202Egood\u202C but the waiter was rude.";

describe.skipIf(browserPath === null)("the viewer in Chromium", () => {
  const cwd = newFolder();
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let base = "";
  let stop: () => Promise<unknown> = async () => undefined;

  beforeAll(async () => {
    if (!existsSync(resolve(root, "dist/web/index.html")))
      execFileSync(resolve(root, "node_modules/.bin/vite"), ["build", "--logLevel", "error"], { cwd: root });
    await runCli(["sentiment", "포장은 꼼꼼한데 향이 너무 약해요.", "--quiet"], { cwd });
    await runCli(["sentiment", hostile, "--quiet"], { cwd });
    await runCli(["law", "Bolehkah tanah pusako tinggi diwasiatkan kepada anak kandung?", "--quiet"], { cwd });
    const { child, ran } = spawnCli(["serve", "--port", "0"], { cwd });
    const link = await new Promise<string>((done) => {
      let said = "";
      child.stdout?.on("data", (data: Buffer) => {
        said += data.toString();
        const found = /(http\S+\/enter\/\S+)/.exec(said)?.[1];
        if (found) done(found);
      });
    });
    base = new URL(link).origin;
    stop = () => (child.kill("SIGTERM"), ran);
    browser = await launchBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    await page.goto(link);
    await page.locator("table.list").waitFor();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await stop();
  });

  it("a run is found by its words, and its page begins with the verdict", async () => {
    await page.goto(`${base}/?text=pusako`);
    await page.locator("a.subject").first().waitFor();
    expect(await page.locator("a.subject").count()).toBe(1);
    await page.locator("a.subject").first().click();
    await page.locator(".verdict .answer").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain("pusako");
    await page.locator(".turn").nth(4).waitFor();
  });

  it("a turn opens with what was sent and what came back, and its address leads to it again", async () => {
    await page.locator(".turn .more").first().click();
    await page.locator(".drawer pre").first().waitFor();
    expect(page.url()).toContain("turn=");
    await page.reload();
    await page.locator(".drawer pre").first().waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator(".drawer").count()).toBe(0);
  });

  it("a setting is changed and the decision is made again without a call", async () => {
    await page.goto(`${base}/?text=포장`);
    await page.locator("a.subject").first().click();
    await page.getByRole("tab", { name: "Rules" }).click();
    const dial = page.locator(".lever input[type=range]").first();
    await dial.waitFor();
    await dial.focus();
    await page.keyboard.press("ArrowLeft");
    await page.locator(".whatif").waitFor();
    expect(await page.locator(".whatif").innerText()).toMatch(/decision (?:stays|changes)/);
  });

  it("a debate is started in a form and followed to its end", async () => {
    await page.goto(`${base}/start`);
    await page.getByLabel("The case", { exact: true }).fill("The room was clean but the street was loud.");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.locator(".verdict .answer").waitFor();
    expect(await page.locator(".chip.good").first().innerText()).toBe("decided");
  });

  it("hostile text stays text", async () => {
    await page.goto(`${base}/?text=waiter`);
    await page.locator("a.subject").first().click();
    await page.locator(".verdict .answer").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.locator("main").innerText()).toContain("⟨U+202E⟩");
  });

  it.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("%s at %i px: every page is readable, fits, and asks nobody else", async (scheme, width) => {
    const kept = await context.storageState();
    const other = await browser.newContext({
      storageState: kept,
      colorScheme: scheme,
      viewport: { width, height: 900 },
      bypassCSP: true,
    });
    const seen = await other.newPage();
    const trouble: string[] = [];
    seen.on("request", (request) => {
      if (!request.url().startsWith(base)) trouble.push(request.url());
    });
    await seen.goto(`${base}/`);
    await seen.locator("a.subject").first().waitFor();
    const run = (await seen.locator("a.subject").first().getAttribute("href")) ?? "";
    for (const path of ["/", run, "/start", "/inbox", "/studies", "/doctor"]) {
      await seen.goto(`${base}${path}`);
      await seen.locator("main h1").waitFor();
      const over = await seen.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect({ path, over: Math.max(0, over), found: await violationsOn(seen) }).toEqual({ path, over: 0, found: [] });
    }
    expect(trouble).toEqual([]);
    await other.close();
  });
});

/** What axe calls serious or critical. */
async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    type Violation = { id: string; impact: string; nodes: { html: string }[] };
    const { axe: tool } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    return (await tool.run()).violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
  });
}
