import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { numberRole } from "../../test/support/toy.ts";
import { findJson, findRepeatedKey, repairJson } from "./mend-reply.ts";
import { readReply } from "./read-reply.ts";
import { buildRequest } from "./prompt.ts";
import { defineRole } from "./role.ts";
import { describeProblem } from "../contract/turn.ts";

const role = numberRole("a");
const input = { question: "How many?", heard: [] };
const sent = buildRequest(role, input);
const read = (text: string, finish: string | null = "stop") =>
  readReply(role, input, sent, { reply: { text }, finish });

describe("what is read", () => {
  it.each([
    ["plain JSON", '{"value": 3}'],
    ["a byte order mark and white space", '\uFEFF  {"value": 3}\n'],
    ["prose around JSON", 'Sure! Here it is: {"value": 3} Hope that helps.'],
    ["a fenced block", '```json\n{"value": 3}\n```'],
    ["braces in the prose", 'Use {curly} braces. {"value": 3}'],
    ["the same reply twice", '{"value": 3}\n{"value": 3}'],
    ["a draft in its thoughts", '<think>{"value": 2}? No.</think>\n{"value": 3}'],
    ["a draft in thoughts that a template opened", 'Say {"value": 2}? No.\n</think>\n\n```json\n{"value": 3}\n```'],
    ["the call of a tool", '<tool_call>{"name": "reply", "arguments": {"value": 3}}</tool_call>'],
    ["a call with its arguments as a string", '{"name": "reply", "arguments": "{\\"value\\": 3}"}'],
    ["a call as the chat API writes it", '{"type": "function", "function": {"name": "r", "parameters": {"value": 3}}}'],
    ["one fitting and one other object", '{"thought": "hm"} {"value": 3}'],
  ])("%s", (_name, text) => expect(read(text)).toEqual({ value: { value: 3 }, problems: [], mends: [] }));
});

