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
    expect(out).toMatch(
      /ok\s+compatible\/m\s+answered as asked in \d+ ms, schema strict, streaming yes, seed taken, usage told/,
    );
    expect(server.seen).toHaveLength(1);
  });

  it("--cast asks each model of a cast once and says what its endpoint supports, or how to set what it refuses", async () => {
    const picky = await startModelServer({
      respond: (request) => {
        const refused = request.seed !== undefined ? "seed" : request.stream ? "stream" : null;
        if (refused !== null)
          return { raw: { status: 400, body: `{"error":{"message":"${refused} is not supported"}}` } };
        return { content: 'Sure: {"reason": "ready", "ok": true}', usage: null };
      },
    });
    const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: picky.baseUrl, PARLEY_BASE_URL: picky.baseUrl };
    const cast = "expert,judge=compatible/m,critic*=compatible/m";
    const { out, code } = await runCli(["doctor", "--cast", cast], { env });
    await picky.close();
    expect(code).toBe(0);
    expect(out.match(/compatible\/m/g)).toHaveLength(1);
    expect(out).toMatch(/–\s+compatible\/m\s+answered otherwise.*streaming no, seed refused, usage not told.*3 calls/);
    expect(out).toMatch(/→ under `endpoints` set stream: off, seed: false for it/);
  });

  it("--cast of Anthropic and Google: their own APIs, without a seed where there is none", async () => {
    const env = {
      ANTHROPIC_API_KEY: "key",
      ANTHROPIC_BASE_URL: server.baseUrl,
      GEMINI_API_KEY: "key",
      GOOGLE_GENERATIVE_AI_BASE_URL: server.baseUrl,
    };
    const { out } = await runCli(["doctor", "--cast", "anthropic/claude-sonnet-5,a=google/gemini-2.5-flash"], { env });
    expect(out).toMatch(
      /ok\s+anthropic\/claude-sonnet-5\s+answered as asked.*schema strict.*seed not offered, usage told/,
    );
    expect(out).toMatch(/ok\s+google\/gemini-2.5-flash\s+answered as asked.*seed taken/);
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
  const cwd = newFolder();
  const bin = newFolder();
  const env = { ...cleanEnv(), PATH: `${bin}:${process.env.PATH ?? ""}`, HOME: bin };
  let run = "";
  beforeAll(async () => {
    writeFileSync(join(bin, "parley"), `#!/bin/sh\nexec ${cliCommand.join(" ")} "$@"\n`, { mode: 0o755 });
    const { out } = await runCli(["sentiment", "The soup was cold.", "--json"], { cwd });
    run = (JSON.parse(out) as { parley: { run: string } }).parley.run;
  });

  const words = async (...given: string[]): Promise<string[]> => {
    const { out } = await runCli(["completion", "bash", "--words", ...given.map((word) => `=${word}`)], { cwd });
    return out.trim().split("\n");
  };

  it.each([
    [["redec"], ["redecide"]],
    [["ask", "--proto"], ["--protocol"]],
    [
      ["run", ""],
      ["sentiment", "law", "question", "root-cause"],
    ],
    [
      ["export", "x", "--format", ""],
      ["json", "jsonl", "md", "html"],
    ],
    [["sentiment", "--set", "neutral_policy=e"], ["neutral_policy=explicit"]],
    [
      ["sentiment", "--set", "debate.sty"],
      ["debate.style=", "debate.style=patch", "debate.style=stance"],
    ],
    [["runs", "--pack", "l"], ["law"]],
    [
      ["ask", "--cast", "o"],
      ["openai/", "openai-responses/", "ollama/"],
    ],
    [["study", "com"], ["compare"]],
  ])("%j completes to %j", async (given, expected) => {
    expect(await words(...given)).toEqual(expected);
  });

  it("completes run ids, a run's settings and its steps", async () => {
    expect(await words("redecide", run.slice(0, 6))).toContain(run);
    expect(await words("redecide", run, "--set", "debate_override.min_t")).toEqual([
      "debate_override.min_total=",
      "debate_override.min_target_conf=",
    ]);
    expect(await words("branch", run, "--from", "1/e")).toEqual(["1/epm"]);
  });

  const shells: Record<string, (line: string[]) => string> = {
    bash: (line) =>
      `source <(parley completion bash); COMP_WORDS=(parley ${line.join(" ")}); COMP_CWORD=${line.length}; _parley; printf '%s\\n' "\${COMPREPLY[@]}"`,
    fish: (line) => `source (parley completion fish | psub); complete -C "parley ${line.join(" ")}"`,
  };
  it.each(Object.keys(shells))("%s, with its script loaded, completes commands, run ids and settings", (shell) => {
    const isThere = spawnSync(shell, ["-c", "true"]).status === 0;
    if (!isThere) return console.log(`skipped: there is no ${shell} on this machine`);
    const complete = (...line: string[]): string[] =>
      execFileSync(shell, ["-c", shells[shell]?.(line) ?? ""], { cwd, env, encoding: "utf8" })
        .trim()
        .split("\n");
    expect(complete("redec")).toEqual(["redecide"]);
    expect(complete("show", run.slice(0, 8))).toContain(run);
    expect(complete("sentiment", "--set", "neutral_pol")).toContain("neutral_policy=mention");
  });

  it("bash, which splits words at the equals sign, completes the value behind it", () => {
    const script = `source <(parley completion bash); COMP_WORDS=(parley sentiment --set neutral_policy = m); COMP_CWORD=5; _parley; echo "\${COMPREPLY[*]}"`;
    expect(execFileSync("bash", ["-c", script], { cwd, env, encoding: "utf8" }).trim()).toBe("mention");
  });

  it.each([
    ["zsh", "compdef _parley parley"],
    ["fish", "complete -c parley"],
  ])("the script of %s registers itself", async (shell, line) => {
    expect((await runCli(["completion", shell])).out).toContain(line);
  });
});
