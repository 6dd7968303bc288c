import { readFileSync } from "node:fs";
import * as z from "zod";
import { readAtom, readRational, writeRational } from "./datalog.ts";
import type { Fact } from "./rules.ts";
import { findMentions, type Language, type Mention, nameConcept, splitWords } from "./words.ts";

/**
 * How a question states a fact (law spec §2.4): a concept of `names` is named (and one of `with`, and none of `without`), the text
 * reads like `says` and not like `unless`. `{person}`, `{land}` are the nearest ones, `{asset}` each asset, `{1}` the first group.
 */
const RowSchema = z.strictObject({
  fact: z.string(),
  names: z.array(z.string()).optional(),
  with: z.array(z.string()).optional(),
  without: z.array(z.string()).optional(),
  says: z.string().optional(),
  unless: z.string().optional(),
  /** What a negation before the concept does: the opposite is stated, or the concept does not count. */
  negation: z.enum(["denies", "excludes"]).optional(),
  reach: z.int().positive().default(3),
  /** Whom the fact is about when nobody is named near the concept. */
  otherwise: z.string().optional(),
});
const said = z.record(z.string(), z.tuple([z.string(), z.string()]));
const DataSchema = z.strictObject({
  rows: z.array(RowSchema),
  acts: z.record(z.string(), z.string()),
  /** A fact as a clause, an open fact as a question, and constants that are no concepts: Indonesian, English. */
  say: said,
  ask: said,
  names: said,
  disputes: z.strictObject({ says: z.array(z.string()), denies: z.array(z.string()), unknown: z.array(z.string()) }),
});
type Row = z.infer<typeof RowSchema>;

const data = DataSchema.parse(
  JSON.parse(readFileSync(new URL("../../../data/law/facts.json", import.meta.url), "utf8")),
);
const patterns = new Map<string, RegExp>();

function matches(text: string, pattern: string): RegExpExecArray | null {
  let compiled = patterns.get(pattern);
  if (!compiled) patterns.set(pattern, (compiled = new RegExp(pattern, "u")));
  return compiled.exec(text);
}

type Asset = { id: string; class: string | null; start: number; end: number };
type Reading = { text: string; words: string[]; mentions: Mention[]; assets: Asset[] };

/** The facts that a question states, in Indonesian or English; what is not stated is left out, so that it stays unknown. */
export function extractFacts(query: string): Fact[] {
  const text = query.normalize("NFKC").toLowerCase();
  const mentions = findMentions(query);
  const reading: Reading = { text, words: splitWords(text), mentions, assets: [] };
  reading.assets = findAssets(reading);
  const named = mentions.filter(({ concept }) => concept.role === "people");
  const peoples = (named.length > 0 ? named : mentions).flatMap(({ concept }) => concept.people ?? []);
  const isNational = mentions.some(({ concept }) => concept.side === "national") || /\bpasal\b|\barticle\b/u.test(text);
  const facts = [
    ...peoples.map((people) => `community(${people})`),
    ...(isNational ? ["at_issue(national_law)"] : []),
    ...readPersons(reading),
    ...reading.assets.flatMap(stateAsset),
    ...readActs(reading),
    ...readShare(reading),
    ...data.rows.flatMap((row) => stateRow(row, reading)),
  ];
  return [...new Set(facts)].toSorted();
}

function select({ mentions }: Reading, ...ids: string[]): Mention[] {
  return mentions.filter(({ concept }) => ids.includes(concept.id));
}

const negations =
  /^(?:tidak|tanpa|belum|bukan|tak|tiada|jangan|enggan|nggak|gak|no|not|without|never|nor|didn|don|isn|hasn)$/u;

function isNegated({ words }: Reading, at: number, reach = 3): boolean {
  return words.slice(Math.max(0, at - reach), at).some((word) => negations.test(word));
}

