import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, type Ran, runCli, spawnCli } from "./support/cli.ts";
import { startModelServer } from "./support/model-server.ts";

const texts = [
  "The food was great but the service was slow.",
  "포장은 꼼꼼한데 향이 너무 약해요.",
  "Not a bad phone, though the battery dies by noon.",
  "그냥 그래요.",
  "I expected more of the camera.",
  "",
  "Lovely room, rude staff.",
];

function writeTexts(cwd: string): void {
  writeFileSync(join(cwd, "texts.csv"), ["id,text", ...texts.map((text, n) => `t${n},"${text}"`)].join("\n"));
}

/** A file without what differs from run to run: ids and times. */
function readPlain(file: string): string {
  return readFileSync(file, "utf8")
    .replaceAll(/"(?:run|run_id)":"[^"]*"/g, '"run":""')
    .replaceAll(/"(?:wall_ms|started_at|startedMs|durationMs|elapsedMs)":[^,}]*/g, '"ms":0');
}

async function expectCode(code: number, args: string[], cwd: string): Promise<Ran> {
  const ran = await runCli(args, { cwd });
  expect(ran.code, `${args.join(" ")}\n${ran.err}`).toBe(code);
  return ran;
}

/** A pack that says the text again; some texts do other things to whoever plays it. */
const echoes = `import { existsSync } from "node:fs";
import { definePack, defineRole } from "parley";
import * as z from "zod";
const role = defineRole({
  name: "echo",
  reply: z.strictObject({ said: z.string() }),
  prompt: ({ text }: { text: string }) => ({ instructions: "Say it again.", blocks: [{ label: "TEXT", text }], own: [] }),
  async expert({ text }: { text: string }) {
    if (text === "boom") throw new Error("lost the thread");
    if (text === "exit") process.exit(9);
    while (text === "wait" && !existsSync("go")) await new Promise((next) => setTimeout(next, 5));
    return { said: text };
  },
});
export default definePack({
  name: "echoes",
  summary: "Says it again.",
  input: z.strictObject({ text: z.string() }),
  config: z.strictObject({}),
  decision: z.strictObject({ said: z.string() }),
  roles: () => [role],
  async protocol(debate, { text }) {
    return { outcome: "decided", reasons: [], decision: await debate.ask(role, { text }) };
  },
});
`;

describe("--jobs", () => {
  it("gives the same bytes in the same order, and runs that verify and were stored in full", async () => {
    const [one, many] = [newFolder(), newFolder()];
    const line = ["sentiment", "texts.csv", "--skip-bad", "--out", "out"];
    for (const cwd of [one, many]) writeTexts(cwd);
    const alone = await expectCode(0, line, one);
    expect(await expectCode(0, [...line, "--jobs", "2"], many)).toEqual(alone);
    const names = readdirSync(join(one, "out"), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(names.length).toBeGreaterThan(2);
    for (const { parentPath, name } of names) {
      const file = join(parentPath, name);
      expect(readPlain(file.replace(one, many)), name).toBe(readPlain(file));
    }
    expect((await expectCode(0, ["verify", "--all"], many)).out).toMatch(/0 with something wrong/);
    const entriesOf = async (cwd: string): Promise<number> =>
      (JSON.parse((await expectCode(0, ["store", "info", "--json"], cwd)).out) as { entries: number }).entries;
    expect(await entriesOf(many)).toBe(await entriesOf(one));
  });

  it("a case that fails is a result in its place, and the rest is done", async () => {
    const outs = await Promise.all(
      [[], ["--jobs", "2"]].map(async (more) => {
        const cwd = newFolder();
        const lines = ['{"question": "Which way?"}', '{"question": 7}', "{", '{"question": "Why not?"}'];
        writeFileSync(join(cwd, "cases.jsonl"), lines.join("\n"));
        const { err } = await expectCode(
          3,
          ["run", "question", "--input", "cases.jsonl", "--out", "out.jsonl", ...more],
          cwd,
        );
        return [readPlain(join(cwd, "out.jsonl")).replaceAll(cwd, ""), err];
      }),
    );
    expect(outs[1]).toEqual(outs[0]);
    expect(outs[0]?.[0]?.match(/"outcome":"error"/g)).toHaveLength(2);
  });

  it("is refused in words where models or workers play, and nothing is asked", async () => {
    const server = await startModelServer();
    const cwd = newFolder();
    writeTexts(cwd);
    const config = `endpoints:\n  - name: compatible\n    base_url: ${server.baseUrl}\n`;
    writeFileSync(join(cwd, "parley.config.yaml"), config);
    const line = ["sentiment", "texts.csv", "--skip-bad", "--jobs", "2"];
    const { err } = await expectCode(2, [...line, "--cast", "expert,tan=compatible/m"], cwd);
    expect(err).toMatch(
      /--jobs 2 is for debates in which programs play every role, and the cast is expert,tan=compatible\/m/,
    );
    expect(server.seen).toEqual([]);
    await server.close();
    expect((await expectCode(2, [...line, "--jobs", "0"], cwd)).err).toMatch(/1 or more/);
  });

  describe("with a pack of the user's own", () => {
    const run = (cwd: string, cases: string[], more: string[] = []) => {
      writeFileSync(join(cwd, "echoes.ts"), echoes);
      writeFileSync(join(cwd, "cases.jsonl"), cases.map((text) => JSON.stringify({ text })).join("\n"));
      return spawnCli(["run", "./echoes.ts", "--input", "cases.jsonl", "--jobs", "2", ...more], { cwd });
    };
    const saidIn = (out: string): unknown[] => [...out.matchAll(/"said":"(\w+)"/g)].map((match) => match[1]);

    it("a program that fails fails its case, and one that ends its thread is said", async () => {
      const failing = await run(newFolder(), ["one", "boom", "three"]).ran;
      expect(failing).toMatchObject({ code: 3, err: expect.stringContaining("lost the thread") });
      expect(saidIn(failing.out)).toEqual(["one", "three"]);
      const ended = await run(newFolder(), ["exit", "one"]).ran;
      expect(ended.err).toContain("a thread of --jobs ended by itself");
      expect(ended.code).not.toBe(0);
    });

    it("a signal stops threads in the middle of a debate; what was done is kept, the rest is played again", async () => {
      const cwd = newFolder();
      const { child, ran } = run(cwd, ["one", "wait"]);
      child.stdout?.once("data", () => child.kill("SIGINT"));
      expect(await ran).toMatchObject({ code: 130, err: expect.stringContaining("Run the same line again") });
      writeFileSync(join(cwd, "go"), "");
      const again = await run(cwd, ["one", "wait"]).ran;
      expect(again).toMatchObject({ code: 0, err: expect.stringContaining("1 done before") });
      expect(saidIn(again.out)).toEqual(["one", "wait"]);
    });
  });
});
