import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath } from "./support/browser.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { askApi, findViolations, keepShot, openViewer, type Viewer, waitForRun } from "./support/viewer.ts";
import { shareOf } from "./support/share.ts";

const judged = "expert,judge=person";
const docs = [{ id: "sale.md", text: "Ida Holm sold the mill because the railway took away its trade." }];
const hostile =
  "The <img src=x onerror=alert(1)> soup was \u202Egood\u202C but the waiter was rude, and the Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnungsverwaltung too.";
const incident = new URL("../data/rca/example-incident.log", import.meta.url).pathname;
const question = { pack: "question", input: { question: "Why did Ida Holm sell the mill?", docs } };

describe.skipIf(browserPath === null)("every page in Chromium", () => {
  const cwd = newFolder();
  let viewer: Viewer;
  let pages: Record<string, string>;

  beforeAll(async () => {
    await runCli(["study", "run", "question_controls", "--limit", "6", "--quiet"], { cwd });
    await runCli(["law", "Bolehkah tanah pusako tinggi diwasiatkan kepada anak kandung?", "--quiet"], { cwd });
    await runCli(["sentiment", "포장은 꼼꼼한데 향이 너무 약해요.", "--quiet"], { cwd });
    await runCli(["sentiment", hostile, "--quiet"], { cwd });
    await runCli(["rca", incident, "--quiet"], { cwd });
    viewer = await openViewer(cwd, ["--allow-cast", "expert", "--allow-cast", judged]);
    const { page } = viewer;
    const start = async (body: object): Promise<string> => {
      const { id } = await askApi<{ id: string }>(page, "/api/runs", body);
      await waitForRun(page, id);
      return id;
    };
    const [a, b] = [await start(question), await start({ ...question, config: { protocol: "courtroom" } })];
    await start({ ...question, config: { protocol: "courtroom" }, cast: judged });
    pages = {
      runs: "/",
      groups: "/?group=outcome",
      nothing: "/?text=nowhere",
      run: `/runs/${a}`,
      question_rules: `/runs/${a}?tab=rules`,
      ...(await listRunPages(page)),
      compare: `/compare?a=${a}&b=${b}`,
      choose: `/compare?a=${a}`,
      start: "/start",
      fields: "/start?pack=law",
      inbox: "/inbox",
      studies: "/studies",
      study: "/studies/question_controls",
      fleet: "/fleet",
      doctor: "/doctor",
    };
  }, 120_000);
  afterAll(async () => {
    await viewer?.browser.close();
    await viewer?.end("SIGTERM");
  });

  it.each(
    shareOf(
      [
        ["light", 1280],
        ["dark", 390],
        ["dark", 1280],
        ["light", 390],
        ["light", 360],
        ["dark", 3840],
      ] as const,
      (_, at) => at < 2,
    ),
  )("%s at %i px: readable, fits, and asks nobody else", { timeout: 240_000 }, async (scheme, width) => {
    const other = await viewer.browser.newContext({
      storageState: await viewer.context.storageState(),
      colorScheme: scheme,
      viewport: { width, height: 900 },
      bypassCSP: true,
    });
    const page = await other.newPage();
    const trouble: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(viewer.base)) trouble.push(request.url());
    });
    page.on("pageerror", (error) => trouble.push(error.message));
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(`${viewer.base}${path}`);
      await settle(page);
      await keepShot(page, `${name}-${width}-${scheme}`);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect({ name, over: Math.max(0, over), found: await findViolations(page) }).toEqual({
        name,
        over: 0,
        found: [],
      });
    }
    expect(trouble).toEqual([]);
    await other.close();
  });

  it("a study says in words whether the debate was worth it, draws it, and a number leads to its cases", async () => {
    const { page, base } = viewer;
    await page.goto(`${base}${pages.study}`);
    await page.getByText("Was the debate worth it?").waitFor();
    expect(await page.locator(".verdict .answer").innerText()).toMatch(/^(?:Yes|No|Not shown|It cannot)/);
    expect(await page.locator("main .section svg").count()).toBeGreaterThan(1);
    await page.locator('a[href^="#cases-"]').first().click();
    const cases = page.getByRole("dialog");
    await cases.getByRole("link").first().waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => cases.count()).toBe(0);
    await page.goForward();
    await cases.getByRole("link").first().click();
    await page.waitForURL(/\/runs\//);
  });

  it("two runs show only what differs, where they part, and each side has its link", async () => {
    const { page, base } = viewer;
    await page.goto(`${base}${pages.compare}`);
    await page.getByText(/They came to/).waitFor();
    expect(await page.getByText("here they part").count()).toBe(1);
    await page.locator("details.first").getByRole("link").first().click();
    await page.waitForURL(/turn=/);
  });

  it("what is wrong with a case is said before it is started, and an example fills the form", async () => {
    const { page, base } = viewer;
    await page.goto(`${base}/start?pack=question`);
    await page.getByRole("button", { name: "As JSON" }).click();
    await page.getByLabel("The case as JSON").fill('{"question": 1}');
    await page
      .getByText(/question/)
      .last()
      .waitFor();
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "why the bridge closed" }).click();
    await page.getByText("Free: no model is called.").waitFor();
    await page.getByRole("button", { name: "Field by field" }).click();
    await page.getByLabel("The question").fill("Is it?");
    await page.getByLabel(/Add files/).setInputFiles({
      name: "note.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("It is."),
    });
    await page.getByRole("button", { name: "Remove note.txt" }).waitFor();
    await page.getByText("Free: no model is called.").waitFor();
  });
});

/** The pages of one run of each other pack, tab by tab. */
async function listRunPages(page: Page): Promise<Record<string, string>> {
  type Item = { id: string; pack: string; subject: string };
  const { runs } = await askApi<{ runs: Item[] }>(page, "/api/runs?limit=200");
  const find = (pack: string, word: string) => runs.find((run) => run.pack === pack && run.subject.includes(word))?.id;
  const pages: Record<string, string> = {
    law: `/runs/${find("law", "pusako")}`,
    law_map: `/runs/${find("law", "pusako")}?tab=map`,
    law_rules: `/runs/${find("law", "pusako")}?tab=rules`,
    law_decision: `/runs/${find("law", "pusako")}?tab=decision`,
    law_branches: `/runs/${find("law", "pusako")}?tab=branches`,
    cause: `/runs/${find("root-cause", "")}`,
    cause_rules: `/runs/${find("root-cause", "")}?tab=rules`,
    sentiment: `/runs/${find("sentiment", "포장")}`,
    sentiment_rules: `/runs/${find("sentiment", "포장")}?tab=rules`,
    hostile: `/runs/${find("sentiment", "waiter")}`,
  };
  expect(Object.values(pages).filter((path) => path.includes("undefined"))).toEqual([]);
  return pages;
}

/** Waits until nothing on the page is still on its way. */
async function settle(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor();
  await expect.poll(() => page.locator("[aria-busy=true]").count(), { timeout: 60_000 }).toBe(0);
}
