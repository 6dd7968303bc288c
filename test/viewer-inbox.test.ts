import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, findViolations, openContext } from "./support/browser.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { askApi, openViewer, type Viewer, waitForRun, visit } from "./support/viewer.ts";

const judged = "expert,judge=person";
const supervised = "expert,sup=person";
const docs = [{ id: "sale.md", text: "Ida Holm sold the mill because the railway took away its trade." }];
type Detail = { turns: { key: { role: string }; reply: object }[] };
type Packs = { packs: { name: string; examples: { input: object }[] }[] };

/** A law run whose supervisor, a person, asks for a ruling. */
async function escalate({ page }: Viewer): Promise<string> {
  const { packs } = await askApi<Packs>(page, "/api/packs");
  const input = packs.find(({ name }) => name === "law")?.examples[0]?.input;
  const plain = await askApi<{ id: string }>(page, "/api/runs", { pack: "law", input });
  await waitForRun(page, plain.id);
  const detail = await askApi<Detail>(page, `/api/runs/${plain.id}`);
  const reply = detail.turns.findLast(({ key }) => key.role === "sup")?.reply;
  const { id } = await askApi<{ id: string }>(page, "/api/runs", { pack: "law", input, cast: supervised });
  await waitForRun(page, id);
  await askApi(page, `/api/reviews/${id}/answer`, { reviewer: "Ana", reply: { ...reply, needs_human_review: true } });
  expect(await waitForRun(page, id)).toBe("escalated");
  return id;
}

const open = (args: string[] = []): Promise<Viewer> =>
  openViewer(newFolder(), [...["expert", judged, supervised].flatMap((cast) => ["--allow-cast", cast]), ...args]);

