import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { measureDisplayWidth } from "../src/text/layout.ts";
import { newFolder, runCli, spawnCli } from "./support/cli.ts";
import { startModelServer } from "./support/model-server.ts";

/** A folder with two documents in it. */
function folderWithDocs(): string {
  const cwd = newFolder();
  mkdirSync(join(cwd, "docs"));
  writeFileSync(join(cwd, "docs", "mill.txt"), "The mill was built in 1874 by Ida Holm. It burned down in 1901.");
  writeFileSync(join(cwd, "docs", "sale.md"), "Ida Holm sold the mill because the railway took away its trade.");
  return cwd;
}

const question = "Why did Ida Holm sell the mill?";

/** What a model would answer. */
const railway = {
  answer: "the railway",
  reasoning: "It took away its trade.",
  confidence: 0.9,
  quotes: [{ source: "docs/sale.md", quote: "the railway took away its trade" }],
};

describe("parley ask", () => {
  it("prints the answer with its source on stdout and the run's id on stderr", async () => {
    const { code, out, err } = await runCli(["ask", question, "--docs", "docs"], { cwd: folderWithDocs() });
    expect(code).toBe(0);
    expect(out).toContain("because the railway took away its trade");
    expect(out).toContain("docs/sale.md");
    expect(err).toMatch(/^decided · 3 turns · no model calls, free · parley show \S+\n$/);
  });

  it("--json prints the decision and nothing else on stdout; --quiet prints nothing on stderr", async () => {
    const { out, err } = await runCli(["ask", question, "--docs", "docs", "--json", "--quiet"], {
      cwd: folderWithDocs(),
    });
    expect(JSON.parse(out)).toMatchObject({
      answer_type: "text",
      parley: { outcome: "decided", quorum: { asked: 3, answered: 3 } },
    });
    expect(err).toBe("");
  });

  it("without documents the experts have no answer, say so, and the exit code is 3", async () => {
    const { code, out } = await runCli(["ask", "Why?"]);
    expect(code).toBe(3);
    expect(out).toContain("answers only from documents, and none were given");
  });

  it("a budget that runs out gives the best so far and exit code 4; resume with a larger one finishes", async () => {
    const cwd = folderWithDocs();
    const server = await startModelServer({ respond: () => ({ value: railway }) });
    const env = { PARLEY_BASE_URL: server.baseUrl };
    const asked = ["ask", question, "--docs", "docs", "--cast", "compatible/m", "--set", "max_rounds=1"];
    const first = await runCli([...asked, "--budget", "calls=2", "--json"], { cwd, env });
    expect(first.code).toBe(4);
    const run = (JSON.parse(first.out) as { parley: { run: string; spend: { calls: number } } }).parley;
    expect(run.spend.calls).toBe(2);
    expect(first.err).toMatch(/^Asks .*\nbudget exhausted · 2 turns · 2 calls, [\d,]+ tokens, cost unknown/);
    const resumed = await runCli(["resume", run.run, "--budget", "calls=10", "--json"], { cwd, env });
    await server.close();
    expect(resumed.code).toBe(0);
    expect(JSON.parse(resumed.out)).toMatchObject({ parley: { outcome: "decided", spend: { calls: 3 } } });
  });

  it("--out writes the artifacts", async () => {
    const cwd = folderWithDocs();
    await runCli(["ask", question, "--docs", "docs", "--out", "result"], { cwd });
    expect(JSON.parse(readFileSync(join(cwd, "result", "decision.json"), "utf8"))).toMatchObject({
      answer_type: "text",
    });
  });
});

