import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { newFolder, runCli } from "../support/cli.ts";
import { shareOf } from "../support/share.ts";

/** What an attacker may write to take over a terminal: colours, cursor, title, link, clipboard, rewriting, turning. */
const attack =
  "\u001B[31mred\u001B[2J\u001B]0;title\u0007\u001B]8;;http://evil\u001B\\link\u001B]52;c;aGk=\u0007\u009B2Jone byte\rover\bback\u202Eturned\u2066\u0000";

/** Anything that steers a terminal: C0 but for tab, newline and the return of a Windows line, DEL, C1, direction. */
const steers = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]|\r(?!\n)/;

const cwd = newFolder();
const file = `evil \u001B[31m\u202E.log`;

beforeAll(() => {
  // A file with more than a few bytes of C0 beside escapes is taken for binary.
  const logged = attack.replaceAll(/[\u0000\u0007\u0008]/g, "");
  const lines = [1, 2, 3].map((n) => `2024-05-01 10:00:0${n} ERROR stock.Pool: connection refused ${logged} ${n}`);
  mkdirSync(join(cwd, "logs"));
  writeFileSync(join(cwd, "logs", file), `${lines.join("\n")}\n`);
  writeFileSync(join(cwd, "logs", "calm.log"), "2024-05-01 10:00:09 ERROR orders.Api: order failed\n");
  writeFileSync(join(cwd, "report.txt"), `The bridge broke because of the wrong steel ${attack}. It was old.\n`);
  const incident = { id: "own-1", title: attack, cause: attack, category: "config", symptoms: [attack] };
  writeFileSync(join(cwd, "incidents.json"), JSON.stringify([incident]));
});

async function newestRun(): Promise<string> {
  const { out } = await runCli(["runs", "--json"], { cwd });
  return (JSON.parse(out.split("\n")[0] ?? "") as { id: string }).id;
}

async function expectSafe(args: string[], color = false): Promise<string> {
  const { out, err } = await runCli(args, { cwd, color });
  expect(out, `stdout of ${args.join(" ")}`).not.toMatch(steers);
  expect(err, `stderr of ${args.join(" ")}`).not.toMatch(steers);
  return out;
}

const starts: [name: string, args: string[]][] = [
  ["sentiment", ["sentiment", `The battery is great ${attack} but the screen is bad.`]],
  ["law", ["law", `Sahkah hibah lisan di Bali? ${attack}`]],
  ["question", ["ask", `Why did the bridge break? ${attack}`, "--docs", "report.txt"]],
  ["root-cause", ["rca", "logs"]],
];

describe.each(starts)("the %s pack", (_name, args) => {
  it("reports a case that would steer the terminal, with and without colours, as text", async () => {
    await expectSafe(args);
    await expectSafe(args, true);
    const id = await newestRun();
    for (const color of [false, true]) {
      await expectSafe(["show", id], color);
      await expectSafe(["show", id, "--turn"], color);
    }
    await expectSafe(["export", id, "--format", "md"], true);
  });

  it("shows every turn, its prompt and its reply, as text", async () => {
    const id = await newestRun();
    const { out } = await runCli(["show", id, "--turn"], { cwd });
    const turns = out.split("\n").flatMap((line) => line.split(/\s{2,}/)[0] || []);
    expect(turns.length).toBeGreaterThan(1);
    for (const turn of shareOf(turns, (_, at) => at % 4 === 0)) await expectSafe(["show", id, "--turn", turn]);
  });

  it("gives JSON with the very text, in letters that steer nothing", async () => {
    const id = await newestRun();
    for (const args of [
      ["show", id, "--json"],
      ["export", id, "--format", "json"],
    ])
      expect(JSON.stringify(JSON.parse(await expectSafe(args)))).toContain(JSON.stringify("\u001B[2J").slice(1, -1));
    JSON.parse(await expectSafe(["export", id, "--format", "json"]));
    await expectSafe(["export", id, "--format", "html"]);
  });

  it("writes prose that can be read in a terminal", async () => {
    const folder = join(cwd, "out");
    await runCli([...args, "--out", folder, "--quiet"], { cwd });
    await runCli(["export", await newestRun(), "--out", join(folder, "run.md")], { cwd });
    const prose = readdirSync(folder).filter((name) => /\.(?:md|txt)$/.test(name));
    expect(prose).toContain("run.md");
    for (const name of prose) expect(readFileSync(join(folder, name), "utf8"), name).not.toMatch(steers);
  });
});

it.each([
  ["logs parse", ["rca", "parse", "logs"]],
  ["logs parse as CSV", ["rca", "parse", "logs", "--format", "csv"]],
  ["kg import", ["kg", "import", "incidents.json"]],
  ["kg list", ["kg", "list"]],
  ["kg show", ["kg", "show", "own-1"]],
  ["runs", ["runs"]],
  ["an unknown command", [attack]],
  ["a missing file", ["rca", "parse", `no such ${file}`]],
  ["a wrong setting", ["ask", "Why?", "--set", `${attack}=1`]],
  ["an unknown run", ["show", attack]],
])("%s", async (_name, args) => {
  await expectSafe(args.map((arg) => arg.replaceAll("\u0000", "")));
});

it("keeps the colours of a report that holds no attack", async () => {
  const { out } = await runCli(["sentiment", "The battery is great but the screen is bad."], { cwd, color: true });
  expect(out).toContain("\u001B[");
});
