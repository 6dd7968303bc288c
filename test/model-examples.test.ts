import { describe, expect, test } from "vitest";
import { buildJsonSchema, buildRequest, renderPrompt } from "../src/engine/prompt.ts";
import { listExamples, listExampleSayings } from "../src/engine/read-reply.ts";
import { readReply } from "../src/engine/read-reply.ts";
import { idOf, type SampledTurn, sampleTurns } from "./abuse/sampled-turns.ts";

const turns = await sampleTurns(2);
const packsWithExamples = new Set(["sentiment", "law", "question", "root-cause"]);
const named = turns.map((turn, at) => [`${idOf(turn)} ${at}`, turn] as const);

/** What the organisers wrote for a turn: its instructions and its own texts. */
function listWritten({ role, input }: SampledTurn): string[] {
  const { instructions, own } = role.prompt(input);
  return [instructions, ...own.flatMap((block) => ("text" in block ? [block.text] : []))];
}

/** The JSON of a prompt's worked examples. */
function readExamples(turn: SampledTurn): Record<string, unknown>[] {
  const lines = listWritten(turn).flatMap(listExamples).join("\n").split("\n");
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The keys of every object inside a value, as `read` sees them. */
function listKeys(value: unknown, read: (value: object) => unknown): string[][] {
  if (value === null || typeof value !== "object") return [];
  const own = Array.isArray(value) ? null : read(value);
  const inner = Object.values(value).flatMap((one) => listKeys(one, read));
  return own !== null && typeof own === "object" ? [Object.keys(own), ...inner] : inner;
}

function isInOrder(keys: readonly string[], order: readonly string[]): boolean {
  const places = keys.map((key) => order.indexOf(key));
  return places.every((place, at) => place > (places[at - 1] ?? -1));
}

/** The problems that a reply in words would have, by code. */
function readCodes({ role, input }: SampledTurn, reply: unknown): string[] {
  const given = { reply: { text: JSON.stringify(reply) }, finish: "stop" };
  return readReply(role, input, buildRequest(role, input), given).problems.map(({ code }) => code);
}

/** A copy of a reply in which the last text that is long enough to be prose says something else; null when it has none. */
function sayInstead(reply: object, saying: string): unknown {
  let last: string | null = null;
  const find = (value: unknown): void => {
    if (typeof value === "string") last = value.split(/\s+/).length >= 3 ? value : last;
    else if (value !== null && typeof value === "object") Object.values(value).forEach(find);
  };
  find(reply);
  if (last === null) return null;
  return JSON.parse(JSON.stringify(reply), (_, value: unknown) => (value === last ? saying : value)) as unknown;
}

describe("the worked examples", () => {
  const shown = named.filter(([, { pack }]) => packsWithExamples.has(pack));
  test.each(shown)("%s is shown one, marked as an example", (_, turn) => {
    expect(readExamples(turn).length).toBeGreaterThan(0);
    const text = renderPrompt(turn.role.prompt(turn.input))
      .own.concat(listWritten(turn)[0] ?? "")
      .join("\n");
    expect(text).toMatch(/^## (?:Example|Contoh|예시)/m);
  });

  test.each(named)("%s: its example has the keys of its reply, in their order", (_, turn) => {
    const orders = listKeys(buildJsonSchema(turn.role.reply), (value) => "properties" in value && value.properties);
    const isFitting = (keys: string[]): boolean => orders.some((order) => isInOrder(keys, order));
    const strays = readExamples(turn).map((example) =>
      listKeys(example, (value) => value).filter((keys) => !isFitting(keys)),
    );
    // Instructions that several roles share have an example for each of them.
    if (strays.length > 0) expect(strays).toContainEqual([]);
  });

  test.each(named)("%s: a reply that repeats what its example says is a problem", (_, turn) => {
    for (const { text: saying } of listExampleSayings(turn.role.prompt(turn.input)))
      for (const copied of [saying, saying.toUpperCase(), `As was said: ${saying} And so on.`]) {
        const reply = sayInstead(turn.reply, copied);
        if (reply !== null)
          expect([copied, readCodes(turn, reply)]).toEqual([copied, expect.arrayContaining(["example"])]);
      }
  });

  test.each(named)("%s: its expert's reply, in words, is no copy", (_, turn) => {
    expect(readCodes(turn, turn.reply).filter((code) => ["example", "echo", "placeholder"].includes(code))).toEqual([]);
  });
});

test("the places in an example are those of its text", () => {
  let checked = 0;
  for (const turn of turns)
    for (const text of listWritten(turn).flatMap(listExamples)) {
      const shown = /"((?:The handle)[^"]*)"/.exec(listWritten(turn).join("\n"))?.[1] ?? "";
      for (const [, term = "", start, end] of text.matchAll(
        /"term": "([^"]+)", "span": \{"start": (\d+), "end": (\d+)\}/g,
      )) {
        expect(shown.slice(Number(start), Number(end))).toBe(term);
        checked += 1;
      }
    }
  expect(checked).toBeGreaterThan(3);
});

test("what the case says as well is no copy of the example", () => {
  const turn = turns.find(({ pack, role }) => pack === "question" && role.name === "analyst");
  if (!turn) throw new Error("no speaker was sampled");
  const prompt = turn.role.prompt(turn.input);
  const saying = listExampleSayings(prompt).find(({ text }) => text.includes("41 metres tall"))?.text ?? "";
  const reply = { reply: { text: JSON.stringify(sayInstead(turn.reply, saying)) }, finish: "stop" };
  const codes = (blocks: typeof prompt.blocks) => {
    const role = { ...turn.role, prompt: () => ({ ...prompt, blocks }) };
    return readReply(role, turn.input, buildRequest(role, turn.input), reply).problems.map(({ code }) => code);
  };
  expect(codes(prompt.blocks)).toContain("example");
  expect(codes([...prompt.blocks, { label: "DOCUMENT 1", text: `It is old. ${saying}` }])).not.toContain("example");
});
