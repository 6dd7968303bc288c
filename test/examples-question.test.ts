import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

const cwd = fileURLToPath(new URL("../examples/question/", import.meta.url));

type Printed = { answer: string; decided_by: string; parley: { outcome: string } };

/** Runs an example as its first lines say, with the store elsewhere. */
async function ask(question: string, config: string, ...more: string[]): Promise<Printed> {
  const store = join(newFolder(), "store");
  mkdirSync(store);
  const { code, out, err } = await runCli(
    ["ask", question, "--docs", "documents", "--config", config, "--store", store, "--json", ...more],
    { cwd },
  );
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as Printed;
}

describe("examples/question", () => {
  it("the round table of own personas finds the cause", async () => {
    const { answer, decided_by } = await ask("Why was the footbridge closed?", "round-table.yaml");
    expect(answer).toContain("inspectors found cracks");
    expect(decided_by).toBe("program");
  });

  it("the courtroom is decided by its judge", async () => {
    expect((await ask("Why should the ferry be kept?", "courtroom.yaml")).decided_by).toBe("judge");
  });

  it("seven samples agree on a number", async () => {
    const printed = await ask("How many weeks will the repairs take?", "self-consistency.yaml", "--number");
    expect(printed.answer).toBe("9");
  });
});

it("self-consistency over a program says that its agreement with itself means nothing", async () => {
  const { out } = await runCli(
    [
      "ask",
      "How many weeks will the repairs take?",
      "--number",
      "--docs",
      "documents",
      "--config",
      "self-consistency.yaml",
      "--store",
      newFolder(),
    ],
    { cwd },
  );
  expect(out).toMatch(/agreement\s+among\s+the\s+speakers\s+means\s+nothing/);
});