describe("bad input", () => {
  const cwd = folderWithDocs();
  writeFileSync(join(cwd, "bad.yaml"), "quesion:\n  protocol: vote\n");
  writeFileSync(join(cwd, "worse.yaml"), "question:\n  protocl: vote\n");
  writeFileSync(join(cwd, "broken.yaml"), "question: [1,\n");
  writeFileSync(join(cwd, "empty.jsonl"), "\n");
  writeFileSync(join(cwd, "binary.txt"), Buffer.from([1, 0, 2, 0]));
  it.each([
    [["aks", "x"], /unknown command "aks"; did you mean "ask"\?/],
    [["ask"], /<question> is missing; `parley ask --help` shows the usage/],
    [["rca"], /<logs\.\.\.> is missing; `parley rca --help` shows the usage/],
    [["-x"], /unknown option "-x"/],
    [["--verion"], /unknown option "--verion"; did you mean "--version"\?/],
    [["study", "rn"], /unknown command "rn"; did you mean "run"\? \(`parley study --help` lists the commands\)/],
    [["mcp", "more"], /too many arguments for parley mcp\. It takes none/],
    [["verify", "a", "b"], /too many arguments for parley verify\. Write parley verify \[run\]/],
    [["ask", "why", "not"], /Put a text of several words in quotes/],
    [["doctor", "keys", "nwe"], /Did you mean parley doctor keys new\?/],
    [["study", "panel", "mmlu"], /did you mean "mmlu-pro"/],
    [["worker", "--packs", "lwa", "--store", "postgres://nobody@127.0.0.1:1/x"], /did you mean "law"/],
    [["runs", "--since", "yesterday"], /--since yesterday: .*2d, or a date/],
    [["ask", "x", "--cast", "gpt-5-mini"], /unknown player "gpt-5-mini"; a model is written PROVIDER\/MODEL/],
    [["run", "question", "--input", "empty.jsonl"], /empty\.jsonl: the file is empty/],
    [["store", "copy", "nowhere", "elsewhere"], /nowhere: no store there/],
    [["law", "x", "--hint", "conflct"], /Did you mean conflict\?/],
    [["review", "--uphold", "x", "--replace", "y"], /give --uphold or --replace, not both/],
    [
      ["ask", "x", "--cats", "expert"],
      /unknown option "--cats"; did you mean "--cast"\? \(`parley ask --help` lists the options\)/,
    ],
    [["ask", " "], /question: the question is empty/],
    [["ask", "x", "--cast", "opnai/gpt-5"], /unknown (provider|player).*did you mean "openai/s],
    [["ask", "x", "--cast", "expert,jugde=person", "--protocol", "courtroom"], /jugde.*did you mean "judge"/s],
    [["ask", "x", "--cast", "openai/gpt-5-mini"], /OPENAI_API_KEY/],
    [["ask", "x", "--set", "protocol=votes"], /protocol: "votes" is not a valid choice; did you mean "vote"\?/],
    [["ask", "x", "--set", "protocol"], /key=value/],
    [["ask", "x", "--set", "max_rounds=0"], /max_rounds/],
    [["ask", "x", "--budget", "call=3"], /unknown key "call"; did you mean "calls"\?/],
    [["ask", "x", "--budget", "usd=lots"], /usd: expected a number, not "lots"/],
    [["ask", "x", "--budget", "calls=1=2"], /calls: expected a number, not "1=2"/],
    [["ask", "x", "--budget", "calls=1,calls=2"], /calls is given twice/],
    [["ask", "x", "--budget", "calls=1e300"], /calls: needs at most/],
    [["ask", "x", "--seed", ""], /--seed.*"" is not a whole number/],
    [["run", "constructor", "{}"], /unknown pack "constructor"/],
    [["run", "question", "--input", "x", "--concurrency", "0"], /--concurrency.*Give 1 or more/],
    [["runs", "--pack", "sentimnt"], /unknown pack "sentimnt"; did you mean "sentiment"\?/],
    [["runs", "--limit", "-1"], /--limit.*Give 1 or more/],
    [["ask", "x", "--seed", "1.5"], /not a whole number/],
    [["ask", "x", "--docs", "nowhere"], /nowhere: there is no such file or folder/],
    [["ask", "x", "--docs", "binary.txt"], /binary/],
    [["ask", "x", "--config", "nowhere.yaml"], /nowhere\.yaml: there is no such file/],
    [["ask", "x", "--config", "bad.yaml"], /unknown key "quesion"; did you mean "question"\?/],
    [["ask", "x", "--config", "worse.yaml"], /unknown key "protocl"; did you mean "protocol"\?/],
    [["ask", "x", "--config", "broken.yaml"], /broken\.yaml: not valid YAML/],
    [["run", "questoin", "{}"], /unknown pack "questoin"; did you mean "question"\?/],
    [["run", "question"], /--input/],
    [["run", "question", "{"], /not valid JSON/],
    [
      ["run", "question", '{"question": "x", "docs": [{"id":"a","text":""},{"id":"a","text":""}]}'],
      /two documents have the id "a"/,
    ],
    [["run", "question", "--input", "nowhere.jsonl"], /nowhere\.jsonl: there is no such file/],
    [["show", "zzz"], /no run "zzz"/],
    [["resume", "zzz"], /no run "zzz"/],
    [["show"], /name a run, or give --last/],
  ])("parley %j exits with 2 and says what is wrong", async (args, message) => {
    const { code, err, out } = await runCli(args, { cwd });
    expect(err).toMatch(message);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).not.toMatch(/\n\s+at /);
  });

  it("a USD budget with a model of unknown price is refused at the start", async () => {
    const env = { PARLEY_BASE_URL: "http://127.0.0.1:9" };
    const { code, err } = await runCli(["ask", "x", "--cast", "compatible/m", "--budget", "usd=1"], { env });
    expect(code).toBe(2);
    expect(err).toMatch(/none is known for compatible\/m/);
  });
});