/** The candidate nearest to a place in the text; the one after it wins a tie. */
function findNearest<T extends { start: number; end: number }>(candidates: T[], at: number): T | undefined {
  const distance = ({ start, end }: T): number => (start >= at ? start - at : at - end + 0.5);
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0];
}

const anyone = new Set(["deceased", "heir", "relative", "parent", "state", "creditor"]);
const notLand = new Set(["savings", "estate", "pusaka_jawa"]);

function stateRow(row: Row, reading: Reading): Fact[] {
  const { text, mentions, assets } = reading;
  const named = select(reading, ...(row.names ?? [])).find(
    ({ start }) => row.negation !== "excludes" || !isNegated(reading, start, row.reach),
  );
  if (row.names && !named) return [];
  if (row.with && select(reading, ...row.with).length === 0) return [];
  if (row.without && select(reading, ...row.without).length > 0) return [];
  const said = row.says === undefined ? null : matches(text, row.says);
  if ((row.says !== undefined && !said) || (row.unless !== undefined && matches(text, row.unless))) return [];
  const at = named?.start ?? 0;
  const persons = mentions.filter(
    ({ concept: { role, id } }) => role === "who" && !anyone.has(id) && id !== named?.concept.id,
  );
  const fills: Record<string, string[]> = {
    "{person}": [findNearest(persons, at)?.concept.id ?? row.otherwise ?? ""],
    "{land}": [
      findNearest(
        assets.filter(({ id }) => !notLand.has(id)),
        at,
      )?.id ?? "",
    ],
    "{asset}": assets.map(({ id }) => id),
    "{1}": [said?.[1] ?? ""],
  };
  const [part, values] = Object.entries(fills).find(([key]) => row.fact.includes(key)) ?? ["", [""]];
  const isDenied = row.negation === "denies" && named !== undefined && isNegated(reading, named.start, row.reach);
  return values
    .filter((value) => part === "" || value !== "")
    .map((value) => `${isDenied ? "not " : ""}${row.fact.replace(part, value)}`);
}

const things = ["land", "rice_field", "house", "savings", "forest", "rumah_gadang"];
const classes =
  "pusako_tinggi pusako_rendah druwe_tengah gunakaya tetadan gono_gini joint_property separate_property gawan ulayat_land village_land laba_pura pusaka_jawa adat_forest rumah_induk ganggam_bauntuak".split(
    " ",
  );
const movable = new Set(
  "savings pusaka_jawa estate joint_property separate_property gono_gini gunakaya tetadan gawan".split(" "),
);
const linking = /\b(?:adalah|merupakan|ternyata|termasuk|yaitu|yakni|berupa|sebagai|is|was|being|as|namely)\b/u;

/** The assets that a question names; a thing and the class said of it are one asset. The rules reason about nothing else. */
function findAssets(reading: Reading): Asset[] {
  const plain = select(reading, ...things);
  const classed = select(reading, ...classes).map((mention) => ({
    mention,
    thing: findThing(mention, plain, reading),
  }));
  const makeAsset = ({ concept, start, end }: Mention, kind: string | null): Asset => ({
    id: concept.id,
    class: kind,
    start,
    end,
  });
  const assets = [
    ...classed.map(({ mention, thing }) => makeAsset(thing ?? mention, mention.concept.id)),
    ...plain
      .filter((mention) => !classed.some(({ thing }) => thing === mention))
      .map((mention) => makeAsset(mention, null)),
  ];
  const known = new Set(assets.filter((one) => one.class !== null).map(({ id }) => id));
  const distinct = assets.filter((one) => one.class !== null || !known.has(one.id));
  const estate = reading.mentions.find(
    ({ concept: { id, acts } }) =>
      id === "share" || acts.some((act) => /inherit|bequeath|give|divide|owe|adopt/.test(act)),
  );
  if (distinct.length > 0 || !estate) return distinct;
  return [{ id: "estate", class: null, start: estate.start, end: estate.end }];
}

