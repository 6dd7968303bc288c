/** Analyses Korean texts: clauses, noun phrases with their particles, and the target of each opinion. */
import {
  type Attachment,
  buildStructure,
  findClause,
  type Nominee,
  type Range,
  type Span,
  type Structure,
  type Word,
} from "../reading/reading.ts";
import { openVocabulary } from "./lexicon.ts";
import { type Morpheme, readMorphemes } from "./morpheme.ts";
import { findOpinions, type KoreanOpinion } from "./opinion.ts";

/** Analyses a Korean text; named aspects count as nouns. */
function analyse(text: string, aspects: readonly Span[] = []): Analysis {
  const morphemes = readMorphemes(text);
  const clauses = splitClauses(morphemes);
  const opinions = findOpinions(text, morphemes);
  const covered = (index: number) =>
    aspects.some((span) => (morphemes[index]?.start ?? 0) >= span.start && (morphemes[index]?.end ?? 0) <= span.end);
  /** The subject of a predicate ("맛은 좋다", "소음이 줄었다") is the thing judged, even if it is an opinion word itself. */
  const isSubject = (index: number) =>
    opinions.every(({ from, to }) => index < from || index >= to || to === index + 1) &&
    /^JK[SO]$/.test(morphemes[index + 1]?.pos ?? "");
  const judges = (index: number) =>
    !covered(index) &&
    morphemes[index + 1]?.pos !== "JX" &&
    !isSubject(index) &&
    opinions.some(({ from, to }) => index >= from && index < to);
  const phrases = findPhrases(morphemes, judges);
  for (const opinion of opinions) opinion.clause = findClause(clauses, opinion.from);
  return { text, morphemes, clauses, phrases, opinions };
}

export function readStructure(text: string, aspects: readonly Span[] = []): Structure {
  const { morphemes, ...analysis } = analyse(text, aspects);
  const { groups } = openVocabulary();
  return buildStructure({
    ...analysis,
    tokens: morphemes,
    attachments: attachOpinions({ morphemes, ...analysis }),
    reach: "text",
    read: ({ text: lemma, pos }) => ({ lemma, kind: readKind(pos) }),
    groupOf(touched) {
      const words = touched.map((one) => one.text);
      return [...words, words.join("")].map((word) => groups.get(word)).findLast((one) => one !== undefined);
    },
  });
}

function readKind(pos: string): Word["kind"] {
  if (/^(NN|SL|XSN)/.test(pos)) return "noun";
  if (pos === "VV") return "verb";
  if (/^(VA|XR)$/.test(pos)) return "adjective";
  return pos === "MAG" ? "adverb" : /^(SN|NR)$/.test(pos) ? "number" : "";
}

type Clause = Range;

function splitClauses(morphemes: readonly Morpheme[]): Clause[] {
  const clauses: Clause[] = [];
  let from = 0;
  for (const index of morphemes.keys()) {
    if (!endsSentence(morphemes, index) && !joins(morphemes, index) && index < morphemes.length - 1) continue;
    clauses.push({ from, to: index + 1 });
    from = index + 1;
  }
  return clauses;
}

function endsSentence(morphemes: readonly Morpheme[], index: number): boolean {
  const here = morphemes[index] as Morpheme;
  const next = morphemes[index + 1];
  if (here.pos === "SF" || /^(…|\.\.+|\n)$/.test(here.text)) return next?.pos !== "SF";
  return here.pos === "EF" && next !== undefined && !/^(S|J|E|VX)/.test(next.pos);
}

function joins(morphemes: readonly Morpheme[], index: number): boolean {
  const here = morphemes[index] as Morpheme;
  const next = morphemes[index + 1];
  if (here.pos !== "EC" || next === undefined) return false;
  if (next.pos === "VX" || (here.text === "고" && /^(있|싶)$/.test(next.text))) return false;
  return true;
}

type Phrase = Range & { particle: string; particlePos: string; start: number; end: number };

const nominal = /^(NNG|NNP|NR|SL|SN|XSN|XPN|NP|SH)$/;

function findPhrases(morphemes: readonly Morpheme[], opinionAt: (index: number) => boolean): Phrase[] {
  const phrases: Phrase[] = [];
  let at = 0;
  while (at < morphemes.length) {
    if (!starts(morphemes, at, opinionAt)) {
      at += 1;
      continue;
    }
    let to = at + 1;
    while (to < morphemes.length && continues(morphemes, to, opinionAt)) to += 1;
    const after = morphemes[to];
    const particle = after?.pos.startsWith("J") && after.word === morphemes[to - 1]?.word ? after : undefined;
    phrases.push({
      from: at,
      to,
      particle: particle?.text ?? "",
      particlePos: particle?.pos ?? "",
      start: morphemes[at]?.start ?? 0,
      end: morphemes[to - 1]?.end ?? 0,
    });
    at = to;
  }
  return phrases;
}

function starts(morphemes: readonly Morpheme[], at: number, opinionAt: (index: number) => boolean): boolean {
  const morpheme = morphemes[at] as Morpheme;
  return nominal.test(morpheme.pos) && morpheme.pos !== "XSN" && !opinionAt(at) && !isVerbal(morphemes, at);
}

function continues(morphemes: readonly Morpheme[], at: number, opinionAt: (index: number) => boolean): boolean {
  const morpheme = morphemes[at] as Morpheme;
  const before = morphemes[at - 1] as Morpheme;
  if (!nominal.test(morpheme.pos) || opinionAt(at)) return morpheme.pos === "NNB" && /^(S[NL]|NR)$/.test(before.pos);
  return before.pos !== "NP" && !isVerbal(morphemes, at);
}

