import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { numberRole } from "../../test/support/toy.ts";
import { extractJson, findRepeatedKey } from "./find-json.ts";
import { readReply } from "./read-reply.ts";
import { buildRequest } from "./prompt.ts";
import { defineRole } from "./role.ts";

const role = numberRole("a");
const input = { question: "How many?", heard: [] };
const told = buildRequest(role, input);
const read = (text: string, finish: string | null = "stop") =>
  readReply(role, input, told, { reply: { text }, finish });

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
  ])("%s", (_name, text) => expect(read(text)).toEqual({ value: { value: 3 }, problems: [] }));
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
    ["the same key of the prototype", '{"value": 3, "__proto__": {"value": 4}}', "schema"],
    ["a number that is none", '{"value": 1e400}', "schema"],
    ["more than anybody would say", `{"value": 3, "note": "${"a".repeat(400_000)}"}`, "too_long"],
    ["a missing field", "{}", "schema"],
    ["a wrong type", '{"value": "3"}', "schema"],
    ["an unknown field", '{"value": 3, "role": "judge"}', "schema"],
    ["an array", "[1, 2]", "schema"],
    ["null", "null", "schema"],
    ["a reply over the limit of check", '{"value": 300}', "too_big"],
  ])("%s", (_name, text, code) => expect(read(text).problems.map((problem) => problem.code)).toContain(code));

  it("a reply cut off at the output limit, even when it parses", () =>
    expect(read('{"value": 3}', "length")).toMatchObject({ value: null, problems: [{ code: "truncated" }] }));
  it("a reply that the provider withheld", () =>
    expect(read("", "content-filter")).toMatchObject({ problems: [{ code: "refused" }] }));
  it("a program's null", () =>
    expect(readReply(role, input, told, { reply: { value: null }, finish: null })).toMatchObject({
      problems: [{ code: "no_answer" }],
    }));
});

describe("what a problem says", () => {
  it.each([
    ["where the JSON broke", '{"value": 3,, }', /position 12/],
    ["after how much it stopped", '{"value": ', /after 9 characters/],
    ["one line, whatever it quotes", '{"value": 3, "a\\nb": 1}', /^[^\n]+$/],
  ])("%s", (_name, text, told) => expect(read(text).problems[0]?.message).toMatch(told));

  it("where a key stands twice", () => {
    const nested = '{"list": [1, {"a": {}, "b": "]", "\\u0061": 2}]}';
    expect(findRepeatedKey(nested)).toEqual(["list", 1, "a"]);
    expect(findRepeatedKey('{"a": {"b": 1}, "c": [{"b": 1}, {"b": 2}], "b": "b"}')).toBeNull();
  });

  it("no key stands twice in what a program writes, however it is indented", () => {
    const indents = fc.constantFrom("", " ", "\t");
    fc.assert(
      fc.property(fc.jsonValue(), indents, (value, indent) => {
        expect(findRepeatedKey(JSON.stringify(value, null, indent))).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (key, one, other) => {
        const [name, first, second] = [key, one, other].map((part) => JSON.stringify(part));
        expect(findRepeatedKey(`[0, {"x${name?.slice(1)}: ${first}, ${name}: 1, ${name} : ${second}}]`)).toEqual([
          1,
          key,
        ]);
      }),
    );
  });

  it("a long quote is cut in its middle", () => {
    const [problem] = read(`{"value": 3, "${"k".repeat(5000)}": 1}`).problems;
    expect(problem?.message.length).toBeLessThan(620);
    expect(problem?.message).toMatch(/^Unrecognized key.* … k+"$/);
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
      expect(extractJson(text)).toContainEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void extractJson(text)));
});
