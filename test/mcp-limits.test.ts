/** What a client of `parley mcp` cannot do: use another cast, lift the owner's budget, see other runs, end the server. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readServerSettings } from "../src/runs/settings.ts";
import { limitBudget } from "../src/server/guard/guard.ts";
import { cleanEnv, cliCommand, newFolder, runCli } from "./support/cli.ts";

type Answer = { isError?: boolean; content: { text: string }[]; structuredContent?: { parley: { run: string } } };

const cwd = newFolder();
let client: Client;
let earlier = "";

async function connect(...options: string[]): Promise<Client> {
  const [command = "", ...args] = cliCommand;
  const made = new Client({ name: "test", version: "0" });
  const stdio = { command, args: [...args, "mcp", ...options], cwd, env: cleanEnv(), stderr: "pipe" as const };
  await made.connect(new StdioClientTransport(stdio));
  return made;
}
const call = async (name: string, given: object, through = client): Promise<Answer> =>
  (await through.callTool({ name, arguments: { ...given } })) as Answer;

beforeAll(async () => {
  writeFileSync(join(cwd, "parley.config.yaml"), "budget:\n  calls: 20\n  usd: 0.5\n");
  const { out } = await runCli(["ask", "Is it?", "--json"], { cwd });
  earlier = (JSON.parse(out) as { parley: { run: string } }).parley.run;
  client = await connect();
});
afterAll(() => client.close());

describe("over stdio", () => {
  it("a cast that the owner did not allow is refused, also one that plays another run again", async () => {
    for (const cast of ["openai/gpt-5-mini", `recording/${earlier}`, "expert,judge=openai/x"]) {
      const { isError, content } = await call("debate_question", { text: "Is it?", cast });
      expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining("--allow-cast")]);
    }
  });

  it("a budget may be lowered, never lifted", async () => {
    const { isError, content } = await call("debate_question", { text: "Is it?", budget: { calls: 21 } });
    expect([isError, content[0]?.text]).toEqual([
      true,
      expect.stringContaining("more than the 20 that the owner allows"),
    ]);
    const { structuredContent } = await call("debate_question", { text: "Is it?", budget: { calls: 5 } });
    const shown = JSON.stringify(await call("show_run", { run: structuredContent?.parley.run }));
    expect(shown).toContain('\\"calls\\": 5');
    expect(shown).toContain('\\"usd\\": 0.5');
  });

  it("a run that was started elsewhere is neither shown nor redecided, unless the owner allows it", async () => {
    for (const [name, given] of [
      ["show_run", { run: earlier }],
      ["show_run", { run: earlier.slice(0, -1) }],
      ["show_run", { run: "" }],
      ["redecide_run", { run: earlier, set: ["protocol=vote"] }],
    ] as const) {
      const { isError, content } = await call(name, given);
      expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/no run ".*" was started here/)]);
    }
    const open = await connect("--set", "mcp_all_runs=true");
    expect((await call("show_run", { run: earlier }, open)).isError).toBeUndefined();
    await open.close();
  });

  it("a message of 11 MB is answered with an error, and the server lives", async () => {
    const text = "x".repeat(11_000_000);
    const { isError, content } = await call("debate_question", { text });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining("at most 8000000 are taken")]);
    expect((await call("debate_question", { text: "Is it?" })).structuredContent?.parley.run).toBeTruthy();
  });
});

describe("the rules", () => {
  it("limit the calls of all debates together also where nobody set anything", () => {
    expect(readServerSettings({}, []).max_calls).toBe(200);
  });

  const budget = fc.record(
    { calls: fc.nat(50), tokens: fc.nat(50), usd: fc.nat(50), wallMs: fc.nat(50) },
    { requiredKeys: [] },
  );
  const names = ["calls", "tokens", "usd", "wallMs"] as const;

  it("whatever is asked for, no limit of the owner is passed or lost", () => {
    fc.assert(
      fc.property(budget, budget, (own, asked) => {
        const lifts = names.some((name) => (asked[name] ?? 0) > (own[name] ?? Infinity));
        if (lifts) {
          expect(() => limitBudget(own, asked)).toThrow(/the owner allows/);
          return;
        }
        const given = limitBudget(own, asked);
        for (const name of names) expect(given[name] ?? Infinity).toBeLessThanOrEqual(own[name] ?? Infinity);
      }),
    );
  });
});
