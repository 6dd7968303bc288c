import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath } from "./support/browser.ts";
import { newFolder } from "./support/cli.ts";
import { findFreePort } from "./support/free-port.ts";
import { goodContent, type ModelServer, startModelServer } from "./support/model-server.ts";
import { askApi, keepShot, openViewer, serve, type Viewer, visit } from "./support/viewer.ts";

const cast = ["--allow-cast", "expert", "--allow-cast", "compatible/m"];

describe.skipIf(browserPath === null)("a live debate in Chromium", () => {
  const cwd = newFolder();
  let models: ModelServer;
  let viewer: Viewer;
  let env: Record<string, string>;
  /** After the first reply slow enough to be watched on a busy machine, until nobody watches any more. */
  let isWatched = true;

  beforeAll(async () => {
    models = await startModelServer({
      respond: (request, index) => ({
        content: goodContent(request),
        chunkDelayMs: !isWatched ? 1 : index === 0 ? 50 : 1_000,
      }),
    });
    env = { PARLEY_BASE_URL: models.baseUrl };
    viewer = await openViewer(cwd, [...cast, "--port", String(await findFreePort())], env);
  });
  afterAll(async () => {
    await viewer?.close();
    await models?.close();
  });

  it("is started from a form and followed to its end", async () => {
    const { page, base } = viewer;
    await visit(page, `${base}/start?pack=question`);
    await page.getByLabel("The case as text").fill("Is water wet?");
    await page.getByRole("button", { name: "Start the debate" }).click();
    await page.waitForURL(/\/runs\//);
    await page.locator(".verdict .answer").waitFor();
  });

  it("shows who speaks and words as they come; its server is killed, another goes on, and nothing is lost", async () => {
    const { page, base, port } = viewer;
    await visit(page, `${base}/start?pack=question`);
    await page.getByLabel("The case as text").fill("Which planet is largest?");
    await page.getByText("compatible/m").first().click();
    await page.getByLabel("At most calls").fill("40");
    await page.getByRole("button", { name: "Start the debate" }).click();
    await page.waitForURL(/\/runs\//);
    const live = page.getByRole("region", { name: "Live" });
    await live.getByText(/is speaking/).waitFor();
    expect(await live.innerText()).toMatch(/of 40 calls/);
    await keepShot(page, "live-1280-light");

    await page.reload();
    await live.getByText(/is speaking/).waitFor();
    await page.keyboard.press("PageUp");
    await live.getByRole("button", { name: "Follow", exact: true }).waitFor();

    const path = `/api${new URL(page.url()).pathname}`;
    const readTurns = async () => (await askApi<{ turns: object[] }>(page, path)).turns;
    const before = await expect.poll(readTurns).not.toEqual([]).then(readTurns);
    await viewer.end("SIGKILL");
    await live.getByText(/does not answer/).waitFor();
    isWatched = false;
    Object.assign(viewer, await serve(cwd, [...cast, "--port", port], env));
    await expect.poll(async () => ((await live.count()) === 0 ? "" : live.innerText())).not.toMatch(/not answer/);
    await page.locator(".chip.good, .chip.warn").first().waitFor();
    await expect.poll(() => live.count()).toBe(0);
    expect((await readTurns()).filter((turn) => before.some((one) => isDeepStrictEqual(one, turn)))).toEqual(before);
    await page.locator(".verdict, .notice").first().waitFor();
  });
});
