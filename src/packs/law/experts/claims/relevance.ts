import {
  type CaseFile,
  getConcept,
  type Domain,
  isPure,
  findMentions,
  readAtom,
  type NormRelation,
  selectOnIssue,
  findRelations,
  type RetrievedEvidence,
} from "../../../../knowledge/law/index.ts";

const maxTexts = 6;
/** A source counts when it matches the question at least this well, relative to the best source of its side. */
const floor = 0.65;
/** For a question of one law only, the other side speaks when a source of it matches nearly as well as the best. */
const otherSideFloor = 0.8;
/** Adat binds a community: where the question names none, a community's norm must match well to be heard. */
const unplacedFloor = 0.4;
const anySideFloor = 0.2;
/** A source whose rule fired on the facts of the question needs less of a match. */
const ruleShare = 0.8;
const foreignSubject = 0.6;
const onTheIssue = 1.4;

/** A side's texts, norms and decisions that bear on the question, best first; those that the question cites always do. */
export function selectRelevant(file: CaseFile, side: Domain): RetrievedEvidence[] {
  const texts = file.retrieval.evidence
    .filter(({ kind }) => kind !== "rule" && kind !== "kg")
    .map((item) => ({ ...item, score: item.score * weighItem(file, item) }))
    .toSorted((a, b) => b.score - a.score);
  const own = texts.filter((item) => item.domain === side && !isOfAnotherPeople(file, item));
  const best = Math.max(
    findBest(texts),
    ...(file.pool ?? []).filter(isText).map((item) => item.score * rateIssue(file, item.id)),
  );
  const needed = Math.max(floor * findBest(own), findNeededShare(file, side) * best);
  const enough = (item: RetrievedEvidence): number => (item.found_by.includes("rules") ? ruleShare : 1) * needed;
  return own.filter((item) => item.score >= enough(item) || isCited(item)).slice(0, maxTexts);
}

/** How well a side's source must match, relative to the best of either side, for that side to speak. */
function findNeededShare(file: CaseFile, side: Domain): number {
  const isUnplaced = side === "adat" && file.retrieval.communities.length === 0;
  if (isOtherSide(file, side)) return isUnplaced ? Number.POSITIVE_INFINITY : otherSideFloor;
  if (isUnplaced) return file.route.label === "consensus" ? otherSideFloor : unplacedFloor;
  return anySideFloor;
}

/** A source about other people counts for less; where both laws speak, one on the issue between them counts for more. */
function weighItem(file: CaseFile, item: RetrievedEvidence): number {
  return (isAboutOthers(file, item) ? foreignSubject : 1) * rateIssue(file, item.id);
}

function rateIssue(file: CaseFile, id: string): number {
  const isOnIssue = findIssues(file).some(({ national, adat }) => national.includes(id) || adat.includes(id));
  return isOnIssue ? onTheIssue : 1;
}

/** Another people's norms are never cited for those whom the question names (law spec §1.2). */
function isOfAnotherPeople({ retrieval }: CaseFile, { domain, community }: RetrievedEvidence): boolean {
  const { communities } = retrieval;
  return domain === "adat" && community !== null && communities.length > 0 && !communities.includes(community);
}

function isText({ id }: { id: string }): boolean {
  return !/^(?:rule|kg):/.test(id);
}

/** The relations between retrieved norms of both sides that are closest to the question; where nobody declares a clash, agreement counts first. */
function findIssues(file: CaseFile): NormRelation[] {
  const { read: query, route, retrieval, pool = retrieval.evidence } = file;
  if (isPure(file)) return [];
  const ids = pool.map(({ id }) => id);
  const about = (kinds: NormRelation["kind"][]) =>
    selectOnIssue(
      query,
      findRelations(kinds, ids, ids).filter(({ adat }) => adat.length > 0),
    );
  if (route.label !== "consensus") return about(["conflict"]);
  const any = about(["conflict", "agreement", "reference"]);
  const alike = any.filter(({ kind }) => kind !== "conflict");
  return alike.length > 0 ? alike : any;
}

function findBest(texts: RetrievedEvidence[]): number {
  return texts[0]?.score ?? 0;
}

function isCited({ found_by }: RetrievedEvidence): boolean {
  return found_by.includes("citation");
}

/** True for adat on a purely national question, and for national law on a purely adat one. */
function isOtherSide(file: CaseFile, side: Domain): boolean {
  return isPure(file) && file.route.label === (side === "adat" ? "pure_national" : "pure_adat");
}

/** Everyone may be an heir, a child or a spouse; any other person counts only when the question names them. */
const anyone = new Set([
  "deceased",
  "heir",
  "child",
  "son",
  "daughter",
  "parent",
  "spouse",
  "husband",
  "wife",
  "relative",
  "sibling",
]);

/** Whether a source's subject is a person whom the question does not speak of (a child out of wedlock, a creditor…). */
function isAboutOthers(file: CaseFile, item: RetrievedEvidence): boolean {
  const subject = findMentions(item.statement).find(({ concept }) => concept.type === "person")?.concept;
  if (!subject || anyone.has(subject.id)) return false;
  const asked = addBroader(findMentions(file.read).map(({ concept }) => concept.id));
  for (const id of listStated(file)) asked.add(id);
  return !asked.has(subject.id) && !subject.broader.some((id) => asked.has(id) && !anyone.has(id));
}

/** Whom the facts of the question speak of, by whatever words: a wife who is left behind is a widow. */
function listStated({ retrieval }: CaseFile): string[] {
  return retrieval.facts.flatMap((fact) => readAtom(fact).args.map(String));
}

/** Concepts with their wider ones. */
function addBroader(ids: string[]): Set<string> {
  const all = new Set(ids);
  for (const id of all) for (const wider of getConcept(id).broader) all.add(wider);
  return all;
}
