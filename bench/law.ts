/**
 * How good the law pack's programs are, against word search over the same sources.
 * Run: npm run bench:law [-- --misses] [FILE of examples/law …]
 */
import { readFileSync } from "node:fs";
import { runDebate } from "../src/index.ts";
import { loadKnowledge, readFrame, search } from "../src/knowledge/law/index.ts";
import { type LawGold, LawGoldSchema } from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";
import { formatTable } from "../src/text/layout.ts";

type Asked = { id: string; query: string; gold: LawGold; matter: string | null };
type Played = { label: string; position: string; confidence: number | null; escalated: boolean; out: boolean };

const given = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const sets = [
  "unseen-plain.jsonl",
  "unseen-stories.jsonl",
  "unseen-four-ways.jsonl",
  "unseen-mixed.jsonl",
  "unseen-later.jsonl",
];
const files = given.length > 0 ? given : sets;
const rows: string[][] = [];
for (const file of files) {
  const asked = readQuestions(file);
  rows.push(await measureArm(`${file} programs`, asked, play));
  rows.push(await measureArm(`${file} word search`, asked, async ({ query }) => searchWords(query)));
}
console.log(
  formatTable([["", "route", "position", "refused", "wrong and sure", "escalated", "alike"], ...rows]).join("\n"),
);

function readQuestions(file: string): Asked[] {
  const text = readFileSync(new URL(`../examples/law/${file}`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const {
        id,
        input,
        gold,
        strata = {},
      } = JSON.parse(line) as { id: string; input: { query: string }; gold: unknown; strata?: { matter?: string } };
      return { id, query: input.query, gold: LawGoldSchema.parse(gold), matter: strata.matter ?? null };
    });
}

async function measureArm(name: string, asked: Asked[], answer: (one: Asked) => Promise<Played>): Promise<string[]> {
  const all: { one: Asked; played: Played }[] = [];
  for (const one of asked) all.push({ one, played: await answer(one) });
  const isRight = ({ one, played }: (typeof all)[number]): boolean =>
    one.gold.positions.includes(played.position as never);
  const share = (of: typeof all, test: (one: (typeof all)[number]) => boolean): string =>
    of.length === 0 ? "–" : `${of.filter(test).length}/${of.length}`;
  const routed = all.filter(({ one }) => one.gold.route !== null);
  const judged = all.filter(({ one }) => one.gold.positions.length > 0);
  const wrong = judged.filter((one) => !isRight(one));
  const matters = [
    ...Map.groupBy(
      all.filter(({ one }) => one.matter),
      ({ one }) => one.matter,
    ).values(),
  ];
  if (process.argv.includes("--misses") && name.endsWith("programs"))
    for (const { one, played } of judged.filter(
      (each) => !isRight(each) || (each.one.gold.route !== null && each.one.gold.route !== each.played.label),
    ))
      console.log(
        `  ${one.id} ${played.position} (${one.gold.positions.join("/")}) ${played.label} (${one.gold.route}) ${played.escalated ? "escalated" : ""} ${played.confidence?.toFixed(2) ?? "–"}: ${one.query.slice(0, 110)}`,
      );
  return [
    name,
    share(routed, ({ one, played }) => one.gold.route === played.label),
    share(judged, isRight),
    share(
      all.filter(({ one }) => one.gold.out_of_scope),
      ({ played }) => played.position === "D",
    ),
    share(wrong, ({ played }) => !played.escalated && (played.confidence ?? 0) >= 0.6),
    share(all, ({ played }) => played.escalated),
    matters.length === 0
      ? "–"
      : `${matters.filter((group) => new Set(group.map(({ played }) => played.position)).size === 1).length}/${matters.length}`,
  ];
}

async function play({ query }: Asked): Promise<Played> {
  const { result } = await runDebate(law, { query });
  const { decision } = result;
  if (!decision) throw new Error(result.reasons.join("; "));
  const { route, position } = decision;
  return {
    label: route.label,
    position,
    confidence: law.measure?.confidence?.(decision) ?? null,
    escalated: result.outcome === "escalated",
    out: route.out_of_scope,
  };
}

/** The control: which side the best hits of a word search are on, and four patterns for which law is asked. */
function searchWords(query: string): Played {
  const hits = search(loadKnowledge(), query, readFrame("")).slice(0, 5);
  const [adat, national] = ["adat", "national"].map(
    (domain) => hits.filter(({ evidence }) => evidence.domain === domain).length,
  ) as [number, number];
  const [namesAdat, namesLaw, clashes] = [
    /adat|minang|bali|jawa|batak|custom/i,
    /kuhperdata|uu |undang|law|code/i,
    /tapi|sedangkan|bertentangan|konflik|but|conflict|mana yang/i,
  ].map((pattern) => pattern.test(query));
  const label =
    namesAdat && namesLaw ? (clashes ? "conflict" : "consensus") : namesAdat ? "pure_adat" : "pure_national";
  const isOut = (hits[0]?.score ?? 0) < 6;
  const position = isOut
    ? "D"
    : label === "conflict"
      ? "C"
      : label === "consensus"
        ? "E"
        : namesAdat && adat > 0
          ? "B"
          : national > 0
            ? "A"
            : "D";
  return { label, position, confidence: null, escalated: false, out: isOut };
}
