import type { Candidate } from "../reading/reading.ts";
import { type Analysis, attachOpinions } from "./attach.ts";
import type { Morpheme } from "./words/morpheme.ts";
import type { Phrase } from "./phrase.ts";
import { openVocabulary } from "./words/lexicon.ts";

/** The noun phrases of a text that may be aspects: what reviews judge, or what this one does. */
export function findCandidates(analysis: Analysis): Candidate[] {
  const attachments = attachOpinions(analysis);
  return analysis.phrases.flatMap((phrase) => {
    const core = findCore(analysis, phrase);
    if (!core || isPrefix(analysis, phrase)) return [];
    const head = findHead(core);
    const touched = attachments.some((one) => one.targets.some((target) => target.from === phrase.from));
    const { groups, mentioned } = openVocabulary();
    const group = groups.get(head);
    if (mentioned.has(head) || (!group && !(touched && isThing(phrase)))) return [];
    const span = { start: (core[0] as Morpheme).start, end: (core.at(-1) as Morpheme).end };
    const why = group ? `${group}의 말` : "글이 평가하는 대상";
    return [{ span, head, confidence: group && touched ? 0.9 : group ? 0.7 : 0.6, why }];
  });
}

/** One syllable glued to the root that follows ("불" of 불친절하다): the beginning of a word, not a thing. */
function isPrefix({ morphemes }: Analysis, { from, to, particle }: Phrase): boolean {
  const [only, next] = [morphemes[from], morphemes[to]];
  if (to - from !== 1 || particle !== "" || only?.text.length !== 1) return false;
  return next?.word === only.word && next.start === only.end && /^(NNG|XR)$/.test(next.pos);
}

/** A subject, topic or object; not a place, a time or a means. */
function isThing(phrase: Phrase): boolean {
  return /^(JKS|JX|JKO|JC|JKC)$/.test(phrase.particlePos) || phrase.particle === "";
}

/** The morphemes of a phrase without numbers and plain pronouns at its edges. */
function findCore(analysis: Analysis, phrase: Phrase): Morpheme[] | undefined {
  const core = analysis.morphemes.slice(phrase.from, phrase.to);
  while (core.length > 0 && /^(NP|SN|NR|NNB|SS|SP)$/.test((core[0] as Morpheme).pos)) core.shift();
  while (core.length > 0 && /^(NP|NNB|SS|SP|SN)$/.test((core.at(-1) as Morpheme).pos)) core.pop();
  const text = core.map((one) => one.text).join("");
  return core.length === 0 || !/[가-힣A-Za-z]/.test(text) || /^[ㄱ-ㅎㅏ-ㅣ]+$/.test(text) ? undefined : core;
}

/** The longest ending of the phrase that the vocabulary knows ("배터리 수명" → 수명), else its last noun. */
function findHead(core: readonly Morpheme[]): string {
  const text = core.map((one) => one.text).join("");
  const { groups, longest } = openVocabulary();
  for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
    const ending = text.slice(-length);
    if (groups.has(ending) && (length > 1 || core.at(-1)?.text === ending)) return ending;
  }
  return core.findLast((one) => one.pos !== "XSN")?.text ?? text;
}