describe("a batch", () => {
  const rows = [
    { id: "a", question: "Who built the mill?", docs: [{ id: "d", text: "Ida Holm built the mill." }] },
    { id: "b", question: "" },
    { id: "c", question: "Who sold the mill?", docs: [{ id: "d", text: "Per Dahl sold the mill." }] },
    { id: "a", question: "Twice?" },
  ];

  it("keeps the order, goes on past bad rows, and does not run again what is done", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "cases.jsonl"), `\uFEFF${rows.map((row) => JSON.stringify(row)).join("\r\n")}\nnot json\n`);
    const args = ["run", "question", "--input", "cases.jsonl", "--out", "results.jsonl", "--set", "protocol=vote"];
    const first = await runCli(args, { cwd });
    const read = () =>
      readFileSync(join(cwd, "results.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const results = read();
    expect(results.map((one) => one.case_id)).toEqual(["a", "b", "c", "a", "5"]);
    expect(results.map((one) => one.outcome)).toEqual(["decided", "error", "decided", "error", "error"]);
    expect(JSON.stringify(results)).toMatch(
      /the question is empty.*used by an earlier row.*not valid JSON.*a line is one case as a JSON object/s,
    );
    const example = "failed, for example: case b: input of the question pack: question: the question is empty\n";
    expect(first).toMatchObject({ code: 3, err: `5 cases · 3 failed\n${example}` });
    const again = await runCli(args, { cwd });
    expect(again.err).toBe(`5 cases · 2 done before · 3 failed\n${example}`);
    expect(read()).toEqual(results);
    const fresh = await runCli([...args, "--fresh"], { cwd });
    expect(fresh.err).toBe(`5 cases · 3 failed\n${example}`);
  });
});

it("a batch whose budget runs out exits with 4 and says how many cases were left, and the same command goes on", async () => {
  const cwd = newFolder();
  const rows = ["one", "two", "three"].map((id) => JSON.stringify({ id, question: `Tea or coffee, ${id}?` }));
  writeFileSync(join(cwd, "cases.jsonl"), `${rows.join("\n")}\n`);
  const value = { answer: "tea", reasoning: "It is older.", confidence: 0.9, quotes: [] };
  const server = await startModelServer({ respond: () => ({ value }) });
  const env = { PARLEY_BASE_URL: server.baseUrl };
  const args = ["run", "question", "--input", "cases.jsonl", "--cast", "compatible/m", "--set", "protocol=single"];
  const first = await runCli([...args, "--concurrency", "1", "--budget", "calls=1"], { cwd, env });
  expect(first.code).toBe(4);
  expect(first.err).toMatch(/the budget is spent: \d cases? (?:was|were) stopped and \d not run/);
  const rest = await runCli([...args, "--budget", "calls=9"], { cwd, env });
  await server.close();
  expect(rest).toMatchObject({ code: 0, err: expect.stringContaining("3 cases · 1 done before") });
});

it("a batch counts escalated cases as such, and says where they wait", async () => {
  const cwd = newFolder();
  const query =
    "Di Bali orang tua menghibahkan tanah secara lisan; menurut KUHPerdata hibah tanpa akta notaris batal. Mana yang benar?";
  writeFileSync(join(cwd, "cases.jsonl"), `${JSON.stringify({ query })}\n`);
  const { err } = await runCli(["run", "law", "--input", "cases.jsonl", "--set", "act_above=0.99"], { cwd });
  expect(err).toBe("1 case · 1 escalated\n`parley review` lists what was escalated\n");
});

