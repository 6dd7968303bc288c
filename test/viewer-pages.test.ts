import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, findViolations, openContext } from "./support/browser.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { askApi, keepShot, openViewer, type Viewer, waitForRun, visit } from "./support/viewer.ts";
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
    await runCli(["study", "run", "question_controls", "--limit", "3", "--quiet"], { cwd });
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
      nothing: "/?text=nowhere",
      run: `/runs/${a}`,
      ...listTabs("question", b, ["rules"]),
      ...(await listRunPages(page)),
      compare: `/compare?a=${a}&b=${b}`,
      start: "/start",
      fields: "/start?pack=law",
      inbox: "/inbox",
      studies: "/studies",
      study: "/studies/question_controls",
    };
  });
  afterAll(() => viewer?.close());

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
  )("%s at %i px: readable, fits, and asks nobody else", async (scheme, width) => {
    const isEven = scheme === "light";
    const other = await openContext({
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
    // In `npm test` each page is looked at in one of the two ways, and the tabs of one pack stand for those of the others.
    const own = shareOf(Object.entries(pages), ([name]) => !/^(?:cause|sentiment)_/.test(name));
    for (const [name, path] of shareOf(own, (_, at) => (at % 2 === 0) === isEven)) {
      await visit(page, `${viewer.base}${path}`);
      await keepShot(page, `${name}-${width}-${scheme}`);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect({ name, over: Math.max(0, over), found: await findViolations(page, ["serious", "critical"]) }).toEqual({
        name,
        over: 0,
        found: [],
      });
    }
    expect(trouble).toEqual([]);
    await other.close();
  });

  it("a study says in words whether the debate was worth it, draws it, and lists its runs", async () => {
    const { page, base } = viewer;
    await visit(page, `${base}${pages.study}`);
    await page.getByText("Was the debate worth it?").waitFor();
    expect(await page.locator(".verdict .answer").innerText()).toMatch(/^(?:Yes|No|Not shown|Cannot say)/);
    expect(await page.locator("main .section svg").count()).toBeGreaterThan(0);
    await page.locator("summary", { hasText: "Runs" }).click();
    await page.locator("#runs").getByRole("link").first().click();
    await page.waitForURL(/\/runs\//);
  });

  it("two runs show only what differs, wthe runs diverge here, and each side has its link", async () => {
    const { page, base } = viewer;
    await visit(page, `${base}${pages.compare}`);
    await page.getByText("What was decided").waitFor();
    expect(await page.getByText("the runs diverge here").count()).toBe(1);
    await page.locator(".versus").getByRole("link").first().click();
    await page.waitForURL(/runs/);
  });

  it("an example fills the form, text files are added, and what is missing is said", async () => {
    const { page, base } = viewer;
    await visit(page, `${base}/start?pack=question`);
    await page.getByText("Give the case first.").waitFor();
    await page.getByRole("button", { name: "why the bridge closed" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Start the debate" }).isEnabled()).toBe(true);
    await page.getByLabel(/Add files/).setInputFiles([
      { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("It is.") },
      { name: "photo.png", mimeType: "image/png", buffer: Buffer.from([137, 80, 0, 0]) },
    ]);
    await page.getByRole("button", { name: "Remove note.txt" }).waitFor();
    expect(await page.getByRole("alert").innerText()).toBe("photo.png: that is not a text file");
  });
});

/** The pages of one run of each other pack, tab by tab. */
async function listRunPages(page: Page): Promise<Record<string, string>> {
  type Item = { id: string; pack: string; subject: string };
  const { runs } = await askApi<{ runs: Item[] }>(page, "/api/runs?limit=200");
  const find = (pack: string, word: string) => runs.find((run) => run.pack === pack && run.subject.includes(word))?.id;
  const tabs = ["rules"];
  const law = find("law", "pusako") ?? "";
  const cause = find("root-cause", "") ?? "";
  const sentiment = find("sentiment", "포장") ?? "";
  const pages: Record<string, string> = {
    law: `/runs/${law}`,
    ...listTabs("law", law, [...tabs, "decision"]),
    cause: `/runs/${cause}`,
    ...listTabs("cause", cause, tabs),
    sentiment: `/runs/${sentiment}`,
    ...listTabs("sentiment", sentiment, tabs),
    hostile: `/runs/${find("sentiment", "waiter")}`,
  };
  expect([law, cause, sentiment]).not.toContain("");
  expect(Object.values(pages).filter((path) => path.includes("undefined"))).toEqual([]);
  return pages;
}

function listTabs(name: string, run: string, tabs: string[]): Record<string, string> {
  return Object.fromEntries(tabs.map((tab) => [`${name}_${tab}`, `/runs/${run}?tab=${tab}`]));
}
