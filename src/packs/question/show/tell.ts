import type { Exhibit, Point, Standing, Story, ToldTurn } from "../../../contract/story.ts";
import { type Turn, turnIdOf } from "../../../contract/turn.ts";
import type { Told } from "../../../engine/pack.ts";
import { personasOf } from "../rules/speakers.ts";
import type { QuestionConfig } from "../schemas/config.ts";
import type { QuestionDecision } from "../schemas/decision.ts";
import type { Document, Question } from "../schemas/question.ts";
import type { Judgement, Speech } from "../schemas/reply.ts";

type Held = Told<Question, QuestionConfig, QuestionDecision>;

/** A debate that can be asked who said what when, without looking through all of it. */
type Debate = Held & {
  /** The speeches of each round, and each speaker's by `round/role`. */
  rounds: Map<number, SpeechTurn[]>;
  speeches: Map<string, SpeechTurn>;
  canonical: Map<SpeechTurn, string | null>;
  lastRound: number;
};

/** A debated question turn by turn: each answer with its reasons and quotes, and whose answer made a speaker change. */
export function tell(held: Held): Story {
  const debate = indexDebate(held);
  const speeches = held.turns.filter(isSpeech);
  const answered = held.turns.filter(({ status }) => status !== "abstained");
  const rounds = [...Map.groupBy(answered, ({ key }) => key.round)].sort(([a], [b]) => a - b);
  return {
    stages: rounds.flatMap(([round, turns]) => {
      const own = turns.flatMap((turn) => tellTurn(debate, turn) ?? []);
      return own.length === 0 ? [] : [{ title: own.every(isJudged) ? "Judge" : `Round ${round}`, turns: own }];
    }),
    exhibits: [
      ...listExhibits(
        debate.input.docs,
        speeches.flatMap(({ reply }) => reply.quotes),
      ),
      ...speeches.flatMap(listStruck),
    ],
  };
}

function indexDebate(held: Held): Debate {
  const all = held.turns.filter(isSpeech);
  const known = new Map(
    (held.decision?.rounds ?? []).flatMap(({ round, speeches }) =>
      speeches.map(({ speaker, answer, canonical }) => [`${nameSpeech(round, speaker)}/${answer}`, canonical] as const),
    ),
  );
  return {
    ...held,
    rounds: Map.groupBy(all, ({ key }) => key.round),
    speeches: new Map(all.toReversed().map((turn) => [nameSpeech(turn.key.round, turn.key.role), turn])),
    canonical: new Map(
      all.map((turn) => {
        const { key, reply } = turn;
        const found = known.get(`${nameSpeech(key.round, key.role)}/${reply.answer}`);
        return [turn, found === undefined ? (reply.short_answer ?? reply.answer) : found];
      }),
    ),
    lastRound: all.reduce((last, { key }) => Math.max(last, key.round), 0),
  };
}

function nameSpeech(round: number, role: string): string {
  return `${round}/${role}`;
}

function isJudged({ does }: ToldTurn): boolean {
  return does === "judges";
}

function tellTurn(debate: Debate, turn: Turn): ToldTurn | null {
  const id = turnIdOf(turn.key);
  if (isSpeech(turn)) {
    const { reply, key } = turn;
    const before = findSpeech(debate, key.role, key.round - 1);
    const does = key.round > 1 ? (hasMoved(debate, turn) ? "changes its answer" : "answers again") : "answers";
    const persona = personasOf(debate.config)[key.role];
    return {
      turn: id,
      speaker: persona?.name ?? key.role,
      does,
      says: reply.reasoning,
      points: [tellAnswer(debate, turn, before)],
    };
  }
  if (!isJudgement(turn)) return null;
  const { reasoning } = turn.reply;
  return { turn: id, speaker: "Judge", does: "judges", says: reasoning, points: [tellJudgement(debate, turn)] };
}

function tellAnswer(debate: Debate, turn: SpeechTurn, before: SpeechTurn | undefined): Point {
  const { reply, key } = turn;
  const moved = before !== undefined && hasMoved(debate, turn);
  return {
    id: turnIdOf(key),
    name: reply.answer === null ? "no answer" : "answer",
    text: reply.answer ?? "None.",
    score: { label: "sure", value: reply.confidence, most: 1 },
    ...tellStanding(debate, turn),
    ...(before && !moved && { answers: [turnIdOf(before.key)] }),
    ...(moved && {
      change: { before: before.reply.answer ?? "none", after: reply.answer ?? "none" },
      answers: listPersuaders(debate, turn),
    }),
    uses: reply.quotes.map(nameExhibit),
  };
}

