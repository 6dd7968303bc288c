import type { Attachment, Range } from "../reading/structure.ts";
import type { Clause } from "./clause.ts";
import type { Morpheme } from "./words/morpheme.ts";
import type { KoreanOpinion } from "./opinions/opinion.ts";
import type { Phrase } from "./phrase.ts";

export type Analysis = {
  text: string;
  morphemes: readonly Morpheme[];
  clauses: Clause[];
  phrases: Phrase[];
  opinions: KoreanOpinion[];
};

type Found = { targets: Range[]; second?: Range[]; via: string } | undefined;

const feelings = /^(만족|실망|감동|감명|감사|고맙|놀랍|반하|후회|불만|감격|만족스럽|감탄|중독|신뢰|자신)/;
const wanting =
  /^(좋아하|사랑하|사랑|추천|즐기|싫어하|피하|강추|권하|선호|칭찬|기대되|애용|후회|추천하|비추|원하|받|즐겁)/;

/** Ties each opinion to what it is about, by particles, endings and word order. */
export function attachOpinions(analysis: Analysis): Attachment[] {
  return analysis.opinions.map((opinion) => {
    const found = attach(analysis, opinion);
    return { opinion, targets: found?.targets ?? [], second: found?.second ?? [], via: found?.via ?? "unattached" };
  });
}

function attach(analysis: Analysis, opinion: KoreanOpinion): Found {
  const clause = analysis.clauses[opinion.clause];
  if (!clause) return undefined;
  const before = analysis.phrases.filter(
    (phrase) => phrase.to <= opinion.from && phrase.from >= clause.from && isNamed(analysis, phrase),
  );
  const judged = analysis.phrases.filter((phrase) => phrase.from < opinion.to && phrase.to > opinion.from);
  if (judged.length > 0)
    return { targets: judged, second: findSubjects(analysis, before), via: "noun of the judgement" };
  const described =
    opinion.tail.link === "modifies" || isGenitive(analysis, opinion)
      ? findDescribedNoun(analysis, opinion)
      : undefined;
  const subjects = findSubjects(analysis, before);
  if (described) return attachModifier(analysis, opinion, described, subjects);
  const cause = feelings.test(opinion.stem)
    ? before.filter((one) => /^(JKB)/.test(one.particlePos) && /^(에|에게|로|으로|한테)/.test(one.particle)).slice(-1)
    : [];
  if (cause.length > 0) return { targets: findListed(analysis, cause), second: subjects, via: "cause of feeling" };
  const object =
    wanting.test(opinion.stem) || opinion.kind === "fact"
      ? before.filter((one) => one.particlePos === "JKO" || (one.particle === "" && one === before.at(-1))).slice(-1)
      : [];
  if (object.length > 0) return { targets: findListed(analysis, object), second: subjects, via: "object" };
  if (subjects.length > 0) return { targets: subjects, second: before, via: "predicate" };
  const bare = before.filter((one) => one.particlePos !== "JKB" && one.particlePos !== "JKG").slice(-1);
  if (bare.length > 0) return { targets: findListed(analysis, bare), via: "bare noun" };
  return findAfterthought(analysis, opinion) ?? findEverything(analysis, clause) ?? inheritTargets(analysis, clause);
}

/** "다 맛있어요": said of all that the sentence before names. */
function findEverything(analysis: Analysis, clause: Clause): Found {
  const words = analysis.morphemes.slice(clause.from, clause.to);
  if (!words.some((one) => /^(다|모두|전부|모든)$/.test(one.text) && /^(MAG|NNG|MM|NR)$/.test(one.pos)))
    return undefined;
  const earlier = analysis.clauses.filter(
    (one) => one.sentence === clause.sentence - 1 || (one.sentence === clause.sentence && one.index < clause.index),
  );
  const inside = analysis.phrases.filter(
    (one) => isNamed(analysis, one) && earlier.some((part) => one.from >= part.from && one.to <= part.to),
  );
  return inside.length > 0 ? { targets: inside, via: "everything before" } : undefined;
}

/** "맛있는 음식": the noun; "가격이 저렴한 식당": first what is cheap, in passing the place. */
function attachModifier(analysis: Analysis, opinion: KoreanOpinion, noun: Phrase, subjects: Range[]): Found {
  const inner = subjects.filter((range) => {
    const phrase = analysis.phrases.find((one) => one.from === range.from);
    return phrase?.particlePos === "JKS" && opinion.from - phrase.to <= 4;
  });
  if (inner.length > 0) return { targets: inner, second: [noun], via: "modifier with its subject" };
  const copula =
    /^(VCP|VCN)$/.test(analysis.morphemes[noun.to]?.pos ?? "") || analysis.morphemes[noun.to]?.pos === "JKC";
  return { targets: [noun, ...findFollowing(analysis, noun)], second: copula ? subjects : [], via: "modifier" };
}

