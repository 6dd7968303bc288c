import { describe, expect, test } from "vitest";
import { type Given, readReply } from "../src/engine/read-reply.ts";
import { buildRequest } from "../src/engine/prompt.ts";
import { buildMessages } from "../src/players/call-model.ts";
import { idOf, type SampledTurn, sampleTurns } from "./abuse/sampled-turns.ts";
import { timesOf } from "./support/share.ts";
import { listStrayWords } from "./support/stray-words.ts";

const sampled = await sampleTurns(8);
const languageOf = ({ role, input }: SampledTurn) => role.prompt(input).language ?? "en";
/** Turns of each role in each language that it is asked in. */
const turns = [...Map.groupBy(sampled, (turn) => `${idOf(turn)} ${languageOf(turn)}`).values()].flatMap((own) =>
  own.slice(0, timesOf({ quick: 1, whole: 2 })),
);
const traits = { structuredOutput: false, schemaInPrompt: true, seed: false, cacheHint: null };
type Path = (string | number)[];
const mostPlaces = timesOf({ quick: 25, whole: 60 });

/** Every place in a value. */
function listPaths(value: unknown, path: Path = []): Path[] {
  const inner =
    value !== null && typeof value === "object"
      ? Object.entries(value).flatMap(([key, one]) =>
          listPaths(one, [...path, Array.isArray(value) ? Number(key) : key]),
        )
      : [];
  return [path, ...inner];
}

/** A copy with the value at a place put in by `change`; undefined takes it out. */
function changeAt(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return change(value);
  const copy = structuredClone(value) as Record<string | number, unknown>;
  const changed = changeAt(copy[first], rest, change);
  if (changed === undefined) delete copy[first];
  else copy[first] = changed;
  return copy;
}

const damages: ((old: unknown) => unknown)[] = [
  () => undefined,
  () => "",
  () => "zzz-999",
  () => "x".repeat(20_001),
  () => 17,
  () => null,
  () => [],
  (old) => (Array.isArray(old) ? [...old, ...old] : (old ?? 3)),
  (old) => (Array.isArray(old) ? Array.from({ length: 201 }, () => old[0]) : old),
  (old) => (old !== null && typeof old === "object" && !Array.isArray(old) ? { ...old, surplus: 1 } : old),
];

/** Replies that are wrong in every way that is told: how they ended, as JSON, by the schema, and by the role's own checks. */
function listWrongReplies({ reply }: SampledTurn): Given[] {
  const whole = JSON.stringify(reply);
  const said = (text: string, finish = "stop"): Given => ({ reply: { text }, finish });
  const endings = ["content-filter", "reasoning-only"].map((finish) => said("Hm.", finish));
  const cut = { ...said(whole, "length"), outputLimit: 99 };
  const broken = ["", "Hm.", whole.slice(0, -2), `${whole} {"a": 1`, `{"a": 1, "a": 2}`, "x".repeat(400_001)].map(
    (text) => said(text),
  );
  const damaged = listPaths(reply)
    .slice(0, mostPlaces)
    .flatMap((path) => damages.map((change) => said(JSON.stringify(changeAt(reply, path, change)) ?? "")));
  return [cut, said(whole, "length"), ...endings, ...broken, ...damaged];
}

/** What is told in a repair, without what it quotes of the reply. */
function writeRepair({ role, input }: SampledTurn, given: Given): { shown: string; problems: number } {
  const shown = buildRequest(role, input);
  const { problems } = readReply(role, input, shown, given);
  const { messages } = buildMessages({ ...shown, repair: { raw: "", problems } }, traits, "");
  const [asked, quoted, repair] = messages.slice(-3).map(({ content }) => JSON.stringify(content));
  const format = asked?.slice(asked.lastIndexOf("```")) ?? "";
  return {
    shown: [format, quoted, repair].join("\n").replaceAll('\\"', '"').replaceAll("\\n", "\n"),
    problems: problems.length,
  };
}

describe.each([...Map.groupBy(turns, idOf)])("%s", (_, own) => {
  test("a repair speaks the language of its prompt, whatever was wrong", () => {
    let problems = 0;
    for (const turn of own) {
      const language = languageOf(turn);
      for (const given of listWrongReplies(turn)) {
        const repair = writeRepair(turn, given);
        problems += repair.problems;
        expect([repair.shown, listStrayWords(repair.shown, language)]).toEqual([repair.shown, []]);
      }
    }
    expect(problems).toBeGreaterThan(20);
  });
});

test("law is asked in both of its languages, everyone else in English", () => {
  const languages = Map.groupBy(turns, ({ pack }) => pack);
  for (const [pack, own] of languages) {
    const spoken = new Set(own.map(languageOf));
    expect([pack, [...spoken].toSorted()]).toEqual([pack, pack === "law" ? ["en", "id"] : ["en"]]);
  }
});

test("the instructions and the labels of a prompt are in its language", () => {
  for (const { role, input } of turns) {
    const { instructions, own, language = "en" } = role.prompt(input);
    const written = [instructions, ...own.flatMap((block) => ("text" in block ? [block.text] : []))].join("\n");
    expect([role.name, listStrayWords(written, language).filter((word) => !/\p{Script=Hangul}/u.test(word))]).toEqual([
      role.name,
      [],
    ]);
  }
});