/** The thing that a class is said of: beside it, or joined by "adalah"; not what stands on it. */
function findThing(mention: Mention, plain: Mention[], { words }: Reading): Mention | undefined {
  return plain.findLast((thing) => {
    const gap = thing.end <= mention.start ? mention.start - thing.end : thing.start - mention.end;
    const between = words.slice(Math.min(thing.end, mention.end), Math.max(thing.start, mention.start)).join(" ");
    if (gap < 0 || /^(?:di|on|upon)\b|\b(?:di atas|di tanah)\b/u.test(between)) return false;
    return gap <= 3 ? thing.end <= mention.start || gap <= 1 : gap <= 8 && linking.test(between);
  });
}

function stateAsset({ id, class: kind }: Asset): Fact[] {
  return [`asset(${id})`, ...(kind ? [`class(${id}, ${kind})`] : []), ...(movable.has(id) ? [] : [`immovable(${id})`])];
}

function readActs(reading: Reading): Fact[] {
  const isDone = ({ start }: Mention): boolean =>
    !/(?:tanpa|without|tidak (?:ada|membuat|meninggalkan)|no)(?: surat| a| any)?$/u.test(
      reading.words.slice(Math.max(0, start - 3), start).join(" "),
    );
  return reading.mentions.filter(isDone).flatMap(({ concept, end }) => {
    const [act, object] = [data.acts[concept.id], findNearest(reading.assets, end)?.id];
    return act && object ? [`act(${act}, ${object})`] : [];
  });
}

const ownChildren = ["child", "son", "daughter", "eldest_child", "youngest_child"];
const parentDied =
  /(?:ibu|ayah|bapak|orang ?tua)(?:nya|ku| saya| kami)[^.?]{0,25}(?:meninggal|wafat)|(?:mendiang|almarhum(?:ah)?) (?:ibu|ayah|bapak)(?:nya|ku| saya)|(?:his|her|my) (?:father|mother|parents?)[^.?]{0,25}(?:died|dies|passed away)/u;

/** Who is named: roles, children and how many of them, a surviving spouse, and who is said not to exist. */
function readPersons(reading: Reading): Fact[] {
  const { mentions, text } = reading;
  const roles = mentions.filter(
    ({ concept, start }) => concept.role === "who" && !anyone.has(concept.id) && !lacks(reading, start),
  );
  const persons = new Set(
    roles.flatMap(({ concept: { id, wider } }) => [
      id,
      ...wider.filter((one) => one === "child" || one === "youngest_child"),
    ]),
  );
  if (select(reading, "parent").some(({ start }) => !lacks(reading, start))) persons.add("parent");
  if (parentDied.test(text) && !ownChildren.some((child) => persons.has(child))) persons.add("child");
  if (persons.has("anak_astra")) persons.add("child_out_of_wedlock");
  if (persons.has("sentana_peperasan")) persons.add("adopted_child");
  const absent = ["child", "spouse", "heir", "parent", "daughter", "son", "kemenakan", "sibling"].filter((role) =>
    select(reading, role).some(({ start }) => lacks(reading, start)),
  );
  if (absent.includes("child")) for (const child of ownChildren) persons.delete(child);
  const isDead = select(reading, "deceased").length > 0 && select(reading, "divorce").length === 0;
  const hasWife = persons.has("widow") || (isDead && (persons.has("wife") || persons.has("second_wife")));
  const hasHusband =
    persons.has("widower") ||
    (isDead && /(?:meninggalkan|leaves|leaving|left)\b[^.?]{0,40}\b(?:suami|husband)/u.test(text));
  return [
    ...[...persons].map((person) => `person(${person})`),
    ...ownChildren.filter((child) => persons.has(child)).map((child) => `own_child(${child})`),
    ...(hasWife ? ["spouse(widow)"] : []),
    ...(hasHusband ? ["spouse(widower)"] : []),
    ...readCounts(reading),
    ...absent.map((role) => `not exists(${role})`),
  ];
}