describe("the other commands", () => {
  it("help names every command and the exit codes, and each command has its own", async () => {
    const { out } = await runCli(["--help"]);
    for (const name of ["demo", "ask", "run", "runs", "show", "resume", "export", "doctor"]) {
      expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
      expect((await runCli([name, "--help"])).out).toContain("Usage:");
    }
    expect(out).toContain("Exit codes");
  });

  it("demo runs every pack", async () => {
    const { code, out } = await runCli(["demo"]);
    expect(code).toBe(0);
    expect(out).toMatch(/\d debates in/);
  });

  it("a line of runs fits the terminal, also where letters take two columns", async () => {
    const cwd = newFolder();
    await runCli(["sentiment", `배터리는 오래가지만 ${"화면이 어둡고 소리가 작아서 ".repeat(4)}불편합니다`], { cwd });
    const [line = ""] = (await runCli(["runs"], { cwd })).out.split("\n");
    expect(line).toMatch(/배터리는.*…$/);
    expect(measureDisplayWidth(line)).toBeLessThanOrEqual(100);
  });

  it("runs lists, show shows the report, the turns and one turn with its prompt", async () => {
    const cwd = folderWithDocs();
    const asked = await runCli(["ask", question, "--docs", "docs"], { cwd });
    const { out } = await runCli(["runs"], { cwd });
    expect(out).toContain(question);
    const id = out.split(" ")[0] ?? "";
    expect((await runCli(["show", id.slice(0, 9)], { cwd })).out).toBe(asked.out);
    expect((await runCli(["show", id, "--turn"], { cwd })).out).toContain("1/opening/analyst");
    expect((await runCli(["show", id, "--turn", "1/opening/analyst"], { cwd })).out).toContain(
      "[QUESTION]\n```text\nWhy did Ida Holm",
    );
    expect((await runCli(["show", id, "--turn", "9/x/y"], { cwd })).err).toContain("It has: 1/opening/analyst");
    expect(JSON.parse((await runCli(["export", id], { cwd })).out)).toMatchObject({
      version: 2,
      result: { outcome: "decided" },
    });
  });

  it("config schema is a JSON schema with a section a pack; config check finds mistakes", async () => {
    const schema = JSON.parse((await runCli(["doctor", "config", "--schema"])).out) as {
      properties: Record<string, { properties: object }>;
    };
    expect(Object.keys(schema.properties.question?.properties ?? {})).toContain("protocol");
    const cwd = newFolder();
    writeFileSync(join(cwd, "parley.config.yaml"), "question:\n  max_rounds: many\n");
    expect(await runCli(["doctor", "config"], { cwd })).toMatchObject({ code: 2 });
  });
});

it("commands that only read make no store", async () => {
  const cwd = newFolder();
  expect((await runCli(["runs"], { cwd })).out).toContain("no runs in");
  await runCli(["verify", "--all"], { cwd });
  await runCli(["show", "x"], { cwd });
  expect(existsSync(join(cwd, ".parley"))).toBe(false);
});

describe("a process", () => {
  it("writes no colour into a pipe and its exit code is the outcome's", async () => {
    const { code, out } = await spawnCli(["ask", "Why?"]).ran;
    expect(code).toBe(3);
    expect(out).not.toContain("\u001B");
  });

  it("survives a reader that goes away", async () => {
    const { child, ran } = spawnCli(["demo"]);
    child.stdout?.destroy();
    const { code, err } = await ran;
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });
});

describe("bad places", () => {
  const row = '{"question":"Why?"}\n';

  it("a file of cases that is not there is bad input and leaves earlier results alone", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "results.jsonl"), "earlier");
    const { code, err } = await runCli(["run", "question", "--input", "no.jsonl", "--out", "results.jsonl"], { cwd });
    expect(code).toBe(2);
    expect(err).toContain("no.jsonl: there is no such file");
    expect(readFileSync(join(cwd, "results.jsonl"), "utf8")).toBe("earlier");
  });

  it("results are never written over the cases", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "cases.jsonl"), row);
    const { code } = await runCli(["run", "question", "--input", "cases.jsonl", "--out", "./cases.jsonl"], { cwd });
    expect(code).toBe(2);
    expect(readFileSync(join(cwd, "cases.jsonl"), "utf8")).toBe(row);
  });

  it.each(["/proc/parley-test", "/dev/null"])("a store that cannot be made at %s is said at once", async (store) => {
    const { code, err } = await runCli(["ask", "Why?", "--store", store]);
    expect(code).toBe(1);
    expect(err).toMatch(/could not be opened.*--store/);
  });

  it("an empty --store is bad input", async () => {
    expect((await runCli(["ask", "Why?", "--store", ""])).code).toBe(2);
  });

  it("help says how a command is called", async () => {
    const { out } = await runCli(["ask", "--help"]);
    expect(out).toContain("Usage: parley ask [options] <question>");
    expect(out).not.toContain("[])");
  });
});
