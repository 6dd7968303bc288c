import { readFileSync } from "node:fs";
import type { Exhibit, Point, Story, StoryTurn } from "../../contract/story.ts";
import { describeProblem, type Turn, turnIdOf } from "../../contract/turn.ts";
import type { Section } from "../../contract/view.ts";
import type { Finished, Held } from "../../engine/pack.ts";
import { formatCount } from "../../text/format.ts";
import { choicesOf, type Question } from "./schemas/case.ts";
import { personasOf, type QuestionConfig } from "./schemas/config.ts";
import {
  distinctQuotes,
  type Judgement,
  type Material,
  nameQuote,
  type QuestionDecision,
  type Quote,
  type Round,
  type Speech,
} from "./schemas/debate.ts";

type Done = Finished<Question, QuestionConfig, QuestionDecision, Material>;
type Debate = Held<Question, QuestionConfig, QuestionDecision, Material>;

/** The report: the answer with its confidence, sources, positions, and what was struck (question spec §6). */
export function sections(done: Done): Section[] {
  const { input, result } = done;
  const { decision, outcome } = result;
  const isDecided = outcome === "decided";
  const answer = decision ? wordChoice(input, decision) : "No answer";
  const isUnsourced = decision && decision.answer !== null && input.docs.length > 0 && decision.sources.length === 0;
  const verdict: Section = {
    kind: "verdict",
    title: input.question,
    answer: isDecided ? answer : `${answer} (${outcome})`,
    tone: isDecided ? "good" : "warn",
    ...(decision && { confidence: decision.confidence }),
    points: [
      ...(isDecided ? [] : result.reasons),
      ...(decision ? [explainDecision(decision)] : []),
      ...(isUnsourced ? ["no document is quoted for it"] : []),
    ],
    headline: { answer: decision?.answer ?? "none" },
  };
  if (!decision) return [verdict];
  const judged = decision.judgement;
  return [
    verdict,
    ...showFacts(
      "Sources",
      decision.sources.map(({ source, quote }) => ({
        label: source,
        value: quote === decision.answer ? "says exactly this" : `“${quote}”`,
      })),
    ),
    ...showFacts("Closest passages; none answers reliably", listNearest(decision)),
    ...(input.docs.length > 0 ? showMaterial(done.material) : []),
    ...decision.rounds.map((round) => showRound(round, decision)),
    ...(judged
      ? [showSteps("Judge", [{ label: "judge", outcome: wordSaid(judged.answer, decision), detail: judged.reasoning }])]
      : []),
    ...showDissent(decision),
  ];
}

const showSteps = (title: string, steps: { label: string; outcome: string; detail: string }[]): Section => ({
  kind: "steps",
  title,
  steps,
});

function showFacts(title: string, rows: { label: string; value: string }[]): Section[] {
  return rows.length === 0 ? [] : [{ kind: "facts", title, rows }];
}

/** Quotes of speakers without an answer, when nothing was decided. */
function listNearest({ answer, rounds }: QuestionDecision): { label: string; value: string }[] {
  const quotes = answer === null ? rounds.flatMap(({ speeches }) => speeches.flatMap((one) => one.quotes)) : [];
  return distinctQuotes(quotes).map(({ source, quote }) => ({
    label: source,
    value: `“${quote}”`,
  }));
}

function wordChoice(input: Question, decision: QuestionDecision): string {
  const choice = choicesOf(input.choices).find(({ key }) => key === decision.canonical);
  return choice ? `${choice.key}: ${choice.text}` : (decision.answer ?? "none");
}

/** How decisions are said to be made, and why debates stop. */
const { deciders, stops } = JSON.parse(
  readFileSync(new URL("../../../data/question/report.json", import.meta.url), "utf8"),
) as {
  deciders: Record<QuestionDecision["decided_by"], string>;
  stops: Record<QuestionDecision["stop_reason"], string>;
};

