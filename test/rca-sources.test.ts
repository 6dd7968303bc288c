import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

const examples = new URL("../examples/incidents/", import.meta.url);
const time = (at: number) => new Date(Date.UTC(2026, 2, 4, 9, 0, at)).toISOString();
type Printed = {
  final_hypothesis: { hypothesis: string; category: string; affected_components: string[] };
  rounds: unknown[];
};

async function decide(cwd: string, ...args: string[]): Promise<Printed["final_hypothesis"]> {
  const { code, out, err } = await runCli(["rca", ...args, "--json", "--quiet"], { cwd });
  expect([code, err]).toEqual([0, ""]);
  return (JSON.parse(out) as Printed).final_hypothesis;
}

describe("--topology and traces", () => {
  it("a topology file turns the blame to the callee that fell silent", async () => {
    const cwd = newFolder();
    mkdirSync(join(cwd, "logs"));
    for (const name of ["web", "booking", "pricing", "rates"])
      copyFileSync(new URL(`fifth/w05-silent-callee/${name}.log`, examples), join(cwd, "logs", `${name}.log`));
    copyFileSync(new URL("fifth/w05-topology.yaml", examples), join(cwd, "calls.yaml"));
    expect((await decide(cwd, "logs", "--topology", "calls.yaml")).affected_components[0]).toBe("rates");
  });

  it("who calls whom is learned with an incident and shown", async () => {
    const cwd = newFolder();
    const [folder, topology] = ["fifth/w05-silent-callee", "fifth/w05-topology.yaml"].map((path) =>
      fileURLToPath(new URL(path, examples)),
    );
    const { err } = await runCli(["rca", folder ?? "", "--topology", topology ?? ""], { cwd });
    const said = ["--cause", "the rates service hangs", "--category", "software", "--id", "rates-hang"];
    const learned = await runCli(["kg", "learn", /parley show (\S+)/.exec(err)?.[1] ?? "", "--by", "Ana", ...said], {
      cwd,
    });
    expect([learned.code, learned.err]).toEqual([0, ""]);
    const shown = await runCli(["kg", "show", "rates-hang"], { cwd });
    expect(shown.out).toContain("  Calls:\n    - web → booking\n    - booking → pricing\n    - pricing → rates\n");
  });

  it("traces among the inputs name the service that became slow, and its span is the evidence", async () => {
    const cwd = newFolder();
    for (const name of ["store.jsonl", "traces.json"])
      copyFileSync(new URL(`fifth/w06-traces/${name}`, examples), join(cwd, name));
    const { hypothesis, affected_components } = await decide(cwd, "store.jsonl", "traces.json");
    expect(affected_components[0]).toBe("geo");
    expect(hypothesis).toMatch(/has become slow: calls from delivery take 4\d{3} ms, \d+ ms before/);
  });

  it.each([
    ["a file that is not there", null, /calls\.yaml: the topology could not be read/],
    ["a list", "- web\n- stock\n", /calls\.yaml: not a topology; write who calls whom/],
    ["numbers", "web: [1, 2]\n", /not a topology at web/],
    ["broken YAML", "web: [stock\n", /calls\.yaml: not a topology \(/],
  ])("says what is wrong with a topology that is %s", async (_name, text, message) => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "app.log"), `${time(0)} ERROR [web] failed\n`);
    if (text !== null) writeFileSync(join(cwd, "calls.yaml"), text);
    const { code, err } = await runCli(["rca", "app.log", "--topology", "calls.yaml"], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

it("--reference shows what no line says: a message that a healthy run prints and this one lacks", async () => {
  const cwd = newFolder();
  const write = (stores: boolean) =>
    Array.from({ length: 200 }, (_, at) => [
      `${time(at)} INFO [orders] accepted order ${at}`,
      `${time(at)} INFO [orders] reserved stock for order ${at}`,
      ...(stores ? [`${time(at)} INFO [orders] stored order ${at}`] : []),
    ]).flat();
  writeFileSync(join(cwd, "good.log"), write(true).join("\n"));
  writeFileSync(join(cwd, "bad.log"), write(false).join("\n"));
  expect((await decide(cwd, "bad.log")).category).toBe("none");
  const compared = await decide(cwd, "bad.log", "--reference", "good.log");
  expect(compared.hypothesis).toContain("stored order <*>");
});

describe("--follow", () => {
  const quiet = Array.from({ length: 60 }, (_, at) => `${time(at)} INFO [web] served ${at}`);
  const write = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => [
      `${time(from + at)} ERROR [web] order ${at} failed: database connection refused by db-1:5432`,
      `${time(from + at)} INFO [web] served ${at}`,
    ]).flat();

  it("debates once for an incident that goes on, again for the next one, and stops after the number given", async () => {
    const lines = [...quiet, ...write(60, 300), ...write(1200, 1400), ...write(4000, 4200)];
    const stdin = `${lines.join("\n")}\n`;
    const all = await runCli(["rca", "-", "--follow", "--quiet"], { cwd: newFolder(), stdin });
    expect(all.err.match(/incident \d+ of at most 10/g)).toHaveLength(3);
    expect(all.out.match(/FINAL RESULT/g)).toHaveLength(3);
    expect(all.out).toContain("db-1:5432");
    const two = await runCli(["rca", "-", "--follow", "--quiet", "--incidents", "2"], { cwd: newFolder(), stdin });
    expect(two.err.match(/incident \d+ of at most 2/g)).toHaveLength(2);
  });

  it("tells two different incidents and a repeat of the first apart, each with its own cause", async () => {
    const fail = (from: number, what: string) =>
      Array.from({ length: 60 }, (_, at) => `${time(from + at)} ERROR [web] order ${at} failed: ${what}`);
    const [database, disk] = ["connection refused by db-1:5432", "No space left on device"];
    const lines = [...quiet, ...fail(60, database), ...fail(1200, disk), ...fail(4000, database)];
    const cwd = newFolder();
    const { out } = await runCli(["rca", "-", "--follow", "--quiet"], { cwd, stdin: `${lines.join("\n")}\n` });
    const causes = out.match(/^ +Hypothesis .*\n.*/gm) ?? [];
    expect(causes.map((text) => [text.includes("db-1"), text.includes("No space left")])).toMatchObject([
      [true, false],
      [false, true],
      [true, false],
    ]);
  });

  it("a file is followed as it grows, and the following ends after the first incident", async () => {
    const cwd = newFolder();
    const file = join(cwd, "app.log");
    writeFileSync(file, `${quiet.join("\n")}\n`);
    let at = 60;
    const writing = setInterval(() => {
      appendFileSync(file, `${write(at, at + 150).join("\n")}\n`);
      at += 150;
    }, 50);
    const { code, out, err } = await runCli(["rca", "--follow", "app.log", "--incidents", "1", "--quiet"], { cwd });
    clearInterval(writing);
    expect(code).toBe(0);
    expect(err).toContain("incident 1 of at most 1");
    expect(out.match(/FINAL RESULT/g)).toHaveLength(1);
  });

  it("takes one file only", async () => {
    const { code, err } = await runCli(["rca", "--follow", "a.log", "b.log"], { cwd: newFolder() });
    expect([code, err]).toEqual([2, "parley: --follow takes one file, or - for standard input\n"]);
  });
});