describe("what has one meaning only is mended, and it is said", () => {
  it.each([
    ["a number as text", '{"value": " 3 "}', "value: a number was given as text"],
    ["an unknown key", '{"value": 3, "role": "judge"}', "role: an unknown key was dropped"],
    ["a key of the prototype", '{"value": 3, "__proto__": {"value": 4}}', "__proto__: an unknown key was dropped"],
    ["a list of one", '[{"value": 3}]', "a list of one that wrapped the reply was removed"],
    ["a wrapper", '{"response": {"value": 3}}', 'the key "response" that wrapped the reply was removed'],
    ["a trailing comma", '{"value": 3,}', "the JSON was repaired: commas, quotes, comments or line breaks"],
    ["single quotes", "```json\n{'value': 3}\n```", "the JSON was repaired: commas, quotes, comments or line breaks"],
    ["a comment", '{"value": 3 // as asked\n}', "the JSON was repaired: commas, quotes, comments or line breaks"],
  ])("%s", (_name, text, mend) => expect(read(text)).toEqual({ value: { value: 3 }, problems: [], mends: [mend] }));

  const list = defineRole({
    name: "lister",
    reply: z.strictObject({
      items: z.array(z.strictObject({ kind: z.enum(["good", "very_bad"]), why: z.string().nullable() })),
      sure: z.number().min(0).max(1),
      done: z.boolean(),
    }),
    prompt: () => ({ instructions: "List.", blocks: [], own: [] }),
  });
  const readList = (text: string) => readReply(list, {}, buildRequest(list, {}), { reply: { text }, finish: "stop" });

  it("missing and null lists, missing nullables, enums by case and spacing, booleans as text", () => {
    expect(readList('{"sure": 0.5, "done": "False"}').value).toEqual({ items: [], sure: 0.5, done: false });
    expect(readList('{"items": null, "sure": 0.5, "done": true}').value).toMatchObject({ items: [] });
    const { value, mends } = readList('{"items": [{"kind": "Very bad"}], "sure": ".5", "done": true}');
    expect(value).toEqual({ items: [{ kind: "very_bad", why: null }], sure: 0.5, done: true });
    expect(mends).toHaveLength(3);
  });

  it.each([
    ["an unknown enum", '{"items": [{"kind": "bad", "why": null}], "sure": 0.5, "done": true}', "bad_item"],
    ["a number out of range", '{"items": [], "sure": "1.5", "done": true}', "schema"],
    ["a number with words", '{"items": [], "sure": "0.5 or so", "done": true}', "schema"],
    [
      "two different objects",
      '[{"items": [], "sure": 0.1, "done": true}, {"items": [], "sure": 0.2, "done": true}]',
      "schema",
    ],
    ["a reply that was cut off", '{"items": [], "sure": 0.5, "done": tr', "schema"],
    ["a list that was cut off", '{"items": [{"kind": "good", "why": null}, {"kind": "good", "why": null}', "schema"],
    ["an ellipsis", '{"items": [...], "sure": 0.5, "done": true}', "no_json"],
  ])("what has two meanings is never guessed: %s", (_name, text, code) =>
    expect(readList(text).problems.map((one) => one.code)).toContain(code),
  );

  it("a list that was cut off is not completed", () => {
    const only = defineRole({
      name: "lister",
      prompt: list.prompt,
      reply: z.strictObject({ items: z.array(z.strictObject({ n: z.number() })) }),
    });
    const text = '{"items": [{"n": 1}, {"n": 2}';
    const { value } = readReply(only, {}, buildRequest(only, {}), { reply: { text }, finish: "stop" });
    expect(value).toBeNull();
  });

  it("a key that may be meant for a missing one is not dropped, and both are told", () => {
    const { value, problems } = readList('{"item": [], "sure": 1, "done": true}');
    expect(value).toBeNull();
    expect(problems.map(describeProblem).join(" ")).toMatch(/`items`: missing.*item/);
  });

  it("of two shapes that a reply could be mended to neither is guessed", () => {
    const [a, b] = [z.strictObject({ a: z.array(z.string()) }), z.strictObject({ b: z.array(z.string()) })];
    const either = defineRole({ name: "lister", prompt: list.prompt, reply: z.strictObject({ it: z.union([a, b]) }) });
    const { value } = readReply(either, {}, buildRequest(either, {}), {
      reply: { text: '{"it": {}}' },
      finish: "stop",
    });
    expect(value).toBeNull();
  });

  it("an object that could only be mended to a reply is none beside one that is", () => {
    const text = 'An empty {} first, then {"items": [], "sure": 1, "done": true}';
    expect(readList(text).value).toEqual({ items: [], sure: 1, done: true });
    const loose = '{"items": [], "sure": "1", "done": true} and {"items": [], "sure": 0.5, "done": true}';
    expect(readList(loose)).toMatchObject({ value: { sure: 0.5 }, mends: [] });
  });

  it("a bad item of a list costs that item, once a repair did not help", () => {
    const good = { kind: "good", why: null };
    const { value, problems } = readList(JSON.stringify({ items: [good, { kind: "??" }, good], sure: 1, done: true }));
    expect(value).toEqual({ items: [good, good], sure: 1, done: true });
    expect(problems).toMatchObject([{ code: "bad_item", severity: "salvage", path: ["items", 1, "kind"] }]);
  });

  it("a valid reply is never changed", () => {
    const items = fc.array(fc.record({ kind: fc.constantFrom("good", "very_bad"), why: fc.option(fc.string()) }));
    const replies = fc.record({ items, sure: fc.double({ min: 0, max: 1, noNaN: true }), done: fc.boolean() });
    fc.assert(
      fc.property(replies, (reply) => {
        const text = JSON.stringify(reply);
        expect(readList(text)).toMatchObject({ value: JSON.parse(text), mends: [] });
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const mended = repairJson(text);
        if (mended !== null) expect(mended.value).toEqual(JSON.parse(text));
      }),
    );
  });

  it("a raw line break in a text is one", () => {
    const { value, mends } = readList('{"items": [{"kind": "good", "why": "one\n\ttwo"}], "sure": 1, "done": true}');
    expect(value?.items).toEqual([{ kind: "good", why: "one\n\ttwo" }]);
    expect(mends).toEqual(["the JSON was repaired: commas, quotes, comments or line breaks"]);
  });

  it.each(['{"a":["\\\0"x"]}', '{"a":[1],"b":{"c":tru(}}'])(
    "what cannot be mended is no JSON, and no crash: %j",
    (text) => {
      expect(repairJson(text)).toBeNull();
      expect(readList(text).value).toBeNull();
    },
  );

  it("a missing field is named, with what to write there", () => {
    const sent = readList('{"items": []}').problems.map(describeProblem);
    expect(sent).toEqual(["`sure`: missing; write `number`", "`done`: missing; write `boolean`"]);
  });
});

describe("what is a problem, never a default answer", () => {
  it.each([
    ["an empty reply", "", "no_json"],
    ["a refusal", "I cannot help with that.", "refused"],
    ["HTML", "<html><body>502 Bad Gateway</body></html>", "no_json"],
    ["malformed JSON", '{"value": 3', "no_json"],
    ["thoughts without a reply", "<think>I could say 3.</think>", "no_json"],
    [
      "calls of two tools",
      '{"name": "a", "arguments": {"value": 3}} {"name": "b", "arguments": {"value": 4}}',
      "several_replies",
    ],
    [
      "a call whose arguments give a key twice",
      '{"name": "a", "arguments": "{\\"value\\": 3, \\"value\\": 4}"}',
      "repeated_key",
    ],
    ["two different replies", '{"value": 3} or {"value": 4}', "several_replies"],
    ["a key given twice", '{"value": 3, "value": 4}', "repeated_key"],
    ["a number that is none", '{"value": 1e400}', "schema"],
    ["more than anybody would say", `{"value": 3, "note": "${"a".repeat(400_000)}"}`, "too_long"],
    ["a missing field", "{}", "schema"],
    ["an array", "[1, 2]", "schema"],
    ["null", "null", "schema"],
    ["a reply over the limit of check", '{"value": 300}', "too_big"],
  ])("%s", (_name, text, code) => expect(read(text).problems.map((problem) => problem.code)).toContain(code));

  it("a reply cut off at the output limit, even when it parses", () =>
    expect(read('{"value": 3}', "length")).toMatchObject({ value: null, problems: [{ code: "truncated" }] }));
  it("a reply that the provider withheld", () =>
    expect(read("", "content-filter")).toMatchObject({ problems: [{ code: "refused" }] }));
  it("a program's null", () =>
    expect(readReply(role, input, sent, { reply: { value: null }, finish: null })).toMatchObject({
      problems: [{ code: "no_answer" }],
    }));
});