function explainDecision(decision: QuestionDecision): string {
  const { decided_by, stop_reason, rounds, voices, votes, canonical, answer, agreement } = decision;
  const vote = decision.vote_after_openings;
  const by = deciders[decided_by];
  if (decided_by === "nobody") return `${by} after ${formatCount(rounds.length, "round")}`;
  if (decided_by === "program") return by;
  const behind = votes.find((camp) => camp.canonical === canonical)?.speakers.length ?? 0;
  const isSaid = stop_reason === "fixed" || stop_reason === decided_by;
  const stop = isSaid ? "" : ` (${stops[stop_reason]})`;
  const plain = vote === null ? "no answer" : vote === answer ? "the same" : `“${vote}”`;
  const all = `; ${behind} of ${voices.length} speakers support it, agreement ${Math.round(agreement * 100)}%`;
  return `${by} after ${formatCount(rounds.length, "round")}${stop}${voices.length < 2 ? "" : all}; a plain vote on the opening answers gives ${plain}`;
}

function showMaterial({ conflicts, changes, retrieval, by, is_whole, passages, reserve, files }: Material): Section[] {
  const word = ({ source, quote }: Quote): { label: string; value: string } => {
    const date = files.find((file) => file.source === source)?.date ?? null;
    return { label: source, value: `“${quote}”${date === null ? "" : ` (${date})`}` };
  };
  const changed = changes.flatMap(({ by: change, changes: old, now }) => [
    word(change),
    { label: old.source, value: now === null ? `no longer holds: “${old.quote}”` : `now: “${now}”` },
  ]);
  const pairs = conflicts.flatMap(({ a, b, later }) => (later === b.source ? [word(b), word(a)] : [word(a), word(b)]));
  const shown = is_whole ? "whole" : `${passages.length} passages, ${reserve.length} more to search`;
  const rows = [
    { label: "retrieval", value: `${retrieval.replace("_", " ")}, by ${by}` },
    { label: "shown", value: shown },
  ];
  return [
    ...showFacts("Changes between documents", changed),
    ...showFacts("The documents contradict each other", pairs),
    { kind: "facts", title: "Documents", detail: true, rows },
  ];
}

function showRound(round: Round, decision: QuestionDecision): Section {
  const isProgram = decision.voices.every(({ program }) => program);
  const agreement = isProgram ? "" : ` · agreement ${Math.round(round.agreement * 100)}%`;
  const steps = round.speeches.map(({ speaker, answer, confidence, reasoning, struck, program }) => ({
    label: program ? `${speaker} (program)` : speaker,
    outcome: answer === null ? "(no answer)" : `${wordSaid(answer, decision)} (${confidence.toFixed(2)})`,
    detail: struck === null ? reasoning : `${struck}. ${reasoning}`,
  }));
  const silent = round.silent.map((speaker) => ({
    label: speaker,
    outcome: "(silent)",
    detail: "gave no reply that could be read",
  }));
  return showSteps(`Answers in round ${round.round}${agreement}`, [...steps, ...silent]);
}

const shortAnswer = 40;

function wordSaid(said: string | null, { answer }: QuestionDecision): string {
  if (said === null) return "(no answer)";
  return said === answer && said.length > shortAnswer ? "the same answer" : said;
}

function showDissent({ dissent, voices }: QuestionDecision): Section[] {
  const kept = voices.filter(({ state }) => state === "kept");
  const mute = voices.filter(({ answer, other, program }) => answer === null && other === null && !program);
  return showFacts("Dissent", [
    ...dissent.map(({ speakers, answer }) => ({ label: speakers.join(", "), value: answer })),
    ...kept.map(({ speaker, answer, other }) => ({
      label: speaker,
      value: `first “${answer ?? ""}”, then “${other ?? ""}” without a new quote or argument: the first counts`,
    })),
    ...mute.map(({ speaker }) => ({ label: speaker, value: "gave no answer" })),
  ]);
}

