/** Packs of the user's own: written by `parley new`, loaded from files and packages, known to every command. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder, spawnCli, type Ran } from "./support/cli.ts";

const run = (cwd: string, ...args: string[]): Promise<Ran> => spawnCli(args, { cwd }).ran;
const runTrusting = (cwd: string, ...args: string[]): Promise<Ran> =>
  spawnCli(args, { cwd, env: { PARLEY_TRUST: "1" } }).ran;

/** A folder with the pack that `parley new pack` writes. */
async function folderWithPack(): Promise<string> {
  const cwd = newFolder();
  expect((await run(cwd, "new", "pack", "triage")).code).toBe(0);
  return cwd;
}

const urgent = '{"text": "The shop is down, customers cannot pay."}';

it("a new pack is about sixty lines, and its run can be shown, verified, redecided, branched and exported", async () => {
  const cwd = await folderWithPack();
  expect(readFileSync(join(cwd, "packs/triage.mts"), "utf8").split("\n").length).toBeLessThan(80);
  const { out } = await run(cwd, "run", "triage", urgent, "--json");
  const { urgency, parley } = JSON.parse(out) as { urgency: string; parley: { run: string } };
  expect(urgency).toBe("high");
  const ends = await Promise.all(
    [
      ["show", parley.run],
      ["verify", parley.run],
      ["export", parley.run, "--format", "html"],
      ["redecide", parley.run],
      ["branch", parley.run, "--from", "round-1", "--set", "rounds=2"],
      ["runs", "diff", parley.run, parley.run],
      ["run", "triage", "--prompts"],
      ["doctor", "config"],
    ].map((args) => run(cwd, ...args)),
  );
  expect(ends.map(({ code, err }) => (code === 0 ? "" : err))).toEqual(ends.map(() => ""));
});

it("a run whose pack is not loaded says which file it came from, and --pack makes it known", async () => {
  const cwd = await folderWithPack();
  writeFileSync(join(cwd, "parley.config.yaml"), "");
  const { out } = await run(cwd, "run", "./packs/triage.mts", urgent, "--json");
  const id = (JSON.parse(out) as { parley: { run: string } }).parley.run;
  const lost = await run(cwd, "show", id);
  expect(lost).toMatchObject({ code: 2 });
  expect(lost.err).toContain("came from ./packs/triage.mts and is not loaded");
  expect((await run(cwd, "show", id, "--pack", "packs/triage.mts")).out).toContain("● high");
  expect((await run(cwd, "runs", "--pack", "packs/triage.mts")).out).toContain("customers cannot pay");
});

it("a package is found where the project has it", async () => {
  const cwd = newFolder();
  const folder = join(cwd, "node_modules/@acme/parley-echo");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    '{"name":"@acme/parley-echo","type":"module","exports":{"import":"./echo.js"}}',
  );
  writeFileSync(join(folder, "echo.js"), echo("echo"));
  writeFileSync(join(cwd, "parley.config.yaml"), 'packs: ["@acme/parley-echo"]\n');
  expect((await runTrusting(cwd, "run", "echo", '{"text":"hear me"}')).out).toContain("● hear me");
});

it.each([
  ["no pack in it", "export const x = 1;", /exports no pack/],
  ["a name that is taken", echo("law"), /the name "law" is taken by a pack that comes with Parley/],
  ["a name that is a setting", echo("budget"), /"budget" is a setting/],
  ["a name that no command line takes", echo("My Pack"), /lower-case letters, digits and hyphens/],
  ["broken code", "export default {", /cannot be loaded: Unexpected end of input/],
  [
    "settings without defaults",
    echo("echo").replace("config: z.strictObject({})", "config: z.strictObject({ n: z.int() })"),
    /an empty config must parse/,
  ],
])("a file with %s is refused with its name", async (_, code, message) => {
  const cwd = newFolder();
  writeFileSync(join(cwd, "own.js"), code);
  const ran = await run(cwd, "demo", "./own.js");
  expect(ran.code).toBe(2);
  expect(ran.err).toMatch(/own\.js/);
  expect(ran.err).toMatch(message);
});

it("a file that is missing is an error of the configuration, and nothing is replaced by `new`", async () => {
  const cwd = await folderWithPack();
  const again = await run(cwd, "new", "pack", "triage");
  expect(again).toMatchObject({ code: 2 });
  writeFileSync(join(cwd, "parley.config.yaml"), "packs: [./nowhere.ts]\n");
  const ran = await runTrusting(cwd, "runs");
  expect(ran.code).toBe(2);
  expect(ran.err).toContain("there is no such file");
});

function echo(name: string): string {
  return `import { definePack, defineRole } from "parley";
import * as z from "zod";
const speaker = defineRole({ name: "speaker", reply: z.strictObject({ said: z.string() }),
  prompt: ({ text }) => ({ instructions: "Repeat it.", blocks: [], own: [{ label: "TEXT", text }] }), expert: ({ text }) => ({ said: text }) });
export default definePack({ name: "${name}", summary: "Says it again.", input: z.strictObject({ text: z.string() }), config: z.strictObject({}),
  decision: z.strictObject({ said: z.string() }), roles: () => [speaker],
  async protocol(debate, { input }) { return { outcome: "decided", reasons: [], decision: await debate.ask(speaker, input) }; } });
`;
}