/** "작동하": a noun that 하다 turns into a verb names no thing here. */
function isVerbal(morphemes: readonly Morpheme[], at: number): boolean {
  return /^XS[VA]$/.test(morphemes[at + 1]?.pos ?? "");
}

type Analysis = {
  text: string;
  morphemes: readonly Morpheme[];
  clauses: Clause[];
  phrases: Phrase[];
  opinions: KoreanOpinion[];
};

type Found = { targets: Range[]; via: string } | undefined;

function attachOpinions(analysis: Analysis): Attachment[] {
  return analysis.opinions.map((opinion) => {
    const found = attach(analysis, opinion);
    return { opinion, targets: found?.targets ?? [], via: found?.via ?? "unattached" };
  });
}

function attach(analysis: Analysis, opinion: KoreanOpinion): Found {
  const clause = analysis.clauses[opinion.clause];
  if (!clause) return undefined;
  const before = analysis.phrases.filter((phrase) => phrase.to <= opinion.from && phrase.from >= clause.from);
  const { link, next } = opinion.tail;
  const described = link === "modifies" && analysis.phrases.find(({ from }) => from === next || from === next + 1);
  if (described) return { targets: [described], via: "modifier" };
  const subjects = findSubjects(before);
  return subjects.length > 0 ? { targets: subjects, via: "predicate" } : undefined;
}

/** Subjects and topics, nearest first by particle (이/가 before 은/는/도). */
function findSubjects(before: readonly Phrase[]): Range[] {
  const direct = before.filter((one) => one.particlePos === "JKS").slice(-1);
  const topics = before.filter((one) => /^(은|는|도|만|이나|까지)/.test(one.particle)).slice(-1);
  return direct.length > 0 ? direct : topics;
}

/** Every stretch of words that ends a noun phrase may be the aspect: which one is learnt. */
export function nominate(text: string): Nominee[] {
  const analysis = analyse(text);
  const { morphemes, phrases } = analysis;
  const attachments = attachOpinions(analysis);
  const { groups, mentioned } = openVocabulary();
  return phrases.flatMap((phrase, at): Nominee[] => {
    const core = findCore(analysis, phrase);
    const head = core.findLast((one) => one.pos !== "XSN")?.text ?? "";
    if (core.length === 0 || mentioned.has(head)) return [];
    const via = attachments.find(({ targets }) => targets.some((target) => target.from === phrase.from))?.via;
    const group = groups.get(head);
    const { particle, particlePos } = phrase;
    const after = morphemes[phrase.to + (particle === "" ? 0 : 1)];
    const isSubject = /^(JKS|JX)$/.test(particlePos);
    const why = group ? `${group}의 말` : "글이 평가하는 대상";
    const shared = [
      "always",
      `head ${head}`,
      `ending ${head.slice(-1)}`,
      `letters ${head.length}`,
      `group ${group}`,
      `via ${via}`,
      `group ${group} via ${via}`,
      `particle ${particle}`,
      `particle ${particlePos} ${group === undefined ? "other" : "group"}`,
      `pos ${core.at(-1)?.pos}`,
      `judges ${analysis.opinions.some(({ from, to }) => from < phrase.to && to > phrase.from)}`,
      `after ${after?.pos}`,
      `subject ${isSubject} ${phrases.slice(0, at).some((one) => /^(JKS|JX)$/.test(one.particlePos))}`,
      `subject ${isSubject} of ${phrases.filter((one) => /^(JKS|JX)$/.test(one.particlePos)).length}`,
      `place ${Math.min(at, 3)} of ${Math.min(phrases.length, 4)}`,
    ];
    const starts = core.flatMap((one, index) => (index === 0 || one.word !== core[index - 1]?.word ? [index] : []));
    return starts.map((start, index): Nominee => {
      const [first, before] = [core[start] as Morpheme, morphemes[(core[start] as Morpheme).index - 1]];
      const isLast = index === starts.length - 1;
      const names = [
        ...shared,
        `before ${before?.text}`,
        `before ${before?.pos} ${group === undefined}`,
        `words ${starts.length - index} of ${starts.length}`,
        `first ${isLast ? "" : first.text}`,
        `first ${isLast} ${first.pos}`,
        `first ${isLast} ${first.text.slice(-1)}`,
        ...(index > 0
          ? [`without ${before?.text}`, `without ${before?.pos}`, `without ${before?.text.slice(-1)}`]
          : []),
      ];
      const span = { start: first.start, end: (core.at(-1) as Morpheme).end };
      return { span, head, why, features: new Map(names.map((name) => [name, 1])) };
    });
  });
}

function findCore(analysis: Analysis, phrase: Phrase): Morpheme[] {
  const core = analysis.morphemes.slice(phrase.from, phrase.to);
  while (core.length > 0 && (/^(NP|SN|NR|NNB|SS|SP)$/.test((core[0] as Morpheme).pos) || isJoint(core))) core.shift();
  while (core.length > 0 && /^(NP|NNB|SS|SP|SN)$/.test((core.at(-1) as Morpheme).pos)) core.pop();
  const text = core.map((one) => one.text).join("");
  return !/[가-힣A-Za-z]/.test(text) || /^[ㄱ-ㅎㅏ-ㅣ]+$/.test(text) ? [] : core;
}

/** "지직거리며 화면": a clause ending that the analyser took for a noun. */
function isJoint([first, next]: readonly Morpheme[]): boolean {
  const isOther = first !== undefined && next !== undefined && first.word !== next.word;
  return isOther && /..(며|고|지만|데|니까|서|면)$/.test(first.text);
}
