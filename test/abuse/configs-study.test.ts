/** Random study files, through the path of `parley study run` up to the plan: no crash, no hang, no accepted lie. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import * as z from "zod";
import { ParleyError } from "../../src/contract/error.ts";
import { createRandom, type Random } from "../../src/text/random.ts";
import { loadPack } from "../../src/packs/registry.ts";
import { castOfStrings } from "../../src/runs/cast.ts";
import { memoryStore } from "../../src/store/sqlite.ts";
import { loadDataset } from "../../src/studies/datasets/load-dataset.ts";
import { planArms } from "../../src/studies/run/plan-arms.ts";
import { parseStudy } from "../../src/studies/run/study-file.ts";
import { type Study, StudySchema } from "../../src/studies/run/study-file.ts";
import type { SchemaNode } from "../support/abuse/json-schema.ts";
import { hostileYaml, misspelt, pick, randomValue, yamlOf } from "../support/abuse/random-values.ts";

vi.setConfig({ testTimeout: 240_000 });
const seed = Number(process.env.PARLEY_ABUSE_SEED ?? 7);
const folder = fileURLToPath(new URL("../../studies/", import.meta.url));
const texts = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(`${folder}${name}`, "utf8"));

/** Reads a study, checks its arms and casts, and loads its data when asked to; a crash passes through. */
async function planned(text: string, withData: boolean): Promise<Study | ParleyError> {
  try {
    const study = parseStudy(text, "study.yaml");
    const pack = await loadPack(study.pack);
    await planArms(study, pack, castOfStrings(memoryStore(), { env: {} }));
    if (withData) await loadDataset(study.dataset, pack, folder);
    return study;
  } catch (error) {
    if (error instanceof ParleyError) return error;
    throw new Error(`crashed on ${text.slice(0, 3_000)}`, { cause: error });
  }
}

function expectSound(done: Study | ParleyError, text: string): void {
  if (!(done instanceof ParleyError)) {
    expect(StudySchema.safeParse(done).error, text).toBeUndefined();
    return;
  }
  expect(["bad_config", "bad_cast", "bad_input", "missing_key", "unknown_run"], done.message).toContain(done.code);
  expect(done.message.length, done.message.slice(0, 300)).toBeLessThan(12_000);
  expect(done.message).not.toMatch(/\[object|undefined|Maximum call stack/);
}

/** A text with one to three edits of the kind that slips of the hand, merges and attackers make. */
function mutated(random: Random, text: string): string {
  let lines = text.split("\n");
  for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits -= 1) {
    if (lines.length < 2) return lines.join("\n");
    const at = Math.floor(random() * lines.length);
    const line = lines[at] ?? "";
    const other = Math.floor(random() * lines.length);
    lines = pick(random, [
      () => lines.toSpliced(at, 1),
      () => lines.toSpliced(at, 0, line),
      () => lines.with(at, lines[other] ?? "").with(other, line),
      () => lines.with(at, `${pick(random, [" ", "  ", "\t", "- "])}${line}`),
      () =>
        lines.with(
          at,
          line.replace(/[\w-]+(?=:)/, (key) => misspelt(random, key)),
        ),
      () => lines.with(at, line.replace(/:\s+.*$/, `: ${pick(random, hostileYaml)}`)),
      () => lines.with(at, line.replace(/[\w.]+\s*$/, pick(random, hostileYaml))),
      () => lines.slice(0, at),
    ])();
  }
  return lines.join("\n");
}

it("1,000 edits of the studies that come with Parley: refused with the place, or a study in the documented ranges", async () => {
  const random = createRandom(seed);
  let accepted = 0;
  for (let i = 0; i < 1_000; i += 1) {
    const text = mutated(random, pick(random, texts));
    const done = await planned(text, i % 20 === 0);
    expectSound(done, text);
    if (!(done instanceof ParleyError)) accepted += 1;
  }
  expect(accepted).toBeGreaterThan(50);
});

it("500 random study files", async () => {
  const schema = z.toJSONSchema(StudySchema, { io: "input", unrepresentable: "any" }) as SchemaNode;
  const random = createRandom(seed + 1);
  for (let i = 0; i < 500; i += 1) {
    const text = yamlOf(randomValue(random, schema, schema, pick(random, [0, 0.02, 0.1]))).replace(
      /"pack": "[^"]*"/,
      `"pack": "${pick(random, ["question", "law", "sentiment", "root-cause", "constructor", "__proto__"])}"`,
    );
    expectSound(await planned(text, false), text);
  }
});

it.each([
  ["a value that contains itself", "config: &c { rounds: *c }"],
  [
    "an alias bomb",
    "config: { a: &a [x,x,x,x,x,x,x,x,x], b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a], c: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b] }",
  ],
  ["endless nesting", `config: { a: ${"[".repeat(5_000)}${"]".repeat(5_000)} }`],
  ["a key that reaches a prototype", "config: { __proto__: { polluted: 1 } }"],
  ["a key given twice", "config: { a: 1, a: 2 }"],
  ["a tag of another language", "config: { a: !!python/object x }"],
])("%s is refused with its place", async (_name, line) => {
  const done = await planned(`study: s\npack: law\ndataset: { path: x.jsonl }\narms: [{ name: a }]\n${line}\n`, false);
  expect(done).toMatchObject({ code: "bad_config", message: expect.stringContaining("study.yaml") });
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
