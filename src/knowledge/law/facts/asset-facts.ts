import type { Mention } from "../mentions/concept.ts";
import type { Fact } from "../rules/rule.ts";
import { selectMentions, isNamed, type Reading } from "./reading.ts";

/** An asset that the question names, with its class when it says one. */
export type Asset = { id: string; class: string | null; start: number; end: number };

const things = ["land", "rice_field", "house", "savings", "forest", "rumah_gadang"];
const classes = [
  "pusako_tinggi",
  "pusako_rendah",
  "druwe_tengah",
  "gunakaya",
  "tetadan",
  "gono_gini",
  "joint_property",
  "separate_property",
  "gawan",
  "ulayat_land",
  "village_land",
  "laba_pura",
  "pusaka_jawa",
  "adat_forest",
  "rumah_induk",
  "ganggam_bauntuak",
];
const movable = new Set([
  "savings",
  "pusaka_jawa",
  "estate",
  "joint_property",
  "separate_property",
  "gono_gini",
  "gunakaya",
  "tetadan",
  "gawan",
]);
const adjacent = 3;
const linking = /\b(?:adalah|merupakan|ternyata|termasuk|yaitu|yakni|berupa|sebagai|is|was|being|as|namely)\b/u;

/** The assets that a question names; a thing and the class said of it are one asset. The rules reason about nothing else. */
export function findAssets(reading: Reading): Asset[] {
  const plain = selectMentions(reading, ...things);
  const classed = selectMentions(reading, ...classes).map((mention) => ({
    mention,
    thing: findThing(mention, plain, reading),
  }));
  const taken = new Set(classed.map(({ thing }) => thing));
  const assets: Asset[] = [
    ...classed.map(({ mention, thing }) => makeAsset(thing ?? mention, mention.concept.id)),
    ...plain.filter((mention) => !taken.has(mention)).map((mention) => makeAsset(mention, null)),
  ];
  const known = new Set(assets.filter((one) => one.class !== null).map(({ id }) => id));
  const distinct = assets.filter((one) => one.class !== null || !known.has(one.id));
  return distinct.length > 0 || !concernsEstate(reading) ? distinct : [makeEstate(reading)];
}

/** The facts about the assets of a question. */
export function stateAssets(assets: Asset[]): Fact[] {
  return assets.flatMap((one) => [
    `asset(${one.id})`,
    ...(one.class === null ? [] : [`class(${one.id}, ${one.class})`]),
    ...(movable.has(one.id) ? [] : [`immovable(${one.id})`]),
  ]);
}

/** The thing that a class is said of: beside it, joined by "adalah", or right before it in brackets; not what stands on it. */
function findThing(mention: Mention, plain: Mention[], { words, text }: Reading): Mention | undefined {
  const bracketed = text.includes(`(${mention.term}`) || text.includes(`(harta ${mention.term}`);
  return plain.findLast((thing) => {
    const gap = thing.end <= mention.start ? mention.start - thing.end : thing.start - mention.end;
    const between = words.slice(Math.min(thing.end, mention.end), Math.max(thing.start, mention.start)).join(" ");
    if (gap < 0 || /^(?:di|on|upon)\b|\b(?:di atas|di tanah)\b/u.test(between)) return false;
    const isBefore = thing.end <= mention.start;
    return gap <= adjacent ? isBefore || gap <= 1 : gap <= 8 && (linking.test(between) || (bracketed && isBefore));
  });
}

function makeAsset({ concept, start, end }: Mention, kind: string | null): Asset {
  return { id: concept.id, class: kind, start, end };
}

function concernsEstate(reading: Reading): boolean {
  return isNamed(
    reading,
    "estate",
    "heir",
    "deceased",
    "will",
    "weling",
    "gift",
    "legitime",
    "division",
    "debt",
    "adopted_child",
    "share",
    "equal_share",
    "unequal_share",
  );
}

function makeEstate(reading: Reading): Asset {
  const [first] = selectMentions(reading, "estate", "heir", "will", "gift", "division");
  return { id: "estate", class: null, start: first?.start ?? 0, end: first?.end ?? 0 };
}