function findDescribedNoun(analysis: Analysis, opinion: KoreanOpinion): Phrase | undefined {
  const { next } = opinion.tail;
  const phrase = analysis.phrases.find((one) => one.from >= next && one.from <= next + 1);
  return phrase && isNamed(analysis, phrase) ? phrase : undefined;
}

/** "최고의 맛집": a noun of judgement with 의, or right before its noun. */
function isGenitive(analysis: Analysis, opinion: KoreanOpinion): boolean {
  return analysis.morphemes[opinion.to]?.pos === "JKG";
}

const empty =
  /^(것|거|점|곳|때|편|정도|저|나|우리|제|내|그|이거|이것|그것|여기|거기|저희|여러분|당신|그녀|그들|누구|사람|분|덕분|때문|만큼|번|수|중|전|후)$/;

/** True for a phrase that names a thing, neither the speaker nor "것". */
export function isNamed(analysis: Analysis, phrase: Phrase): boolean {
  const head = analysis.morphemes[phrase.to - 1];
  return !(phrase.to - phrase.from === 1 && (head?.pos === "NP" || empty.test(head?.text ?? "")));
}

/** Subjects and topics, nearest first by particle (이/가 before 은/는/도), with the nouns listed with them. */
function findSubjects(analysis: Analysis, before: readonly Phrase[]): Range[] {
  const direct = before.filter((one) => one.particlePos === "JKS" || one.particlePos === "JKC").slice(-1);
  const topics = before
    .filter((one) => one.particlePos === "JX" && /^(은|는|도|만|이나|까지)/.test(one.particle))
    .slice(-1);
  const chosen = direct.length > 0 ? direct : topics;
  return findListed(analysis, chosen);
}

/** "음식과 서비스는": the nouns joined before a noun. */
function findListed(analysis: Analysis, chosen: readonly Phrase[]): Phrase[] {
  return chosen.flatMap((phrase) => {
    const found = [phrase];
    let at = analysis.phrases.indexOf(phrase) - 1;
    while (at >= 0) {
      const earlier = analysis.phrases[at] as Phrase;
      const gap = analysis.morphemes.slice(earlier.to, found.at(-1)?.from ?? 0);
      if (
        gap.length === 0 ||
        !gap.every((one) => /^(JC|SP|MAJ|SS)$/.test(one.pos) || /^(및|와|과|랑|하고|이랑|그리고|\/|,)$/.test(one.text))
      )
        break;
      found.push(earlier);
      at -= 1;
    }
    return found;
  });
}

function findFollowing(analysis: Analysis, phrase: Phrase): Phrase[] {
  const next = analysis.phrases[analysis.phrases.indexOf(phrase) + 1];
  const gap = next ? analysis.morphemes.slice(phrase.to, next.from) : [];
  return next &&
    gap.length > 0 &&
    gap.every((one) => /^(JC|SP)$/.test(one.pos) || /^(및|와|과|랑|하고|이랑)$/.test(one.text))
    ? [next]
    : [];
}

/** "좋아요, 이 제품", "빠르네요 배송": a noun left over right after its predicate. */
function findAfterthought(analysis: Analysis, opinion: KoreanOpinion): Found {
  const next = analysis.phrases.find((one) => one.from >= opinion.tail.next && one.from <= opinion.tail.next + 2);
  const gap = next ? analysis.morphemes.slice(opinion.tail.next, next.from) : [];
  if (!next || gap.some((one) => one.pos === "SF" || /^[VE]/.test(one.pos)) || next.particlePos !== "")
    return undefined;
  return { targets: [next], via: "afterthought" };
}

/** A clause that names nothing goes on about what the last one spoke of. */
function inheritTargets(analysis: Analysis, clause: Clause): Found {
  for (let at = clause.index - 1; at >= Math.max(0, clause.index - 3); at -= 1) {
    const earlier = analysis.clauses[at] as Clause;
    if (earlier.sentence < clause.sentence - 1) return undefined;
    const inside = analysis.phrases.filter(
      (one) => one.from >= earlier.from && one.to <= earlier.to && isNamed(analysis, one),
    );
    const subjects = findSubjects(analysis, inside);
    if (subjects.length > 0) return { targets: subjects, via: "subject of the clause before" };
    if (inside.length > 0 && earlier.sentence === clause.sentence)
      return { targets: inside.slice(-1), via: "noun of the clause before" };
  }
  return undefined;
}
