import type { Fact } from "../rules/rule.ts";
import { readNumberBefore } from "./numbers.ts";
import { isNegated, selectMentions, isNamed, type Reading, matchesText } from "./reading.ts";

const ownChildren = ["child", "son", "daughter", "eldest_child", "youngest_child"];
const notPersons = new Set(["deceased", "heir", "relative", "state", "creditor"]);

/** Who is named: roles, children and how many of them, a surviving spouse, and who is said not to exist. */
export function readPersons(reading: Reading): Fact[] {
  const roles = reading.mentions
    .filter(({ start }) => !lacks(reading, start))
    .map(({ concept }) => concept)
    .filter(({ type, id }) => type === "person" && !notPersons.has(id));
  const persons = new Set([...roles.map(({ id }) => id), ...findNarrator(reading)]);
  for (const { broader } of roles)
    for (const wider of broader) if (wider === "child" || wider === "youngest_child") persons.add(wider);
  const absent = findAbsent(reading);
  if (persons.has("son") || persons.has("daughter")) persons.add("child");
  if (absent.includes("child")) for (const child of ownChildren) persons.delete(child);
  for (const alias of aliases) if (persons.has(alias.from)) persons.add(alias.to);
  const children = ownChildren.filter((child) => persons.has(child));
  return [
    ...[...persons].map((person) => `person(${person})`),
    ...children.map((child) => `own_child(${child})`),
    ...readSpouse(reading),
    ...readCounts(reading),
    ...absent.map((role) => `not exists(${role})`),
  ];
}

/** What a community calls a role that exists everywhere. */
const aliases = [
  { from: "anak_astra", to: "child_out_of_wedlock" },
  { from: "sentana_peperasan", to: "adopted_child" },
];

const parentDied =
  /(?:ibu|ayah|bapak|orang ?tua)(?:nya|ku| saya| kami)[^.?]{0,25}(?:meninggal|wafat)|(?:mendiang|almarhum(?:ah)?) (?:ibu|ayah|bapak)(?:nya|ku| saya)|(?:his|her|my) (?:father|mother|parents?)[^.?]{0,25}(?:died|dies|passed away)/u;
const male =
  /(?<!saudara |anak |kakak |adik )\b(?:laki-laki|lelaki|pria)\b|\b(?:man|son|male|his (?:father|mother|parents?))\b/u;
const female =
  /(?<!saudara |anak |kakak |adik )\b(?:perempuan|wanita)\b|\b(?:woman|female|her (?:father|mother|parents?))\b/u;

/** Someone whose parent died is that parent's child: "Budi adalah laki-laki … Ibunya meninggal". */
function findNarrator(reading: Reading): string[] {
  if (!matchesText(reading, parentDied)) return [];
  const sexes = [matchesText(reading, male) ? "son" : "", matchesText(reading, female) ? "daughter" : ""].filter(
    (one) => one !== "",
  );
  return sexes.length === 1 ? sexes : ["child"];
}

const wifeDied =
  /(?:istri|isteri|wife)(?:nya| saya| beliau)?[^.?,]{0,15}(?:meninggal|wafat|died|passed away)|(?:almarhumah|mendiang) (?:istri|isteri)/u;

function readSpouse(reading: Reading): Fact[] {
  const died = isNamed(reading, "deceased") && !isNamed(reading, "divorce");
  if (died && matchesText(reading, wifeDied) && !isNamed(reading, "widow")) return ["spouse(widower)"];
  const facts = new Set<Fact>();
  if (isNamed(reading, "widow") || (died && isNamed(reading, "wife", "second_wife"))) facts.add("spouse(widow)");
  if (isNamed(reading, "widower") || (died && leavesHusband(reading))) facts.add("spouse(widower)");
  return [...facts];
}

function leavesHusband(reading: Reading): boolean {
  return matchesText(reading, /(?:meninggalkan|leaves|leaving|left)\b[^.?]{0,40}\b(?:suami|husband)/u);
}

/** Numbers right before a role: "tiga orang anak", "two daughters". Sons and daughters together make the children. */
function readCounts(reading: Reading): Fact[] {
  const of = (id: string) =>
    selectMentions(reading, id)
      .map(({ start }) => readNumberBefore(reading, start))
      .find((n) => n !== null) ?? null;
  const [sons, daughters] = [of("son"), of("daughter")];
  const sum = sons !== null || daughters !== null ? (sons ?? 0) + (daughters ?? 0) : null;
  const both = (sons === null) === !isNamed(reading, "son") && (daughters === null) === !isNamed(reading, "daughter");
  const children = of("child") ?? readOnlyChild(reading) ?? (both ? sum : null);
  const siblings = of("sibling");
  return [
    ...(sons === null ? [] : [`count(sons, ${sons})`]),
    ...(daughters === null ? [] : [`count(daughters, ${daughters})`]),
    ...(children === null ? [] : [`count(children, ${children})`]),
    ...(siblings === null ? [] : [`count(siblings, ${siblings})`]),
  ];
}

function readOnlyChild(reading: Reading): number | null {
  return matchesText(reading, /anak (?:tunggal|satu-satunya)|satu-satunya anak|only child|only (?:son|daughter)/u)
    ? 1
    : null;
}

const sexes = new Set(["perempuan", "laki", "wanita", "pria"]);

function findAbsent(reading: Reading): string[] {
  const absent: string[] = [];
  const denied = (id: string) =>
    selectMentions(reading, id).some(
      ({ start, end }) => isNegated(reading, start) && lacks(reading, start) && !sexes.has(reading.words[end] ?? ""),
    );
  if (denied("child") || matchesText(reading, /\b(?:childless|tanpa keturunan|mandul)\b/u)) absent.push("child");
  if (denied("spouse") || matchesText(reading, /\b(?:belum menikah|tidak menikah|belum kawin|unmarried|single)\b/u))
    absent.push("spouse");
  if (
    denied("heir") ||
    matchesText(reading, /\bno heirs?\b|tanpa ahli waris|tidak (?:ada|punya|mempunyai) ahli waris/u)
  )
    absent.push("heir");
  for (const role of ["parent", "daughter", "son", "kemenakan", "sibling"]) if (denied(role)) absent.push(role);
  return absent;
}

/** "tidak punya anak", "tanpa anak": the negation is about having, not about what is done. */
function lacks({ words }: Reading, at: number): boolean {
  const before = words.slice(Math.max(0, at - 3), at).join(" ");
  return /(?:tanpa|without|no|tidak (?:punya|mempunyai|memiliki|meninggalkan|ada|dikaruniai)|belum (?:punya|mempunyai|memiliki)|never had|not have)(?: \S+)?$/u.test(
    before,
  );
}
