import type { Fact } from "../rules/rule.ts";
import { selectMentions, isNamed, type Reading } from "./reading.ts";

const issues: Record<string, string> = {
  legitime: "legitime",
  gift_revocation: "gift_revocation",
  sako: "sako",
  dispute: "dispute",
  ngaben: "ngaben",
  jiwa_dana: "jiwa_dana",
  ninggal_kedaton: "ninggal_kedaton",
  marriage_agreement: "marriage_agreement",
  division: "division",
  weling: "weling",
  hak_milik: "hak_milik",
  deliberation: "dispute",
  prescription: "limitation",
};
const children = ["child", "son", "daughter", "eldest_child", "youngest_child"];

/** What the question is about, and who gives what to whom. */
export function readIssues(reading: Reading): Fact[] {
  const facts = reading.mentions.flatMap(({ concept }) =>
    issues[concept.id] ? [`at_issue(${issues[concept.id]})`] : [],
  );
  const gives = isNamed(reading, "will", "legacy", "gift", "weling");
  if (gives && isNamed(reading, ...children) && !reading.communities.includes("minangkabau"))
    facts.push("at_issue(legitime)");
  if (isNamed(reading, "heir", "estate", "deceased")) facts.push("at_issue(inheritance)");
  if (reading.cited.length > 0 || reading.mentions.some(({ concept }) => concept.domain === "national"))
    facts.push("at_issue(national_law)");
  if (/(?:cabut|mencabut|dicabut|pencabutan|revo(?:ke|ked|cation))/u.test(reading.text) && isNamed(reading, "will"))
    facts.push("at_issue(will_revocation)");
  if (/sakit (?:keras|parah|yang dekat)|menjelang ajal|deathbed|terminal/u.test(reading.text))
    facts.push("at_issue(deathbed)");
  if (isRevocation(reading)) facts.push("at_issue(gift_revocation)");
  if (gives) facts.push(...readTransfers(reading));
  return facts;
}

function isRevocation(reading: Reading): boolean {
  const again =
    /(?:tarik|ditarik|menarik|cabut|dicabut|mencabut|minta|diminta)\s+(?:hibah\S*\s+)?(?:itu\s+)?(?:saya\s+)?(?:kembali)?|take (?:it )?back|revo(?:ke|cation)/u;
  return isNamed(reading, "gift") && again.test(reading.text) && /kembali|cabut|back|revo/u.test(reading.text);
}

/** Who gives, and whether it goes to a child: "seorang mamak menghibahkan … kepada anak kandungnya". */
function readTransfers(reading: Reading): Fact[] {
  const [act] = selectMentions(reading, "will", "legacy", "gift", "weling");
  if (!act) return [];
  const facts: Fact[] = [];
  const before = reading.words.slice(0, act.start).join(" ");
  const giver = findGiver(before, reading);
  if (giver) facts.push(`transferor(${giver})`);
  const receivers = selectMentions(reading, ...children).filter(({ start }) => start > act.start);
  for (const { concept } of receivers) {
    if (act.concept.id === "gift") facts.push("to(gift, child)");
    if (giver) facts.push(`child_of(${concept.id}, ${giver})`);
  }
  return facts;
}

function findGiver(before: string, reading: Reading): string | null {
  if (isNamed(reading, "mamak", "mamak_kepala_waris", "penghulu") && /mamak|datuk|penghulu|paman|uncle/u.test(before))
    return "mamak";
  if (/\b(?:ayah|bapak|bapa|father|laki-laki|laki laki|suami|pria|man)\b/u.test(before)) return "father";
  return /\b(?:ibu|mother|perempuan|istri|woman)\b/u.test(before) ? "mother" : null;
}
