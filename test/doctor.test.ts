import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";
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
    expect(out).toMatch(/–\s+compatible\s+http:\/\/127.*not asked: --online compatible\/MODEL asks it/);
    expect(out).toMatch(/–\s+ollama\s+http:\/\/127.*not asked: --online ollama\/MODEL asks it/);
    expect(server.seen).toHaveLength(0);
  });

  it("--online makes one small call", async () => {
    const { out } = await runCli(["doctor", "--online", "compatible/m"], { env: { PARLEY_BASE_URL: server.baseUrl } });
    expect(out).toMatch(/ok\s+compatible\/m\s+answered/);
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]?.body.max_tokens ?? server.seen[0]?.body.max_completion_tokens).toBe(1);
  });

  it("a dead endpoint, a bad config and a store that cannot be used are wrong, with exit code 1", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "parley.config.yaml"), "cats: expert\n");
    writeFileSync(join(cwd, "file"), "not a folder");
    const { code, out } = await runCli(["doctor", "--store", "file", "--online", "compatible/m"], {
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
  it("bash completes commands and options", async () => {
    const script = join(newFolder(), "parley.bash");
    writeFileSync(script, (await runCli(["completion", "bash"])).out);
    const complete = (...words: string[]): string =>
      execFileSync(
        "bash",
        [
          "-c",
          `source ${script}; COMP_WORDS=(parley ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}; _parley; echo "\${COMPREPLY[*]}"`,
        ],
        { encoding: "utf8" },
      ).trim();
    expect(complete("red")).toBe("redecide");
    expect(complete("ask", "--pro")).toBe("--protocol");
  });

  it.each(["zsh", "fish"])("%s names every command", async (shell) => {
    const { out } = await runCli(["completion", shell]);
    for (const name of ["ask", "redecide", "verify"]) expect(out).toContain(name);
  });
});
