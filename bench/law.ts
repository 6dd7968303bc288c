/**
 * How good the law pack's programs are, against word search over the same sources.
 * Run: npm run bench:law [-- --misses] [FILE of examples/law …]
 * `--fit` fits the weights of the reader (`data/law/weights.json`) on all sets that were looked at, and says how well each fit
 * does on sets that it was not fitted on.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { runDebate } from "../src/index.ts";
import {
  findCitedProvisions,
  findForeignLaw,
  loadKnowledge,
  readFrame,
  type Reading,
  readNeed,
  readRefusal,
  readRoute,
  search,
} from "../src/knowledge/law/index.ts";
import { type LawDecision, type LawGold, LawGoldSchema, RouteLabelSchema } from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";
import { formatTable } from "../src/text/layout.ts";

type Features = Record<string, number>;
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

const examples = new URL("../examples/", import.meta.url);
const given = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const sets = [
  "unseen-plain.jsonl",
  "unseen-stories.jsonl",
  "unseen-four-ways.jsonl",
  "unseen-mixed.jsonl",
  "unseen-later.jsonl",
];
if (process.argv.includes("--fit")) {
  fitAll();
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

/** The questions that were looked at: those of this pack, the router's, and the held-out sets up to the sixth. */
function listSets(): { set: string; asked: Asked[] }[] {
  const own = readdirSync(new URL("law/", examples)).filter(
    (name) => name.endsWith(".jsonl") && !name.includes("control"),
  );
  const routed = ["router-queries", "router-queries-more"].map((set) => {
    type Row = { id: string; query: string; label: string; out_of_scope: boolean };
    const rows = JSON.parse(readFileSync(new URL(`law/${set}.json`, examples), "utf8")) as Row[];
    const asked = rows.map(({ id, query, label, out_of_scope }): Asked => {
      const gold = LawGoldSchema.parse({ route: label, out_of_scope });
      return { id, query, gold, matter: null };
    });
    return { set, asked };
  });
  const heldOut = ["", "-2", "-3", "-4", "-5", "-6"].map((which) => {
    type Row = { id: string; query: string; route: string; position: string; out_of_scope: boolean; note: string };
    const text = readFileSync(new URL(`held-out${which}/law/questions.jsonl`, examples), "utf8");
    const asked = text
      .trim()
      .split("\n")
      .map((line): Asked => {
        const { id, query, route, position, out_of_scope, note } = JSON.parse(line) as Row;
        // The notes of the writers name the provisions that answer.
        const cited = out_of_scope
          ? []
          : findCitedProvisions(note.replaceAll(/(KUHPerdata|KHI) (?=\d)/g, "$1 Pasal "), loadKnowledge());
        const may_cite = cited.flatMap(({ id: found }) => found ?? []);
        return {
          id,
          query,
          gold: LawGoldSchema.parse({ route, out_of_scope, positions: [position], may_cite }),
          matter: null,
        };
      });
    return { set: `held-out${which}`, asked };
  });
  return [...own.map((set) => ({ set, asked: readQuestions(set) })), ...routed, ...heldOut];
}