type SpeechTurn = Turn & { reply: Speech };
type JudgeTurn = Turn & { reply: Judgement };

/** The debate turn by turn: answers with reasons and quotes, changes of mind, and silence (question spec §2). */
export function story(debate: Debate): Story {
  const speeches = debate.turns.filter(isSpeech);
  const rounds = [...Map.groupBy(debate.turns, ({ key }) => key.round)].sort(([a], [b]) => a - b);
  const quotes = speeches.flatMap(({ reply }) => reply.quotes);
  return {
    subject: debate.input.question,
    stages: rounds.flatMap(([round, turns]) => {
      const own = turns.flatMap((turn) => describeTurn(debate, turn, speeches) ?? []);
      const title = own.every(({ does }) => does === "judges") ? "Judge" : `Round ${round}`;
      return own.length === 0 ? [] : [{ title, turns: own }];
    }),
    exhibits: [...listExhibits(debate.input, quotes), ...debate.turns.flatMap(listStruck)],
    names: {
      ...Object.fromEntries(Object.entries(personasOf(debate.config)).map(([role, { name }]) => [role, name])),
      judge: "Judge",
    },
  };
}

function describeTurn(debate: Debate, turn: Turn, speeches: SpeechTurn[]): StoryTurn | null {
  const { key, problems } = turn;
  const persona = isJudgement(turn) ? "Judge" : (personasOf(debate.config)[key.role]?.name ?? key.role);
  const base = { turn: turnIdOf(key), speaker: persona };
  if (isJudgement(turn))
    return { ...base, does: "judges", says: turn.reply.reasoning, points: [describeJudgement(debate, turn, speeches)] };
  if (turn.status === "abstained" && key.role !== "same_answer") {
    const says = problems.map(describeProblem).join("; ") || "No reply that could be read.";
    return { ...base, does: "is silent", says, points: [] };
  }
  if (!isSpeech(turn)) return null;
  const { reasoning, search, answer } = turn.reply;
  if (search !== null && answer === null) return { ...base, does: "searches", says: search, points: [] };
  const point = describeAnswer(debate, turn, speeches);
  const does = key.round === 1 ? "answers" : point.change ? "changes its answer" : "answers again";
  return { ...base, does, says: reasoning, points: [point] };
}

function describeAnswer(debate: Debate, turn: SpeechTurn, speeches: SpeechTurn[]): Point {
  const { reply, key } = turn;
  const own = canonicalOf(debate, turn);
  const before = speeches.findLast((one) => one.key.role === key.role && one.key.round < key.round);
  const isMoved = before !== undefined && canonicalOf(debate, before) !== own;
  const persuaders = speeches.filter((other) => {
    return other.key.round === key.round - 1 && own !== null && canonicalOf(debate, other) === own;
  });
  return {
    id: turnIdOf(key),
    name: reply.answer === null ? "no answer" : "answer",
    text: reply.answer ?? "None.",
    score: { label: "confidence", value: reply.confidence, most: 1 },
    ...describeStanding(debate, turn, speeches),
    ...(isMoved && { change: { before: before.reply.answer ?? "none", after: reply.answer ?? "none" } }),
    ...(before && { answers: (isMoved ? persuaders : [before]).map((other) => turnIdOf(other.key)) }),
    uses: reply.quotes.map(nameQuote),
  };
}

type Fate = Pick<Point, "standing" | "status">;

