import { describe, expect, it } from "vitest";
import { findJsonFault } from "../../src/engine/mend-reply.ts";
import { runDebate } from "../../src/index.ts";
import { sentiment } from "../../src/packs/sentiment/index.ts";
import { shareOf } from "../support/share.ts";
import { liesIn } from "./lies.ts";
import { idOf, type SampledTurn, sampleTurns } from "./sampled-turns.ts";
import { takeReply } from "./take-reply.ts";

/** Long enough that anything worse than linear in a reply's length would not end inside a test's time. */
const size = 390_000;
const fill = (unit: string, length = size): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

const samples = await sampleTurns(1);
const byRole = samples.map((sample, place): [string, SampledTurn, number] => [idOf(sample), sample, place]);

/** Texts that make a careless pattern or loop go back and forth. */
const units = ["a", " ", "\n", "`", "[", '{"a":', "\\", '"', "-A", "1,", ". ", "맛", "\u0301", "log_1 "];
/** The longest that the law pack reads, of what its citations are made of. */
const legal = ["Pasal 1 s.d ", "Pasal 1,   ", "UU No 1 Tahun ", "KUHPerdata ", "Putusan MA No 1/", "keputusan "];

describe.each(byRole)("%s", (_id, sample, place) => {
  /** In `npm test` each role gets one in so many, and the roles together get all. */
  const oneIn = <T>(count: number, cases: T[]): T[] => shareOf(cases, (_, at) => (at + place) % count === 0);
  const taken = async (text: string): Promise<void> => {
    const turn = await takeReply(sample, text);
    for (const { message } of turn.problems) expect(message.length).toBeLessThan(700);
    if (turn.status !== "abstained") expect(liesIn(sample, turn.reply, turn.problems)).toEqual([]);
  };

  it("ends on any huge text that is no JSON", async () => {
    for (const unit of oneIn(10, units)) await taken(fill(unit));
    const odd = [fill("[", 10_000) + fill("]", 10_000), `${fill('{"a":', 10_000)}1${fill("}", 2000)}`];
    for (const text of oneIn(3, [fill("x", 1_000_000), ...odd])) await taken(text);
  });

  it("ends on a huge text in every field of its reply", async () => {
    const texts = stringPaths(sample.reply, []).flatMap((path) =>
      [...units, ...legal].map((unit) => ({ path, unit, length: legal.includes(unit) ? 19_900 : size - 20_000 })),
    );
    for (const { path, unit, length } of oneIn(21, texts))
      await taken(JSON.stringify(withAt(sample.reply, path, fill(unit, length))));
  });

  it("ends on lists of thousands", async () => {
    const lists = Object.entries(sample.reply).filter((one): one is [string, unknown[]] => Array.isArray(one[1]));
    for (const [key, value] of oneIn(2, lists)) {
      if (value.length === 0) continue;
      const item = JSON.stringify(value[0]);
      const items = Array.from({ length: Math.floor((size - 20_000) / (item.length + 1)) }, () => item);
      const rest = JSON.stringify({ ...sample.reply, [key]: "LIST" });
      await taken(rest.replace('"LIST"', `[${items.join(",")}]`));
    }
  });

  it("ends on a reply inside 10,000 brackets, and beside another one", async () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const text = JSON.stringify(sample.reply);
    const inside = `${"[".repeat(10_000)}${text}${"]".repeat(10_000)}`;
    const beside = text.replace("{", `{"extra": ${deep},`);
    const all = [inside, `${deep} ${deep}`, `${deep} ${text}`, beside, `${beside} ${text}`];
    for (const one of oneIn(3, all)) await taken(one);
  });

  it("ends on a reply of brackets only, as many as are read", async () => {
    const deepest = `${"[".repeat(199_000)}${"]".repeat(199_000)}`;
    const all = [deepest, JSON.stringify(sample.reply).replace("{", `{"extra": ${deepest.slice(50_000, -50_000)},`)];
    for (const one of oneIn(2, all))
      expect((await takeReply(sample, one)).problems).toMatchObject([{ code: "no_json" }]);
  });
});

it("a reply over the limit is refused by its length", async () => {
  const [sample] = samples as [SampledTurn];
  const turn = await takeReply(sample, JSON.stringify(sample.reply) + " ".repeat(500_000));
  expect(turn).toMatchObject({ status: "abstained", problems: [{ code: "too_long" }] });
});

it("a cut reply says where it broke", () => {
  expect(findJsonFault('Here: {"answer": "A", "confidence": ')).toMatch(/after 29 characters: …\{"answer"/);
});

function stringPaths(value: unknown, path: (string | number)[]): (string | number)[][] {
  if (typeof value === "string") return [path];
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => stringPaths(item, [...path, 0]));
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]) => stringPaths(item, [...path, key]));
}

function withAt(value: unknown, [key, ...rest]: (string | number)[], text: string): unknown {
  if (key === undefined) return text;
  const inner = (value as Record<string | number, unknown>)[key];
  return Array.isArray(value)
    ? value.with(Number(key), withAt(inner, rest, text))
    : { ...(value as object), [key]: withAt(inner, rest, text) };
}

it.each(["http://a.b/", "-", "가"])(
  "a case that is nothing but %j is read in bounded time",
  { timeout: 60_000 },
  async (unit) => {
    const { result } = await runDebate(sentiment, { text: fill(unit, 19_900) }, { cast: "expert" });
    expect(result.outcome).toBe("decided");
  },
);