/** "tidak punya anak", "tanpa anak": the negation is about having, not about what is done. */
function lacks({ words }: Reading, at: number): boolean {
  return /(?:tanpa|without|no|tidak (?:punya|mempunyai|memiliki|meninggalkan|ada|dikaruniai)|belum (?:punya|mempunyai|memiliki)|never had|not have)(?: \S+)?$/u.test(
    words.slice(Math.max(0, at - 3), at).join(" "),
  );
}

const cardinals = [
  ["satu", "one"],
  ["dua", "two"],
  ["tiga", "three"],
  ["empat", "four"],
  ["lima", "five"],
  ["enam", "six"],
  ["tujuh", "seven"],
  ["delapan", "eight"],
  ["sembilan", "nine"],
  ["sepuluh", "ten"],
];

function readNumber(word: string): number | null {
  const at = cardinals.findIndex((pair) => pair.includes(word));
  return at >= 0 ? at + 1 : /^\d{1,2}$/.test(word) ? Number(word) : null;
}

/** Numbers right before a role: "tiga orang anak", "two daughters". Sons and daughters together make the children. */
function readCounts(reading: Reading): Fact[] {
  const { words, text } = reading;
  const count = (id: string): number | null => {
    for (const { start } of select(reading, id)) {
      let at = start - 1;
      while (/^(?:orang|buah|of|legitimate|young|adult|sah)$/u.test(words[at] ?? "")) at--;
      const number = words[at - 1] === "salah" ? null : readNumber(words[at] ?? "");
      if (number !== null) return number;
      if (
        /^(?:seorang|a|an)$/u.test(words[at] ?? "") &&
        /^(?:meninggalkan|punya|mempunyai|memiliki|dengan|dan|has|have|leaves|leaving|left|with|and)$/u.test(
          words[at - 1] ?? "",
        )
      )
        return 1;
    }
    return null;
  };
  const [sons, daughters, siblings] = [count("son"), count("daughter"), count("sibling")];
  const isComplete =
    (sons !== null || select(reading, "son").length === 0) &&
    (daughters !== null || select(reading, "daughter").length === 0);
  const isOnly = /anak (?:tunggal|satu-satunya)|satu-satunya anak|only child|only (?:son|daughter)/u.test(text);
  const sum = sons === null && daughters === null ? null : (sons ?? 0) + (daughters ?? 0);
  const children = count("child") ?? (isOnly ? 1 : isComplete ? sum : null);
  return Object.entries({ sons, daughters, children, siblings }).flatMap(([who, n]) =>
    n === null ? [] : [`count(${who}, ${n})`],
  );
}

const fractions: [RegExp, string][] = [
  [/dua pertiga|two[- ]thirds?/u, "2/3"],
  [/tiga perempat|three[- ]quarters?/u, "3/4"],
  [/sepertiga|one[- ]third|a third/u, "1/3"],
  [/seperempat|one[- ]quarter|a quarter/u, "1/4"],
  [/setengah|separuh|seperdua|one[- ]half|half/u, "1/2"],
  [/seluruh|semua|segala|whole|entire|all (?:of )?(?:his|her|the|their)|everything/u, "1"],
];

