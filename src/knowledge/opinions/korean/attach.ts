import type { Attachment, Range } from "../reading/reading.ts";
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
  const described =
    opinion.tail.link === "modifies" || isGenitive(analysis, opinion)
      ? findDescribedNoun(analysis, opinion)
      : undefined;
  const subjects = findSubjects(analysis, before);
  if (described) return { targets: [described], second: subjects, via: "modifier" };
  const cause = feelings.test(opinion.stem)
    ? before.filter((one) => /^(에|에게|로|으로|한테)/.test(one.particle)).slice(-1)
    : [];
  if (cause.length > 0) return { targets: findListed(analysis, cause), second: subjects, via: "cause of feeling" };
  if (subjects.length > 0) return { targets: subjects, second: before, via: "predicate" };
  const bare = before.filter((one) => one.particlePos !== "JKB").slice(-1);
  if (bare.length > 0) return { targets: findListed(analysis, bare), via: "bare noun" };
  return inheritTargets(analysis, clause);
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
  const direct = before.filter((one) => one.particlePos === "JKS").slice(-1);
  const topics = before.filter((one) => /^(은|는|도|만|이나|까지)/.test(one.particle)).slice(-1);
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
      if (gap.length === 0 || !gap.every((one) => /^(및|와|과|랑|하고|이랑|그리고|\/|,)$/.test(one.text))) break;
      found.push(earlier);
      at -= 1;
    }
    return found;
  });
}

/** A clause that names nothing goes on about what the last one spoke of. */
function inheritTargets(analysis: Analysis, clause: Clause): Found {
  for (let at = clause.index - 1; at >= Math.max(0, clause.index - 3); at -= 1) {
    const earlier = analysis.clauses[at] as Clause;
    if (earlier.sentence < clause.sentence - 1) return undefined;
    const inside = analysis.phrases.filter((one) => one.from >= earlier.from && one.to <= earlier.to);
    const subjects = findSubjects(analysis, inside);
    if (subjects.length > 0) return { targets: subjects, via: "subject of the clause before" };
    if (inside.length > 0 && earlier.sentence === clause.sentence)
      return { targets: inside.slice(-1), via: "noun of the clause before" };
  }
  return undefined;
}
