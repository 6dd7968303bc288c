import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";
import { misbehaviours } from "./support/model-server-misbehaviour.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

const key = "sk-canary-5up3r53cr3t-0123456789abcdef";
let server: ModelServer;
let misbehave: string | null = null;

beforeAll(async () => {
  server = await startModelServer({
    // A hostile endpoint that sends the key back in what it says.
    respond: (request, index) => {
      const misbehaviour = misbehaviours.find((one) => one.name === misbehave);
      if (misbehaviour) return misbehaviour.answer("{}", request);
      if (index === 0) return { raw: { status: 401, body: JSON.stringify({ error: { message: `bad key ${key}` } }) } };
      return { value: { answer: "yes", reasoning: "so", confidence: 1, quotes: [] } };
    },
  });
});
afterAll(() => server.close());

it("a key in the environment appears in no journal, log, error, export or transcript", async () => {
  const cwd = newFolder();
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: server.baseUrl };
  const ask = ["ask", "Is it?", "--cast", "openai/gpt-5-mini", "--protocol", "single", "--json"];
  const outputs = [await runCli(ask, { cwd, env }), await runCli(ask, { cwd, env })];
  expect(outputs.map((one) => one.code)).toEqual([1, 0]);
  expect(server.seen[0]?.headers.authorization).toContain(key);
  for (const name of ["html", "status 500", "malformed json"]) {
    misbehave =
      misbehaviours.find((one) => one.name.toLowerCase().includes(name.split(" ").at(-1) ?? ""))?.name ?? null;
    // What would be tried again for long is not waited for.
    outputs.push(await runCli([...ask, "--budget", "time=1s"], { cwd, env }));
  }
  const ids = (await runCli(["runs"], { cwd, env })).out
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "")
    .filter(Boolean);
  for (const id of ids) {
    outputs.push(await runCli(["show", id, "--json"], { cwd, env }), await runCli(["export", id], { cwd, env }));
    outputs.push(await runCli(["show", id], { cwd, env }), await runCli(["show", id, "--turn"], { cwd, env }));
  }
  for (const { out, err } of outputs) expect(out + err).not.toContain(key);
  for (const file of readdirSync(join(cwd, ".parley")))
    expect(readFileSync(join(cwd, ".parley", file), "latin1")).not.toContain(key);
});