/** Those who gave this answer in the round before: what a speaker who comes over to it had read. */
function listPersuaders(debate: Debate, turn: SpeechTurn): string[] {
  const own = findCanonical(debate, turn);
  return (debate.rounds.get(turn.key.round - 1) ?? [])
    .filter((other) => other.key.role !== turn.key.role)
    .filter((other) => own !== null && findCanonical(debate, other) === own)
    .map(({ key }) => turnIdOf(key));
}

/** The answer that was decided on stands; one that its speaker left is conceded; a dissent to the end is contested. */
function tellStanding(debate: Debate, turn: SpeechTurn): { standing?: Standing; status?: string } {
  const { decision } = debate;
  const own = findCanonical(debate, turn);
  if (!decision || own === null) return {};
  if (own === decision.canonical) return { standing: "stands", status: "the answer" };
  const later = findSpeech(debate, turn.key.role, turn.key.round + 1);
  if (later && findCanonical(debate, later) !== own) return { standing: "conceded", status: "given up" };
  if (decision.canonical === null) return { standing: "contested", status: "not settled" };
  return { standing: "contested", status: "dissents" };
}

function tellJudgement({ decision, rounds, lastRound }: Debate, { key, reply }: JudgeTurn): Point {
  const heard = rounds.get(lastRound) ?? [];
  const winner = reply.winner === null ? undefined : heard[reply.winner - 1];
  return {
    id: turnIdOf(key),
    name: "judgement",
    text: reply.answer ?? "No answer.",
    score: { label: "sure", value: reply.confidence, most: 1 },
    ...(decision?.decided_by === "judge" && { standing: "stands" as const, status: "the answer" }),
    answers: (winner ? [winner] : heard).map((turn) => turnIdOf(turn.key)),
  };
}

type SpeechTurn = Turn & { reply: Speech };
type JudgeTurn = Turn & { reply: Judgement };

function isSpeech(turn: Turn): turn is SpeechTurn {
  return turn.status !== "abstained" && typeof turn.reply === "object" && turn.reply !== null && "quotes" in turn.reply;
}

function isJudgement(turn: Turn): turn is JudgeTurn {
  return typeof turn.reply === "object" && turn.reply !== null && "winner" in turn.reply;
}

function findSpeech({ speeches }: Debate, role: string, round: number): SpeechTurn | undefined {
  return speeches.get(nameSpeech(round, role));
}

function hasMoved(debate: Debate, turn: SpeechTurn): boolean {
  const before = findSpeech(debate, turn.key.role, turn.key.round - 1);
  return before !== undefined && findCanonical(debate, before) !== findCanonical(debate, turn);
}

/** The form in which an answer is compared: the decision's, else its own words. */
function findCanonical({ canonical }: Debate, turn: SpeechTurn): string | null {
  return canonical.get(turn) ?? null;
}

type Quote = Speech["quotes"][number];

function nameExhibit({ source, quote }: Quote): string {
  return `${source}:${quote}`;
}

/** How much of a document is shown around what is quoted from it. */
const around = 160;

/** What was quoted, document by document and in the order of each. */
function listExhibits(docs: readonly Document[], quotes: readonly Quote[]): Exhibit[] {
  const unique = new Map(quotes.map((quote) => [nameExhibit(quote), quote]));
  const placed = [...unique.values()].map((quote) => {
    const at = docs.findIndex(({ id }) => id === quote.source);
    const text = docs[at]?.text ?? "";
    return { quote, doc: at < 0 ? docs.length : at, text, start: text.indexOf(quote.quote) };
  });
  return placed
    .toSorted((a, b) => a.doc - b.doc || a.start - b.start)
    .map(({ quote, text, start }) => {
      const exhibit = { id: nameExhibit(quote), source: quote.source, place: "", quote: quote.quote };
      if (start < 0) return exhibit;
      const end = start + quote.quote.length;
      return {
        ...exhibit,
        place: `${quote.source.split(/[\\/]/).at(-1)}:${text.slice(0, start).split("\n").length}`,
        before: cutBefore(text.slice(Math.max(0, start - around), start), start > around),
        after: cutAfter(text.slice(end, end + around), end + around < text.length),
      };
    });
}

/** Quotes that were struck, in the words of the check that struck them. */
function listStruck({ key, problems }: Turn): Exhibit[] {
  return problems
    .filter(({ path }) => path?.[0] === "quotes")
    .map(({ message }, at) => ({
      id: `${turnIdOf(key)}/struck-${at}`,
      source: "Struck",
      place: key.role,
      quote: message,
      struck: "not found where it was cited",
    }));
}

function cutBefore(text: string, isCut: boolean): string {
  return isCut ? `…${text.replace(/^\S*\s/, "")}` : text;
}

function cutAfter(text: string, isCut: boolean): string {
  return isCut ? `${text.replace(/\s\S*$/, "")}…` : text;
}