function describeStanding(debate: Debate, turn: SpeechTurn, speeches: SpeechTurn[]): Fate {
  const { decision } = debate;
  const { role, round } = turn.key;
  const own = canonicalOf(debate, turn);
  const struck = findSaid(debate, turn)?.struck ?? null;
  if (struck !== null) return { standing: "dropped", status: struck };
  if (!decision || own === null) return {};
  const isKept = decision.voices.some(({ speaker, state }) => speaker === role && state === "kept");
  if (isKept && round === decision.rounds.at(-1)?.round)
    return { standing: "dropped", status: "changed without a new quote or argument" };
  if (own === decision.canonical) return { standing: "stands", status: "the answer" };
  const later = speeches.find(({ key }) => key.role === role && key.round === round + 1);
  if (later && canonicalOf(debate, later) !== own) return { standing: "conceded", status: "given up" };
  return { standing: "contested", status: decision.canonical === null ? "not settled" : "dissents" };
}

function describeJudgement({ decision }: Debate, { key, reply }: JudgeTurn, speeches: SpeechTurn[]): Point {
  const last = Math.max(0, ...speeches.map((turn) => turn.key.round));
  const followed = decision?.rounds.at(-1)?.speeches[(decision.judgement?.winner ?? 0) - 1]?.speaker;
  const heard = speeches.filter((turn) => turn.key.round === last);
  const winner = heard.filter((turn) => turn.key.role === followed);
  return {
    id: turnIdOf(key),
    name: "judgement",
    text: reply.answer ?? "No answer.",
    score: { label: "confidence", value: reply.confidence, most: 1 },
    ...(decision?.decided_by === "judge" && { standing: "stands" as const, status: "the answer" }),
    answers: (winner.length > 0 ? winner : heard).map((turn) => turnIdOf(turn.key)),
  };
}

function hasReply(turn: Turn, key: string): boolean {
  return turn.status !== "abstained" && typeof turn.reply === "object" && turn.reply !== null && key in turn.reply;
}

function isSpeech(turn: Turn): turn is SpeechTurn {
  return hasReply(turn, "quotes");
}

function isJudgement(turn: Turn): turn is JudgeTurn {
  return hasReply(turn, "winner");
}

function findSaid({ decision }: Debate, { key }: SpeechTurn) {
  const speaker = key.step.startsWith("sample-") ? key.step.replace(/-search$/, "") : key.role;
  const round = decision?.rounds.find((one) => one.round === key.round);
  return round?.speeches.find((speech) => speech.speaker === speaker);
}

function canonicalOf(debate: Debate, turn: SpeechTurn): string | null {
  const said = findSaid(debate, turn);
  return said && said.answer === turn.reply.answer ? said.canonical : (turn.reply.short_answer ?? turn.reply.answer);
}

const around = 160;

function listExhibits({ docs }: Question, quotes: readonly Quote[]): Exhibit[] {
  const placed = distinctQuotes(quotes).map((quote) => {
    const doc = docs.findIndex(({ id }) => id === quote.source);
    const text = docs[doc]?.text ?? "";
    return { quote, doc: doc < 0 ? docs.length : doc, text, start: text.indexOf(quote.quote) };
  });
  return placed
    .toSorted((a, b) => a.doc - b.doc || a.start - b.start)
    .map(({ quote, text, start }) => {
      const exhibit = { id: nameQuote(quote), source: quote.source, place: "", quote: quote.quote };
      if (start < 0) return exhibit;
      const end = start + quote.quote.length;
      const [before, after] = [text.slice(Math.max(0, start - around), start), text.slice(end, end + around)];
      return {
        ...exhibit,
        place: `${quote.source.split(/[\\/]/).at(-1)}:${text.slice(0, start).split("\n").length}`,
        before: start > around ? `…${before.replace(/^\S*\s/, "")}` : before,
        after: end + around < text.length ? `${after.replace(/\s\S*$/, "")}…` : after,
      };
    });
}

function listStruck({ key, problems }: Turn): Exhibit[] {
  return problems
    .filter(({ path }) => path?.[0] === "quotes")
    .map(({ message, code }, at) => ({
      id: `${turnIdOf(key)}/struck-${at}`,
      source: "Struck",
      place: key.role,
      quote: message,
      struck: code.replace(/_quote$/, "").replaceAll("_", " "),
    }));
}