describe("what a problem says", () => {
  it.each([
    ["where the JSON broke", '{"value": 3 = }', /position 12/],
    ["after how much it stopped", '{"value": ', /after 9 characters/],
    ["one line, whatever it quotes", '{"value": "a\\nb"}', /^[^\n]+$/],
  ])("%s", (_name, text, sent) => expect(read(text).problems[0]?.message).toMatch(sent));

  const repeatedIn = (json: string): string | null => findRepeatedKey(json, JSON.parse(json));

  it("which key stands twice", () => {
    expect(repeatedIn('{"list": [1, {"a": {}, "b": "]", "\\u0061": 2}]}')).toBe("a");
    expect(repeatedIn('{"a": {"b": 1}, "c": [{"b": 1}, {"b": 2}], "b": "b"}')).toBeNull();
  });

  it("no key stands twice in what a program writes, however it is indented", () => {
    const indents = fc.constantFrom("", " ", "\t");
    fc.assert(
      fc.property(fc.jsonValue(), indents, (value, indent) => {
        expect(repeatedIn(JSON.stringify(value, null, indent))).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (key, one) => {
        const [name, first] = [key, one].map((part) => JSON.stringify(part));
        expect(repeatedIn(`[0, {"x${name?.slice(1)}: ${first}, ${name}: 1, ${name} : 2}]`)).toBe(key);
      }),
    );
  });
});

it("deep brackets and thousands of openings end at once", () => {
  for (const text of ["[".repeat(300_000), '{"a":'.repeat(60_000)])
    expect(read(text).problems.map(({ code }) => code)).toEqual(["no_json"]);
  const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
  expect(read(`${deep} ${deep}`).problems.map(({ code }) => code)).toEqual(["schema"]);
});

describe("replies that fit the schema and say nothing", () => {
  const instructions =
    "Say why. Name the evidence that you rely on, and say what would make you change your mind about it.";
  const task = `You tune the instrument and say what you heard; do not mend what is whole.
## Example (of another trade)
{"reasoning": "The dough was \\"too wet\\" to rise.", "evidence": ["flour"]}
## Now
Say "the string was old" if it was.`;
  const speaker = defineRole({
    name: "speaker",
    reply: z.strictObject({ reasoning: z.string(), evidence: z.array(z.string()) }),
    prompt: () => ({
      instructions,
      blocks: [{ label: "CASE", text: "The string broke. evidence <b>" }],
      own: [{ label: "TASK", text: task }],
    }),
  });
  const codes = (reply: object) =>
    readReply(speaker, {}, buildRequest(speaker, {}), {
      reply: { text: JSON.stringify(reply) },
      finish: "stop",
    }).problems.map((one) => one.code);
  it.each([
    ["an angle-bracket placeholder", { reasoning: "<your reasoning>", evidence: [] }, ["placeholder"]],
    ["dots", { reasoning: "...", evidence: [] }, ["placeholder"]],
    ["a field's own name", { reasoning: "reasoning", evidence: [] }, ["placeholder"]],
    ["an id that was never given", { reasoning: "It holds.", evidence: ["<source_id>"] }, ["placeholder"]],
    ["the instructions", { reasoning: instructions, evidence: [] }, ["echo"]],
    ["the task", { reasoning: task.split("\n")[0] ?? "", evidence: [] }, ["echo"]],
    ["what the example says", { reasoning: 'The dough was "too wet" to rise.', evidence: [] }, ["example"]],
    ["it in a longer text", { reasoning: "I see. The dough was too wet to rise!", evidence: [] }, ["example"]],
    ["one word of the example", { reasoning: "It was the flour.", evidence: ["flour"] }, []],
    ["what is quoted after the example", { reasoning: "The string was old", evidence: [] }, []],
    ["a word of the case that looks like one", { reasoning: "string", evidence: ["evidence"] }, []],
    ["content", { reasoning: "The string was old.", evidence: ["The string broke."] }, []],
  ])("%s", (_name, reply, expected) => expect(codes(reply)).toEqual(expected));
});

it("extraction finds what was put between any prose, and never throws", () => {
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (before, value, after) => {
      const clean = (text: string): string => text.replaceAll(/[{}[\]"]/g, "");
      const text = `${clean(before)} ${JSON.stringify(value)} ${clean(after)}`;
      expect(findJson(text).map((one) => one.value)).toContainEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void findJson(text)));
});
