import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath } from "./support/browser.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";
import { openViewer, type Viewer } from "./support/viewer.ts";

const answers = ["ferry", "bridge", "bridge", "tunnel", "ferry", "ferry"];
/** A change of answer counts only for an argument that its speaker did not have before. */
const reasons = [
  "It costs least.",
  "Winter storms close the open water; building takes seven years and deep foundations.",
];

/** A debate in which two of three first say bridge, and two of three then say ferry: how much agreement is enough decides. */
describe.skipIf(browserPath === null)("changing a decision in Chromium", () => {
  const cwd = newFolder();
  let models: ModelServer;
  let viewer: Viewer;
  let page: Page;
  let calls = 0;

  beforeAll(async () => {
    models = await startModelServer({
      respond: (_, index) => ({
        value: { answer: answers[index], reasoning: reasons[index < 3 ? 0 : 1], confidence: 0.5, quotes: [] },
      }),
    });
    const env = { PARLEY_BASE_URL: models.baseUrl };
    const set = ["--set", "max_rounds=2", "--set", "stop.agreement=0.9"];
    await runCli(["ask", "Ferry, bridge or tunnel?", "--cast", "compatible/m", ...set, "--quiet"], { cwd, env });
    calls = models.seen.length;
    viewer = await openViewer(cwd, ["--allow-cast", "compatible/m"], env);
    ({ page } = viewer);
    await page.locator("a.subject").first().click();
    await page.locator(".verdict .answer").waitFor();
  });
  afterAll(async () => {
    await viewer?.close();
    await models?.close();
  });

  it("what would change it stands beside the verdict, is tried there, and is kept as a branch", async () => {
    const why = page.getByRole("region", { name: "What it depends on" });
    await why.getByRole("button", { name: "Try it" }).first().waitFor();
    expect(await why.innerText()).toMatch(/would change if .+: answer ferry → bridge/);
    const parent = page.url().split("/").at(-1)?.split("?")[0] ?? "";
    await why.getByRole("button", { name: "Try it" }).first().click();
    await why.locator(".whatif dd", { hasText: "ferry → bridge" }).waitFor();
    expect(models.seen).toHaveLength(calls);
    await why.getByRole("button", { name: "Keep it as a branch" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/runs/") && !url.pathname.endsWith(parent));
    await page.locator(".verdict .answer").waitFor();
    await page.getByRole("link", { name: `Branch of ${parent}` }).click();
    await page.waitForURL(new RegExp(parent));
  });
});
