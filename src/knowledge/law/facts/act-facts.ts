import type { Mention } from "../mentions/concept.ts";
import type { Fact } from "../rules/rule.ts";
import type { Asset } from "./asset-facts.ts";
import { readShare } from "./numbers.ts";
import { isNegated, selectMentions, isNamed, findNearest, type Reading, matchesText } from "./reading.ts";

const acts: Record<string, string> = {
  sell: "sell",
  pawn: "pawn",
  collateral: "collateral",
  lease: "lease",
  gift: "gift",
  jiwa_dana: "gift",
  will: "will",
  legacy: "will",
  weling: "will",
  oral_will: "will",
  holographic_will: "will",
  division: "divide",
};

/** What is done with which asset, in which form, to how much of it, for what and with whose consent. */
export function readActs(reading: Reading, assets: Asset[]): Fact[] {
  const done = reading.mentions.filter(
    ({ concept, start }) =>
      acts[concept.id] !== undefined && !isSpokenGift(concept.id, reading) && !isAbsent(reading, start),
  );
  const facts = done.flatMap((mention) => {
    const object = findNearest(assets, mention.end)?.id;
    return object === undefined ? [] : [`act(${acts[mention.concept.id]}, ${object})`];
  });
  return [
    ...facts,
    ...readForms(reading, done),
    ...readShares(reading),
    ...readPurposes(reading),
    ...readConsents(reading, assets),
  ];
}

/** "hibah lisan": the word for spoken is about the gift when no will is named. */
function isSpokenGift(id: string, reading: Reading): boolean {
  return id === "oral_will" && isNamed(reading, "gift") && !isNamed(reading, "will", "weling");
}

/** "meninggal tanpa wasiat": nothing was done. */
function isAbsent({ words }: Reading, at: number): boolean {
  return /(?:tanpa|without|tidak (?:ada|membuat|meninggalkan)|no|without (?:a|any))(?: surat| a| any)?$/u.test(
    words.slice(Math.max(0, at - 3), at).join(" "),
  );
}

function readForms(reading: Reading, done: Mention[]): Fact[] {
  const made = new Set(done.map(({ concept }) => acts[concept.id]));
  const facts: Fact[] = [];
  for (const act of ["will", "gift"]) {
    if (!made.has(act)) continue;
    if (isNamed(reading, "oral_will") || (act === "will" && isNamed(reading, "weling")))
      facts.push(`form(${act}, oral)`);
    const deeds = selectMentions(reading, "notary");
    if (deeds.some(({ start }) => isNegated(reading, start))) facts.push(`not form(${act}, notarial)`);
    else if (deeds.length > 0) facts.push(`form(${act}, notarial)`);
  }
  if (made.has("will") && isNamed(reading, "holographic_will")) facts.push("form(will, holographic)");
  return facts;
}

const willing = /(?:mewasiatkan|diwasiatkan|berwasiat|wasiat\S*|bequeath\w*|(?:a|the|his|her|by) will|weling|wekas)/u;

/** A will's share, only when one is stated near it (law spec §7: no assumed 40 %). */
function readShares({ text }: Reading): Fact[] {
  const [, after = ""] = new RegExp(`${willing.source}([^.?!;]{0,70})`, "u").exec(text) ?? [];
  const [before = ""] = new RegExp(`[^.?!;,]{0,50}${willing.source}`, "u").exec(text) ?? [];
  const about = /harta|warisan|kekayaan|aset|tanah|sawah|rumah|%|persen|per ?cent|estate|property|assets|everything/u;
  const share = [after, before]
    .filter((part) => about.test(part))
    .map(dropReserved)
    .map(readShare)
    .find((found) => found !== null);
  return share === undefined || share === null ? [] : [`will_share(${share})`];
}

function dropReserved(part: string): string {
  return part.replaceAll(/(?:bagian mutlak|legitieme portie|reserved share|bagian anak)[^,]*/gu, "");
}

