import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanEnv, cliCommand, newFolder, runCli } from "./support/cli.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

describe("parley doctor", () => {
  it("says what is set up, what is not, and how to mend it; makes no call", async () => {
    const { code, out } = await runCli(["doctor"], { env: { PARLEY_BASE_URL: server.baseUrl } });
    expect(code).toBe(0);
    expect(out).toMatch(/ok\s+node\s+v24/);
    expect(out).toMatch(/openai\s+not set up\n\s+→ set OPENAI_API_KEY/);
    expect(out).toMatch(/–\s+compatible\s+http:\/\/127.*not asked: --cast compatible\/MODEL asks it/);
    expect(out).toMatch(/–\s+ollama\s+http:\/\/127.*not asked: --cast ollama\/MODEL asks it/);
    expect(server.seen).toHaveLength(0);
  });

  it("--cast makes one small call", async () => {
    const { out } = await runCli(["doctor", "--cast", "compatible/m"], { env: { PARLEY_BASE_URL: server.baseUrl } });
    expect(out).toMatch(/ok\s+compatible\/m\s+answered as asked in \d+ ms, usage reported/);
    expect(server.seen).toHaveLength(1);
  });

  it("--cast asks each model of a cast once, and says how to set what its endpoint refuses", async () => {
    const picky = await startModelServer({
      respond: (request) =>
        request.seed === undefined
          ? { content: 'Sure: {"reason": "ready", "ok": true}', usage: null }
          : { raw: { status: 400, body: '{"error":{"message":"seed is not supported"}}' } },
    });
    const env = { PARLEY_BASE_URL: picky.baseUrl, PARLEY_TRUST: "1" };
    const cast = "expert,judge=compatible/m,critic*=compatible/m";
    const refused = await runCli(["doctor", "--cast", cast], { env });
    expect(refused.code).toBe(1);
    expect(refused.out.match(/WRONG +compatible\/m/g)).toHaveLength(1);
    expect(refused.out).toContain("→ under `endpoints` set seed: false for it");
    const cwd = newFolder();
    const endpoint = `{ name: compatible, base_url: "${picky.baseUrl}", seed: false }`;
    writeFileSync(join(cwd, "parley.config.yaml"), `endpoints: [${endpoint}]\n`);
    const { out } = await runCli(["doctor", "--cast", cast], { cwd, env });
    await picky.close();
    expect(out).toMatch(/–\s+compatible\/m\s+answered differently in \d+ ms, usage not reported/);
  });

  it("--cast of Anthropic and Google: their own APIs", async () => {
    const env = {
      ANTHROPIC_API_KEY: "key",
      ANTHROPIC_BASE_URL: server.baseUrl,
      GEMINI_API_KEY: "key",
      GOOGLE_GENERATIVE_AI_BASE_URL: server.baseUrl,
    };
    const { out } = await runCli(["doctor", "--cast", "anthropic/claude-sonnet-5,a=google/gemini-2.5-flash"], { env });
    expect(out).toMatch(/ok\s+anthropic\/claude-sonnet-5\s+answered as asked.*usage reported/);
    expect(out).toMatch(/ok\s+google\/gemini-2.5-flash\s+answered as asked/);
  });

  it("a dead endpoint, a bad config and a store that cannot be used are wrong, with exit code 1", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "parley.config.yaml"), "cats: expert\n");
    writeFileSync(join(cwd, "file"), "not a folder");
    const { code, out } = await runCli(["doctor", "--store", "file", "--cast", "compatible/m"], {
      cwd,
      env: { PARLEY_BASE_URL: "http://127.0.0.1:9/v1" },
    });
    expect(code).toBe(1);
    expect(out).toMatch(/WRONG\s+configuration.*did you mean "cast"/);
    expect(out).toMatch(/WRONG\s+store/);
    expect(out).toMatch(/WRONG\s+compatible\/m/);
  });
});

describe("parley completion", () => {
  const bin = newFolder();
  const env = { ...cleanEnv(), PATH: `${bin}:${process.env.PATH ?? ""}`, HOME: bin };
  writeFileSync(join(bin, "parley"), `#!/bin/sh\nexec ${cliCommand.join(" ")} "$@"\n`, { mode: 0o755 });

  it.each([
    [["redec"], ["redecide"]],
    [["ask", "--proto"], ["--protocol"]],
    [
      ["study", "ju"],
      ["jury", "judges"],
    ],
    [["runs", "--outcome", "esc"], ["escalated"]],
  ])("%j completes to %j", async (given, expected) => {
    const { out } = await runCli(["completion", "bash", "--words", ...given.map((word) => `=${word}`)]);
    expect(out.trim().split("\n")).toEqual(expected);
  });

  const shells: Record<string, string> = {
    bash: `source <(parley completion bash); COMP_WORDS=(parley redec); COMP_CWORD=1; _parley; printf '%s\\n' "\${COMPREPLY[@]}"`,
    fish: 'source (parley completion fish | psub); complete -C "parley redec"',
  };
  it.each(Object.keys(shells))("%s, with its script loaded, completes commands", (shell) => {
    const isThere = spawnSync(shell, ["-c", "true"]).status === 0;
    if (!isThere) return console.log(`skipped: there is no ${shell} on this machine`);
    expect(execFileSync(shell, ["-c", shells[shell] ?? ""], { env, encoding: "utf8" }).trim()).toBe("redecide");
  });

  it.each([
    ["zsh", "compdef _parley parley"],
    ["fish", "complete -c parley"],
  ])("the script of %s registers itself", async (shell, line) => {
    expect((await runCli(["completion", shell])).out).toContain(line);
  });
});