function readQuestions(file: string): Asked[] {
  const text = readFileSync(new URL(`law/${file}`, examples), "utf8");
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

/** One choice among several: what speaks for each, and which are right. */
type Choice = { set: string; options: Features[]; right: boolean[] };

/** Fits every method of the reader and says how often each is right on a set that it was not fitted on. */
function fitAll(): void {
  const read = listSets().flatMap(({ set, asked }) => asked.map((one) => ({ set, one, reading: readCase(one.query) })));
  const known = read.filter(({ one }) => one.gold.positions.length > 0);
  const isOut = ({ one }: (typeof read)[number]): boolean => one.gold.positions.every((position) => position === "D");
  const choose = (set: string, features: Features, isRight: boolean): Choice => ({
    set,
    options: [{ ...features, bias: 1 }, {}],
    right: [isRight, !isRight],
  });
  const rank = read.flatMap(({ set, one, reading }) =>
    ["NAT", "ADT"].flatMap((law): Choice[] => {
      const hits = reading.hits.filter(({ evidence }) => evidence.id.startsWith(law)).slice(0, 40);
      const right = hits.map(({ evidence: { id } }) => listRight(one, id).includes(id));
      return right.includes(true) ? [{ set, options: hits.map(({ features }) => features), right }] : [];
    }),
  );
  const ranked = report("rank", rank);
  const { text = 1, ...others } = ranked;
  const refuse = known
    .filter(
      ({ one, reading }) =>
        reading.cited.length + reading.frame.uncovered.length === 0 &&
        findForeignLaw(one.query, reading.frame) === null,
    )
    .map((each) => choose(each.set, readRefusal(each.reading), isOut(each)));
  const match = read.flatMap(({ set, one, reading }) =>
    ["NAT", "ADT"].flatMap((law): Choice[] => {
      const [first] = reading.hits.filter(({ answers, evidence }) => answers && evidence.id.startsWith(law));
      const right = first ? listRight(one, first.evidence.id) : [];
      if (!first || right.length === 0) return [];
      return [choose(set, { match: Math.log1p(first.match) }, right.includes(first.evidence.id))];
    }),
  );
  const labels = RouteLabelSchema.options;
  const route = read
    .filter(({ one: { gold } }) => gold.route !== null && !gold.out_of_scope)
    .map(({ set, one, reading }): Choice => {
      const features = { ...readRoute(reading), bias: 1 };
      const name = (label: string): Features =>
        Object.fromEntries(Object.entries(features).map(([key, value]) => [`${label} ${key}`, value]));
      return { set, options: labels.map(name), right: labels.map((label) => label === one.gold.route) };
    });
  const routes = report("route", route);
  const take = (label: string): Features =>
    Object.fromEntries(
      Object.entries(routes)
        .filter(([key]) => key.startsWith(`${label} `))
        .map(([key, weight]) => [key.slice(label.length + 1), weight]),
    );
  const fitted = {
    rank: Object.fromEntries(Object.entries(others).map(([key, weight]) => [key, weight / text])),
    refuse: report("refuse", refuse),
    match: report("match", match),
    route: Object.fromEntries(labels.map((label) => [label, take(label)])),
  };
  const round = (_: string, value: unknown): unknown =>
    typeof value === "number" ? Math.round(1000 * value) / 1000 : value;
  writeFileSync(new URL("../data/law/weights.json", import.meta.url), `${JSON.stringify(fitted, round, 2)}\n`);
}

function readCase(query: string): Reading {
  const [knowledge, frame] = [loadKnowledge(), readFrame(query)];
  const cited = findCitedProvisions(query, knowledge);
  const need = readNeed(query, frame, knowledge);
  return { query, frame, need, cited, hits: search(knowledge, query, frame) };
}

function report(name: string, choices: Choice[]): Features {
  const sets = [...new Set(choices.map(({ set }) => set))];
  const judged = sets.flatMap((set) => {
    const weights = fit(choices.filter((one) => one.set !== set));
    return choices.filter((one) => one.set === set).map((one) => ({ one, odds: share(weights, one.options) }));
  });
  const right = judged.filter(({ one, odds }) => one.right[odds.indexOf(Math.max(...odds))]).length;
  console.log(`${name}: ${right} of ${judged.length} right on sets left out`);
  if (name === "refuse")
    for (const most of [0.3, 0.35, 0.4, 0.45, 0.5]) {
      const count = (isOut: boolean): number =>
        judged.filter(({ one, odds: [likely = 0] }) => one.right[0] === isOut && likely >= most !== isOut).length;
      console.log(`  from ${most}: ${count(false)} refused wrongly, ${count(true)} not refused`);
    }
  return fit(choices);
}

function share(weights: Features, options: Features[]): number[] {
  const keys = Object.keys(weights);
  return spread(
    options.map((one) => keys.map((key) => one[key] ?? 0)),
    Object.values(weights),
  );
}

function spread(options: number[][], weights: number[]): number[] {
  const odds = options.map((features) => features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0));
  const most = Math.max(...odds);
  const all = odds.map((one) => Math.exp(one - most));
  const sum = all.reduce((total, one) => total + one, 0);
  return all.map((one) => one / sum);
}

/** A conditional logit by gradient ascent with a mild pull to zero; the step of each weight adapts to its slope (Adam). */
function fit(choices: Choice[]): Features {
  const keys = [...new Set(choices.flatMap(({ options }) => options.flatMap((one) => Object.keys(one))))];
  const rows = choices.map(({ options, right }) => ({
    options: options.map((one) => keys.map((key) => one[key] ?? 0)),
    right,
  }));
  const [weights, mean, square] = [keys.map(() => 0), keys.map(() => 0), keys.map(() => 0)];
  for (let step = 1; step <= 500; step += 1) {
    const slope = weights.map((weight) => -0.5 * weight);
    for (const { options, right } of rows) {
      const odds = spread(options, weights);
      const whole = odds.reduce((sum, one, at) => sum + (right[at] ? one : 0), 0) || 1;
      for (const [at, features] of options.entries()) {
        const pull = (right[at] ? (odds[at] ?? 0) / whole : 0) - (odds[at] ?? 0);
        for (const [index, value] of features.entries())
          if (value !== 0) slope[index] = (slope[index] ?? 0) + pull * value;
      }
    }
    for (const [index, raw] of slope.entries()) {
      const one = raw / choices.length;
      mean[index] = 0.9 * (mean[index] ?? 0) + 0.1 * one;
      square[index] = 0.99 * (square[index] ?? 0) + 0.01 * one * one;
      const [m, v] = [mean[index] / (1 - 0.9 ** step), square[index] / (1 - 0.99 ** step)];
      weights[index] = (weights[index] ?? 0) + (0.05 * m) / (Math.sqrt(v) + 1e-8);
    }
  }
  return Object.fromEntries(keys.map((key, index) => [key, weights[index] ?? 0]));
}