const reasons: [string, RegExp][] = [
  ["funeral", /pemakaman|penguburan|mayat|jenazah|mengubur|funeral|burial|corpse|bury/u],
  [
    "unmarried_daughter",
    /gadis (?:dewasa|tua|yang belum)|perawan tua|menikahkan (?:anak )?(?:gadis|perempuan|kemenakan)|gadih gadang|unmarried (?:girl|daughter|niece)|marry off/u,
  ],
  [
    "repair_rumah_gadang",
    /rumah gadang[^.?]{0,40}(?:rusak|bocor|ketirisan|perbaik|diperbaiki|roboh|lapuk)|(?:memperbaiki|perbaikan|renovasi|repair\w*|leak\w*|fix\w*)[^.?]{0,30}rumah gadang/u,
  ],
  [
    "install_penghulu",
    /(?:menegakkan|mengangkat|melantik|batagak|pengangkatan|pelantikan|install\w*|inaugurat\w*)[^.?]{0,30}(?:penghulu|pangulu|datuk|datuak)|mambangkik batang/u,
  ],
  [
    "other",
    /untuk (?:\S+ ){0,3}(?:sekolah|kuliah|pendidikan|utang|hutang|bisnis|usaha|modal|judi|mobil|liburan|umrah|haji|pengobatan|berobat)|biaya (?:sekolah|kuliah|pendidikan|berobat|pengobatan|haji|umrah)|membayar (?:utang|hutang)|for (?:\w+ ){0,3}(?:school|college|education|tuition|business|debts?|car|gambling)|to pay (?:\w+ )?(?:debts?|school)/u,
  ],
];

function readPurposes(reading: Reading): Fact[] {
  if (!isNamed(reading, "pawn")) return [];
  const found = reasons.filter(([, pattern]) => matchesText(reading, pattern)).map(([name]) => name);
  const specific = found.filter((name) => name !== "other");
  return (specific.length > 0 ? specific : found).map((name) => `purpose(pawn, ${name})`);
}

const refused =
  /(?:tanpa|tidak ada|belum ada|tidak mendapat|without)[^.?;]{0,30}(?:mufakat|kesepakatan|persetujuan|musyawarah|izin|sepengetahuan|konsensus|consent|agreement|consensus|approval)|(?:kaum|anggota|kemenakan|keluarga|mamak|clan|members?)[^.?;]{0,25}(?:tidak setuju|menolak|keberatan|tidak sepakat|object|refuse|disagree|reject)|(?:diam-diam|secara rahasia|secretly|sepihak)/u;
const agreed =
  /(?:seluruh|semua|segenap|all)[^.?;]{0,30}(?:setuju|sepakat|agree)|(?:dengan|sudah|telah|atas|with)[^.?;]{0,20}(?:mufakat|kesepakatan|persetujuan|konsensus|consent|agreement|consensus)|(?:konsensus|mufakat|kesepakatan) (?:sudah |telah )?(?:tercapai|dicapai)|consensus (?:was |has been )?reached/u;
const spouseRefused =
  /(?:tanpa|tidak ada|without)[^.?;]{0,20}(?:izin|persetujuan|sepengetahuan|bertanya|memberi tahu|consent|permission|approval|asking|telling)[^.?;]{0,20}(?:istri|isteri|suami|pasangan|wife|husband|spouse)|without (?:his|her) (?:wife|husband|spouse)/u;
const spouseAgreed =
  /(?:dengan|atas|with)[^.?;]{0,15}(?:izin|persetujuan|consent)[^.?;]{0,20}(?:istri|isteri|suami|pasangan|wife|husband|spouse)/u;

function readConsents(reading: Reading, assets: Asset[]): Fact[] {
  const facts: Fact[] = [];
  if (matchesText(reading, spouseRefused)) facts.push("not consent(spouse)");
  else if (matchesText(reading, spouseAgreed)) facts.push("consent(spouse)");
  else if (matchesText(reading, refused)) facts.push(...assets.map(({ id }) => `not consensus(${id})`));
  else if (matchesText(reading, agreed)) facts.push(...assets.map(({ id }) => `consensus(${id})`));
  return facts;
}