/** A will's share, only when one is stated near it: none is assumed (law spec §7). */
function readShare({ text }: Reading): Fact[] {
  const willing = String.raw`(?:mewasiatkan|diwasiatkan|berwasiat|wasiat\S*|bequeath\w*|(?:a|the|his|her|by) will|weling|wekas)`;
  const [, after = ""] = matches(text, `${willing}([^.?!;]{0,70})`) ?? [];
  const [before = ""] = matches(text, `[^.?!;,]{0,50}${willing}`) ?? [];
  const about =
    /harta|warisan|kekayaan|aset|tanah|sawah|rumah|tabungan|%|persen|per ?cent|estate|property|assets|everything/u;
  for (const part of [after, before].filter((one) => about.test(one))) {
    const open = part.replaceAll(/(?:bagian mutlak|legitieme portie|reserved share|bagian anak)[^,]*/gu, "");
    const percent = /(\d{1,3}(?:[.,]\d{1,4})?)\s*(?:%|persen|per ?cent)/u.exec(open)?.[1]?.replace(",", ".");
    const value = percent === undefined ? null : readRational(percent);
    const hundredth = value && readRational(`${value.numerator}/${value.denominator * 100}`);
    const share = hundredth ? writeRational(hundredth) : fractions.find(([pattern]) => pattern.test(open))?.[1];
    if (share) return [`will_share(${share})`];
  }
  return [];
}

/** A fact as a clause: "anak perempuan pindah agama". */
export function sayFact(fact: Fact, language: Language): string {
  const { predicate, args, negated } = readAtom(fact);
  const at = language === "en" ? 1 : 0;
  const parts = args.map((arg) => data.names[arg]?.[at] ?? (arg === "?" ? "…" : nameConcept(arg, language)));
  const not = negated ? (language === "en" ? "it is not so that " : "tidak ") : "";
  const template = data.say[predicate]?.[at];
  if (template === undefined) return `${not}${predicate.replaceAll("_", " ")}: ${parts.join(", ")}`;
  return `${not}${template.replaceAll(/\{(\d)\}/g, (_, index: string) => parts[Number(index)] ?? "…")}`;
}

/** What to ask about a fact that nobody stated: whether it is so, or how much. */
export function askFact(fact: Fact, language: Language): string {
  const { predicate, args } = readAtom(fact.replace(/^not /, ""));
  const at = language === "en" ? 1 : 0;
  const amount = args.includes("?") ? data.ask[predicate]?.[at] : undefined;
  const [first = ""] = args;
  if (amount) return amount.replace("{0}", data.names[first]?.[at] ?? nameConcept(first, language));
  return `${language === "en" ? "whether" : "apakah"} ${sayFact(fact.replace(/^not /, ""), language)}`;
}

/** What a question is about and whom it names is not in dispute; what they own, did, agreed to and are is. */
const plainFacts =
  /^(?:not )?(?:asset|immovable|community|at_issue|own_child|transferor|child_of|to|spouse|line|person)\(/;
const cues = Object.entries(data.disputes).map(([cue, words]) => ({
  cue,
  pattern: new RegExp(`(?<!\\p{L})(?:${words.join("|")})(?!\\p{L})`, "iu"),
}));

/** The facts that only disputed words of a question state: what one party says and another says otherwise, and what the question calls unclear. */
export function findDisputedFacts(query: string): Fact[] {
  const clauses = query.split(/(?<=[.!?;:]\s+|,\s+)/u).map((text) => {
    const cue = cues.find(({ pattern }) => pattern.test(text))?.cue ?? null;
    const isOfLaw = findMentions(text).some(({ concept }) => concept.role === "law");
    return { text, cue: cue !== "unknown" && isOfLaw ? null : cue };
  });
  const spoken = clauses.flatMap(({ cue }, at) => (cue === "says" || cue === "denies" ? [at] : []));
  const isAnswered = spoken.some(
    (at, index) => clauses[at]?.cue === "denies" || (index > 0 && at - (spoken[index - 1] ?? 0) <= 2),
  );
  const isDisputed = ({ cue }: { cue: string | null }): boolean => cue === "unknown" || (cue !== null && isAnswered);
  if (!clauses.some(isDisputed)) return [];
  const certain = new Set(
    extractFacts(
      clauses
        .filter((one) => !isDisputed(one))
        .map(({ text }) => text)
        .join(""),
    ),
  );
  return extractFacts(query).filter((fact) => !certain.has(fact) && !plainFacts.test(fact));
}
