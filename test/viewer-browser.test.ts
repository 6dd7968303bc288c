import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath } from "./support/browser.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { openViewer, type Viewer, visit } from "./support/viewer.ts";

const incident = new URL("../data/rca/example-incident.log", import.meta.url).pathname;
const hostile = "The <img src=x onerror=alert(1)> soup was \u202Egood\u202C but the waiter was rude.";

describe.skipIf(browserPath === null)("a run's page in Chromium", () => {
  const cwd = newFolder();
  let viewer: Viewer;
  let page: Page;
  let base = "";

  beforeAll(async () => {
    await runCli(["sentiment", "포장은 꼼꼼한데 향이 너무 약해요.", "--quiet"], { cwd });
    await runCli(["sentiment", hostile, "--quiet"], { cwd });
    await runCli(["law", "Bolehkah tanah pusako tinggi diwasiatkan kepada anak kandung?", "--quiet"], { cwd });
    await runCli(["rca", incident, "--quiet"], { cwd });
    viewer = await openViewer(cwd);
    ({ page, base } = viewer);
  });
  afterAll(() => viewer?.close());

  it("a run is found by its words, and its page begins with the verdict", async () => {
    await visit(page, `${base}/?text=pusako`);
    await expect.poll(() => page.locator("a.subject").count()).toBe(1);
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
    await expect.poll(() => page.locator(".drawer").count()).toBe(0);
  });

  it("a setting that would change the decision is tried without a call", async () => {
    await visit(page, `${base}/?text=incident`);
    await page.locator("a.subject").first().click();
    await page.getByRole("button", { name: "Try it" }).first().click();
    await page.locator(".whatif", { hasText: "The decision changes" }).waitFor();
  });

  it("hostile text stays text", async () => {
    await visit(page, `${base}/?text=waiter`);
    await page.locator("a.subject").first().click();
    await page.locator(".verdict .answer").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    await expect.poll(() => page.locator("main").innerText()).toContain("⟨U+202E⟩");
  });
});