describe.skipIf(browserPath === null)("the inbox in Chromium", () => {
  let viewer: Viewer;
  beforeAll(async () => {
    viewer = await open([]);
  });
  afterAll(() => viewer?.close());

  it("takes a ruling, then a turn, and each says what came of it", async () => {
    const { page, base } = viewer;
    const law = await escalate(viewer);
    const body = {
      pack: "question",
      input: { question: "Why did Ida Holm sell the mill?", docs },
      config: { protocol: "courtroom" },
      cast: judged,
    };
    const court = await askApi<{ id: string }>(page, "/api/runs", body);
    await waitForRun(page, court.id);
    await visit(page, `${base}/inbox`);
    await page.getByText("Why it is here").waitFor();
    expect(await findViolations(page, ["serious", "critical"])).toEqual([]);

    await page.getByText("Give your name first").waitFor();
    await page.locator("#reviewer").fill("Budi");
    await page.getByRole("button", { name: /^Claim it/ }).click();
    await page.getByText("taken by Budi (operator)").waitFor();
    await page.getByText("Still to be filled in: What is your ruling? · Why?").waitFor();
    await page.getByLabel("The decision stands").check();
    await page.getByLabel("Why?", { exact: true }).fill("The debate covers it.");
    await page.reload();
    await page.getByLabel("The decision stands").waitFor();
    expect(await page.getByLabel("The decision stands").isChecked()).toBe(true);
    expect(await page.getByLabel("Why?", { exact: true }).inputValue()).toBe("The debate covers it.");
    await page.getByRole("button", { name: "Record that the decision stands" }).click();
    await page.getByText(/Your ruling is recorded → decided/).waitFor();
    expect(await waitForRun(page, law)).toBe("decided");

    await page.getByText("A person is cast as Judge").waitFor();
    await page.getByText(/Still to be filled in: Why\? · Which side has the better case/).waitFor();
    await page.getByLabel(/^Why\?/).fill("The letter says so.");
    await page
      .getByRole("group", { name: /better case/ })
      .getByRole("radio", { name: /railway/ })
      .check();
    await page.getByLabel(/What is the answer/).fill("The railway.");
    await page.getByLabel(/How sure/).fill("0.9");
    await page.getByRole("button", { name: /Answer as Judge; the debate continues/ }).click();
    await page.getByText(/The run continued → decided/).waitFor();
    await page.getByText("Nothing waits for a person.").waitFor();
    expect(await waitForRun(page, court.id)).toBe("decided");
  });

  it("says what is missing, keeps what was written, and lets a person abstain", async () => {
    const { page, base } = viewer;
    const body = { pack: "question", text: "Is it?", config: { protocol: "courtroom" }, cast: judged };
    const { id } = await askApi<{ id: string }>(page, "/api/runs", body);
    await waitForRun(page, id);
    await visit(page, `${base}/inbox?run=${id}`);
    await page.getByLabel(/^Why\?/).fill("Because.");
    await page.getByText(/Still to be filled in: .*How sure are you/).waitFor();
    expect(await page.getByRole("button", { name: /Answer as Judge; the debate continues/ }).isDisabled()).toBe(true);
    await page.reload();
    await expect.poll(() => page.getByLabel(/^Why\?/).inputValue()).toBe("Because.");
    await page.getByRole("button", { name: "Abstain" }).click();
    await page.getByText(/The run continued/).waitFor();
  });

  it("an answer that breaks a rule is refused as often as it is sent, until it is mended or let stand with a reason", async () => {
    const { page, base } = viewer;
    const input = { question: "Why did Ida Holm sell the mill?", docs };
    const body = { pack: "question", input, config: { protocol: "courtroom" }, cast: judged };
    const { id } = await askApi<{ id: string }>(page, "/api/runs", body);
    await waitForRun(page, id);
    await visit(page, `${base}/inbox?run=${id}`);
    await page.locator("#reviewer").fill("Budi");
    await page.getByLabel(/^Why\?/).fill("I know the family.");
    await page.getByRole("radio", { name: /railway/ }).check();
    await page.getByLabel(/What is the answer/).fill("Her brother Nils wanted the money for 40 ships in Bergen.");
    await page.getByLabel(/How sure/).fill("0.9");
    for (const _ of [1, 2, 3]) {
      const answered = page.waitForResponse((response) => response.url().endsWith("/answer"));
      await page.getByRole("button", { name: /Answer as Judge/ }).click();
      expect(((await (await answered).json()) as { state: string }).state).toBe("refused");
    }
    expect(await page.getByRole("alert").innerText()).toMatch(
      /What is the answer\?: answer 1 \(For\) says .* or nothing/,
    );
    expect(await waitForRun(page, id)).toBe("waiting");
    await page.getByText(/Passages to cite/).click();
    await page.getByLabel(/^Why\?/).focus();
    await page.getByRole("button", { name: "quote it" }).first().click();
    expect(await page.getByLabel(/^Why\?/).inputValue()).toContain("railway");
    await page.getByLabel(/Or let it stand/).fill("I asked her myself.");
    await page.getByRole("button", { name: /Let it stand, with this reason/ }).click();
    await page.getByText(/The run continued → decided/).waitFor();
    await visit(page, `${base}/runs/${id}?turn=${encodeURIComponent("3/judge/judge")}`);
    await page.getByText("let stand by Budi (operator): I asked her myself.").first().waitFor();
    const exported = await page.evaluate(
      async (path) => (await fetch(path)).text(),
      `/api/runs/${id}/export?format=html`,
    );
    expect(exported).toContain("let stand by Budi (operator): I asked her myself.");
  });

  it("a run parked by the command line is answered here, whatever casts may be started, and the page says by whom", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "sale.md"), docs[0]?.text ?? "");
    const ask = ["ask", "Why did Ida Holm sell the mill?", "--docs", "sale.md", "--set", "protocol=courtroom"];
    await runCli([...ask, "--cast", judged], { cwd: folder });
    const own = await openViewer(folder);
    const { page, base } = own;
    await visit(page, `${base}/inbox`);
    await page.locator("#reviewer").fill("Budi");
    await page.getByLabel(/^Why\?/).fill("The letter says so.");
    await page.getByRole("radio", { name: /railway/ }).check();
    await page.getByLabel(/What is the answer/).fill("The railway.");
    await page.getByLabel(/How sure/).fill("0.9");
    await page.getByRole("button", { name: /Answer as Judge/ }).click();
    await page.getByText(/The run continued → decided/).waitFor();
    await page.getByRole("link", { name: "Look at it" }).click();
    await page.getByText("answered by Budi (operator)").waitFor();
    await own.close();
    expect((await runCli(["show", "--last"], { cwd: folder })).out).toContain("answered by Budi (operator)");
  });

  it("a reviewer signs in by a token of their own, answers under that name, and contests a decision", async () => {
    const env = { PARLEY_TOKEN_ANA: "a-token-of-ana-alone", PARLEY_TRUST: "1" };
    const folder = newFolder();
    writeFileSync(join(folder, "parley.config.yaml"), "reviewers: { Ana: { token_env: PARLEY_TOKEN_ANA } }\n");
    const own = await openViewer(folder, [], env);
    const input = { question: "Why did Ida Holm sell the mill?", docs };
    const { id } = await askApi<{ id: string }>(own.page, "/api/runs", { pack: "question", input });
    await waitForRun(own.page, id);
    const page = await (await openContext({ viewport: { width: 1280, height: 900 } })).newPage();
    await page.goto(`${own.base}/`);
    await page.getByLabel("Token").fill(env.PARLEY_TOKEN_ANA);
    await page.getByRole("button", { name: "Open" }).click();
    await page.locator(".top").getByText("Ana").waitFor();
    await visit(page, `${own.base}/runs/${id}`);
    await page.getByRole("button", { name: "Contest the decision" }).click();
    const form = page.getByRole("form", { name: "Contest the decision" });
    await form.getByText("You answer as Ana.").waitFor();
    await form.getByLabel("What is wrong with the decision?").fill("The weather on Mars is mild.");
    await form.getByRole("button", { name: /^File it/ }).click();
    await form.getByText("the decision stands.").waitFor();
    await form.getByText(/has no bearing on this decision/).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Contest the decision" }).click();
    await form.getByLabel("What is wrong with the decision?").fill("“the railway took away its trade” is false.");
    await form.getByLabel(/On what evidence/).fill("The line was built in 1912, after the sale.");
    await form.getByRole("button", { name: /^File it/ }).click();
    await form.getByRole("link", { name: "Look at the branch" }).click();
    await page.getByText(/Asked again because Ana contested the decision/).waitFor();
    await page.context().close();
    await own.close();
  });

  it("keeps the machine's verdict back where reviews are blind, and then says whether both agree", async () => {
    const blind = await open(["--set", "blind_review=true"]);
    const { page, base } = blind;
    const id = await escalate(blind);
    await visit(page, `${base}/inbox?run=${id}`);
    await page.getByText("is hidden until you have answered").waitFor();
    expect(await page.locator("main").innerText()).not.toContain("Posisi C");
    await page.locator("#reviewer").fill("Budi");
    await page.getByLabel("This is the right answer").check();
    await page.getByRole("checkbox", { name: /apply and conflict/i }).check();
    await page.getByRole("radio", { name: /conflict/i }).check();
    await page.getByLabel("Why?", { exact: true }).fill("Both bind.");
    await page.getByRole("button", { name: "Record what is right instead" }).click();
    await page.getByText(/You and the machine agree|The machine had decided differently/).waitFor();
    await blind.close();
  });
});
