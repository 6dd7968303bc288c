/** What somebody meets in the first hour: help, suggestions, setting up, a debate beside a plain answer. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../src/cli/commands.ts";
import { readPages, unlisted } from "../src/cli/help.ts";
import { cleanEnv, cliCommand, newFolder, runCli, spawnCli } from "./support/cli.ts";
import { findMistake, listCommandNames } from "./support/parse-command.ts";
import { startModelServer } from "./support/model-server.ts";

const pages = readPages();
const listed = Object.keys(commands).filter((name) => pages.get(name)?.group !== unlisted);
const examples = [...pages.values()].flatMap(({ more }) => more.match(/(?<=^ {2})parley .*/gm) ?? []);

describe("help", () => {
  it("--help-all lists every command, also those inside others and the one for shells", async () => {
    const { out } = await runCli(["--help-all"]);
    for (const name of ["law sources", "study certify", "doctor trust", "kg learn", "completion"])
      expect(out).toMatch(new RegExp(`^  ${name} +[a-z]`, "m"));
    expect((await runCli(["--help"])).out).not.toMatch(/law sources|completion/);
  });

  it("there are at most 22 commands; every command has its page in data/help.md, and no page is of another", async () => {
    expect(listed.length).toBeLessThanOrEqual(22);
    expect((await listCommandNames()).toSorted()).toEqual(
      [...pages.keys()].filter((name) => name !== "parley").toSorted(),
    );
    for (const [name, { about, summary }] of pages) expect([name, about, summary]).not.toContain("");
  });

  it.each(examples)("the example %j can be typed", async (example) => {
    const [line = ""] = example.split(/ {2,}| [|>] /);
    const words = line.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
    expect(await findMistake(words.slice(1).map((word) => word.replaceAll(/^['"]|['"]$/g, "")))).toBe(null);
  });

  it.each(listed)("parley %s --help shows at most twelve options, --help-all every one", async (name) => {
    const countOptions = (text: string): number => text.match(/^ {2}(?:-\w, )?--\S+/gm)?.length ?? 0;
    const [short, whole] = await Promise.all([runCli([name, "--help"]), runCli([name, "--help-all"])]);
    expect(countOptions(short.out)).toBeLessThanOrEqual(13);
    const left = /(\d+) more options?: --help-all/.exec(short.out)?.[1] ?? "0";
    expect(countOptions(whole.out)).toBe(countOptions(short.out) + Number(left));
  });

  it.each([
    [["serv"], /did you mean "serve"/],
    [["diff"], /did you mean "parley runs diff"/],
    [["runs", "dif"], /Did you mean parley runs diff\?/],
    [["law", "sorces", "x"], /Did you mean parley law sources\?/],
    [["ask", "x", "--dcos", "y"], /did you mean "--docs"\?/],
    [["export", "--last", "--proof", "--out", "a.html"], /--proof needs a value; --out is an option of its own/],
    [["ask", "x", "--max-wrng", "5%"], /did you mean "--max-wrong"\?/],
    [["ask", "why", "not"], /in quotes/],
    [["law", ""], /the question is empty/],
    [["ask", ""], /the question is empty/],
  ])("%j is answered with what was meant", async (args, meant) => {
    const { code, err } = await runCli(args);
    expect(code).toBe(2);
    expect(err).toMatch(meant);
  });
});

describe("parley new", () => {
  it("writes a commented configuration that is good, says which key or endpoint is missing, and runs a first case", async () => {
    const cwd = newFolder();
    const args = ["new", "reviews", "--cast", "openai/gpt-5-mini,judge=ollama/x", "--budget", "usd=1,time=90s"];
    const { code, out } = await runCli(args, { cwd, env: { OLLAMA_HOST: "http://127.0.0.1:9" } });
    expect(code).toBe(0);
    expect(out).toContain("openai/gpt-5-mini needs a key: set OPENAI_API_KEY");
    expect(out).toContain("http://127.0.0.1:9/v1, x: cannot be reached");
    expect(out).toContain("── sentiment");
    expect(out).toMatch(/Next:\n {2}parley doctor --cast openai\/gpt-5-mini/);
    expect((await runCli(["doctor", "config"], { cwd })).out).toBe("the configuration is valid\n");
    expect(readFileSync(join(cwd, "parley.config.yaml"), "utf8")).toContain("usd: 1, time: 90000ms");
    const again = await runCli(args, { cwd });
    expect(again).toMatchObject({ code: 2 });
    expect(again.err).toContain("already exists");
  });

  it("without a terminal says what to give instead; what nobody has is refused with what there is", async () => {
    expect((await runCli(["new"])).err).toContain("parley new logs");
    expect((await runCli(["new", "log"])).err).toContain('did you mean "logs"?');
  });

  it.skipIf(spawnSync("python3", ["-c", "import pty"]).status !== 0)("asks at a terminal", () => {
    const cwd = newFolder();
    const keys = [
      ["What do you have", "\r"],
      ["Who plays", "\r"],
    ];
    const script = resolve(import.meta.dirname, "support/terminal.py");
    const env = { ...cleanEnv(), HOME: cwd, TERM: "xterm-256color" };
    const ran = spawnSync("python3", [script, JSON.stringify(keys), ...cliCommand, "new"], {
      cwd,
      env,
      encoding: "utf8",
    });
    expect(ran.status, ran.stdout).toBe(0);
    expect(readFileSync(join(cwd, "parley.config.yaml"), "utf8")).toContain('cast: "expert"');
  });

  it("a new pack works in a project of CommonJS modules", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "package.json"), '{"name":"p","version":"1.0.0","type":"commonjs"}');
    const env = { PARLEY_HOME: newFolder() };
    expect((await runCli(["new", "pack", "triage"], { cwd, env })).out).toContain("npm install parley zod");
    const text = "The checkout is down and customers cannot pay.";
    expect((await spawnCli(["run", "triage", text], { cwd, env }).ran).out).toContain("● high");
  });
});

describe("one debate", () => {
  it("--beside shows one plain answer of the same model, and what both cost", async () => {
    const answer = { answer: "tea", reasoning: "It is older.", confidence: 0.9, quotes: [] };
    const server = await startModelServer({ respond: () => ({ value: answer }) });
    const env = { PARLEY_BASE_URL: server.baseUrl };
    const args = ["ask", "Tea or coffee?", "--cast", "compatible/m", "--set", "max_rounds=1", "--beside"];
    const cwd = newFolder();
    const shown = await runCli(args, { env, cwd });
    const last = await runCli(["show", "--last", "--turn"], { cwd });
    expect(last.out.trim().split("\n")).toHaveLength(3);
    const calls = server.seen.length;
    const limited = await runCli([...args, "--budget", `calls=${calls}`, "--json"], { env });
    await server.close();
    expect(shown.out).toContain("One plain answer, without a debate");
    expect(shown.out).toMatch(/debate {8}3 calls, .*\nplain answer {2}1 call, .*\nBoth give the same answer\.\n$/);
    const { parley, beside } = JSON.parse(limited.out) as Record<"parley" | "beside", { parley?: object }>;
    expect(parley).toMatchObject({ spend: { calls: 3 } });
    expect(beside.parley).toMatchObject({ outcome: "decided", spend: { calls: 1 } });
  });

  it("a folder of --out that is not there is said before it is made", async () => {
    const cwd = newFolder();
    mkdirSync(join(cwd, "docs"));
    writeFileSync(join(cwd, "docs", "a.md"), "Ida Holm sold the mill because the railway took away its trade.");
    const { err } = await runCli(["ask", "Why did Ida Holm sell the mill?", "--docs", "docs", "--out", "x/y"], { cwd });
    expect(err).toContain("x/y: the folder does not exist yet; it will be created");
    expect(existsSync(join(cwd, "x", "y", "decision.json"))).toBe(true);
    expect((await runCli(["redecide", "--last"], { cwd })).out).toContain("decided again without calling a model");
    expect((await runCli(["redecide", "--last", "--prepare"], { cwd })).out).toContain("the material has not changed");
  });

  it.each([401, 404, 429])("a call that is refused with %i charges nothing, and says so", async (status) => {
    const server = await startModelServer({ respond: () => ({ raw: { status, body: "no" } }) });
    const args = ["ask", "Tea?", "--cast", "compatible/m", "--protocol", "single"];
    const { code, err } = await runCli(args, { env: { PARLEY_BASE_URL: server.baseUrl } });
    await server.close();
    expect(code).toBe(1);
    expect(err).toMatch(/\d calls?, nothing was charged/);
  });
});

it("a file of cases is not read as a question or as one case", async () => {
  const cwd = newFolder();
  writeFileSync(
    join(cwd, "q.jsonl"),
    '{"query":"Bolehkah tanah ulayat dijual?"}\n{"query":"Bolehkah pusako tinggi dijual?"}\n',
  );
  expect((await runCli(["law", "q.jsonl"], { cwd })).err).toContain(
    "parley run law --input q.jsonl --out results.jsonl",
  );
  expect((await runCli(["ask", "q.jsonl"], { cwd })).err).toContain("parley run question --input q.jsonl");
  expect((await runCli(["run", "law", "q.jsonl"], { cwd })).err).toContain("give it with --input q.jsonl");
  const done = await runCli(["run", "law", "--input", "q.jsonl", "--out", "r.jsonl"], { cwd });
  expect(done.code, done.err).toBe(0);
});

it("the demo ends with what to try next", async () => {
  expect((await runCli(["demo"])).out).toMatch(/\nTry next:\n(?: .*\n)+$/);
});
