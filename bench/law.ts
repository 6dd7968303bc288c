/**
 * How good the law pack's programs are, against word search over the same sources.
 * Run: npm run bench:law [-- --misses] [FILE of examples/law …]
 * `--gate` fits whether anything answers a question over all sets, and says how well the fit does on a set it has not seen; so
 * too how likely the first source of a law is a right one, on the questions that name those.
 */
import { readdirSync, readFileSync } from "node:fs";
import { runDebate } from "../src/index.ts";
import { type Knowledge, loadKnowledge, readFrame, readGate, readNeed, search } from "../src/knowledge/law/index.ts";
import { type LawDecision, type LawGold, LawGoldSchema } from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";
import { formatTable } from "../src/text/layout.ts";

type Asked = { id: string; query: string; gold: LawGold; matter: string | null };
type Played = {
  label: string;
  position: string;
  confidence: number | null;
  escalated: boolean;
  out: boolean;
  /** The first source of each law that answers. */
  leads: string[];
};

const given = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const sets = [
  "unseen-plain.jsonl",
  "unseen-stories.jsonl",
  "unseen-four-ways.jsonl",
  "unseen-mixed.jsonl",
  "unseen-later.jsonl",
];
if (process.argv.includes("--gate")) {
  fitGate();
  process.exit();
}
const files = given.length > 0 ? given : sets;
const rows: string[][] = [];
for (const file of files) {
  const asked = readQuestions(file);
  rows.push(await measureArm(`${file} programs`, asked, play));
  rows.push(await measureArm(`${file} word search`, asked, async ({ query }) => searchWords(query)));
}
console.log(
  formatTable([
    ["", "route", "position", "refused", "wrong and sure", "escalated", "alike", "first source right"],
    ...rows,
  ]).join("\n"),
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
    share(
      all.flatMap(({ one, played }) =>
        played.leads
          .filter((id) => listRight(one, id).length > 0)
          .map((id) => ({ one, played: { ...played, leads: [id] } })),
      ),
      ({ one, played: { leads } }) => leads.every((id) => listRight(one, id).includes(id)),
    ),
  ];
}

/** The right sources of the law that a source belongs to, where a question names any. */
function listRight({ gold }: Asked, id: string): string[] {
  return [...gold.must_cite, ...gold.may_cite].filter((one) => one.slice(0, 3) === id.slice(0, 3));
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
    leads: listLeads(decision),
  };
}

function listLeads({ claims, used_claims }: LawDecision): string[] {
  const cited = claims
    .filter(({ claim }) => used_claims.includes(claim))
    .flatMap(({ evidence }) => evidence.slice(0, 1));
  return ["NAT", "ADT"].flatMap((law) => cited.find((id) => id.startsWith(law)) ?? []);
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
  return { label, position, confidence: null, escalated: false, out: isOut, leads: [] };
}

type Sample = { set: string; weighed: number[]; isOut: boolean };

/** Logistic regression over what the gate weighs; each set is also judged by a fit over the others. */
function fitGate(): void {
  const knowledge = loadKnowledge();
  const folder = new URL("../examples/law/", import.meta.url);
  const sets = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const samples = sets.flatMap((set) =>
    readQuestions(set).flatMap(({ query, gold }): Sample[] => {
      const frame = readFrame(query);
      if (gold.positions.length === 0 || frame.uncovered.length > 0) return [];
      const weighed = readGate(query, readNeed(query, frame, knowledge), search(knowledge, query, frame));
      return [{ set, weighed: [...weighed, 1], isOut: gold.positions.every((one) => one === "D") }];
    }),
  );
  const judge = (weights: number[], { weighed }: Sample): number => 1 / (1 + Math.exp(-dot(weights, weighed)));
  const seen = [...new Set(samples.map(({ set }) => set))].flatMap((set) => {
    const weights = fitLogistic(samples.filter((one) => one.set !== set));
    return samples.filter((one) => one.set === set).map((one) => ({ isOut: one.isOut, likely: judge(weights, one) }));
  });
  const rows = [0.35, 0.4, 0.45, 0.5].map((most) => {
    const [refused, missed] = [
      seen.filter(({ isOut, likely }) => !isOut && likely >= most),
      seen.filter(({ isOut, likely }) => isOut && likely < most),
    ];
    return [most, seen.length - refused.length - missed.length, refused.length, missed.length].map(String);
  });
  console.log(
    `weights (best hit, unknown share, story, bias): ${fitLogistic(samples)
      .map((one) => one.toFixed(2))
      .join(", ")}`,
  );
  const matching = fitMatch(knowledge, sets.flatMap(readQuestions)).map((one) => one.toFixed(2));
  console.log(`weights of a right first source (score, bias): ${matching.join(", ")}`);
  console.log(`each set judged by a fit over the others, ${seen.length} questions`);
  console.log(formatTable([["most", "right", "refused wrongly", "not refused"], ...rows]).join("\n"));
}

function fitMatch(knowledge: Knowledge, asked: Asked[]): number[] {
  const samples = asked.flatMap((one) => {
    const hits = search(knowledge, one.query, readFrame(one.query)).filter(({ answers }) => answers);
    return (["national", "adat"] as const).flatMap((domain): Sample[] => {
      const first = hits.find(({ evidence }) => evidence.domain === domain);
      const right = first ? listRight(one, first.evidence.id) : [];
      if (!first || right.length === 0) return [];
      return [{ set: "", weighed: [Math.log1p(first.score), 1], isOut: right.includes(first.evidence.id) }];
    });
  });
  return fitLogistic(samples);
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

/** Gradient descent with a mild pull to zero. */
function fitLogistic(samples: Sample[]): number[] {
  let weights = (samples[0]?.weighed ?? []).map(() => 0);
  for (let step = 0; step < 20_000; step += 1) {
    const slope = weights.map((weight) => (0.2 * weight) / samples.length);
    for (const { weighed, isOut } of samples) {
      const error = 1 / (1 + Math.exp(-dot(weights, weighed))) - Number(isOut);
      weighed.forEach((value, at) => (slope[at] = (slope[at] ?? 0) + (error * value) / samples.length));
    }
    weights = weights.map((weight, at) => weight - 0.5 * (slope[at] ?? 0));
  }
  return weights;
}
