import type { Exhibit, Point, Standing, Story, ToldTurn } from "../../contract/story.ts";
import { type Turn, turnIdOf } from "../../contract/turn.ts";
import type { Section } from "../../contract/view.ts";
import type { Finished, Held } from "../../engine/pack.ts";
import { formatCount } from "../../text/number-text.ts";
import { choicesOf, type Question } from "./schemas/case.ts";
import { personasOf, type QuestionConfig } from "./schemas/config.ts";
import type { Judgement, Material, QuestionDecision, Quote, Round, Said, Speech, Voice } from "./schemas/debate.ts";

type Done = Finished<Question, QuestionConfig, QuestionDecision, Material>;
type Debate = Held<Question, QuestionConfig, QuestionDecision, Material>;

/** What was decided and why: the answer with its confidence, its sources, who stood where, and what was struck (question spec §6). */
export function sections(done: Done): Section[] {
  const { input, result } = done;
  const { decision, outcome } = result;
  const isDecided = outcome === "decided";
  const answer = decision ? wordChoice(input, decision) : "No answer";
  const points = [
    ...(isDecided ? [] : result.reasons),
    ...(decision ? [explainDecision(decision), ...warnOfSources(input, decision)] : []),
  ];
  const verdict: Section = {
    kind: "verdict",
    title: input.question,
    answer: isDecided ? answer : `${answer} (${outcome})`,
    tone: isDecided ? "good" : "warn",
    ...(decision && { confidence: decision.confidence }),
    points,
    headline: { answer: decision?.answer ?? "none" },
  };
  if (!decision) return [verdict];
  return [
    verdict,
    ...showSources(decision),
    ...showMaterial(done),
    ...decision.rounds.map((round) => showRound(round, decision)),
    ...showJudge(decision),
    showVoices(decision),
    ...showDissent(decision),
    showChecks(done, decision),
  ];
}

/** Words the answer: a choice with its key and its text. */
function wordChoice(input: Question, decision: QuestionDecision): string {
  const choice = choicesOf(input.choices).find(({ key }) => key === decision.canonical);
  return choice ? `${choice.key}: ${choice.text}` : (decision.answer ?? "none");
}

/** Says who decided, how many of those asked stand behind it, and what a plain vote on the openings would have said. */
function explainDecision({
  decided_by,
  stop_reason,
  rounds,
  voices,
  votes,
  canonical,
  answer,
  vote_after_openings: vote,
  agreement,
}: QuestionDecision): string {
  const behind = votes.find((camp) => camp.canonical === canonical)?.speakers.length ?? 0;
  const by = {
    vote: "by vote",
    agreement: "by agreement",
    judge: "by the judge",
    jury: "by a jury with learnt weights",
    single: "by one speaker",
    program: "",
    nobody: "by nobody",
  }[decided_by];
  if (decided_by === "nobody") return `nobody decided, after ${formatCount(rounds.length, "round")}`;
  if (decided_by === "program")
    return "by one program that reads and looks for what contradicts it; that it agrees with itself says nothing";
  const isSaid = stop_reason === "fixed" || stop_reason === decided_by;
  const stop = isSaid ? "" : ` (${stop_reason.replaceAll("_", " ")})`;
  const plain = vote === null ? "no answer" : vote === answer ? "the same" : `“${vote}”`;
  const share =
    voices.length < 2
      ? ""
      : `; ${behind} of ${voices.length} stand behind it, agreement ${Math.round(agreement * 100)} %`;
  return `${by} after ${formatCount(rounds.length, "round")}${stop}${share}; a plain vote on the openings would have said ${plain}`;
}

/** An answer that quotes nothing although there are documents says so. */
function warnOfSources({ docs }: Question, { answer, sources }: QuestionDecision): string[] {
  return answer !== null && docs.length > 0 && sources.length === 0 ? ["no document is quoted for it"] : [];
}

function showSources({ sources, answer }: QuestionDecision): Section[] {
  const lines = sources.map(({ source, quote }) => ({
    ref: source,
    text: quote === answer ? "says so in these words" : `“${quote}”`,
  }));
  return lines.length === 0 ? [] : [{ kind: "lines", title: "Sources", lines }];
}

/** What the documents change and contradict of what the answer rests on, the later statement first; and how they were searched. */
function showMaterial({ material, input }: Done): Section[] {
  if (input.docs.length === 0) return [];
  const { conflicts, changes, retrieval, by, is_whole } = material;
  const dateOf = (source: string): string => {
    const date = material.files.find((file) => file.source === source)?.date ?? null;
    return date === null ? "" : ` (${date})`;
  };
  const word = ({ source, quote }: Quote): { ref: string; text: string } => ({
    ref: source,
    text: `“${quote}”${dateOf(source)}`,
  });
  const told = conflicts.flatMap(({ a, b, later }) => (later === b.source ? [word(b), word(a)] : [word(a), word(b)]));
  const changed = changes.flatMap((change) => [
    word(change.by),
    {
      ref: change.changes.source,
      text: change.now === null ? `no longer holds: “${change.changes.quote}”` : `now: “${change.now}”`,
    },
  ]);
  return [
    ...(changed.length > 0 ? [{ kind: "lines" as const, title: "What was changed", lines: changed }] : []),
    ...(told.length > 0 ? [{ kind: "lines" as const, title: "The documents contradict each other", lines: told }] : []),
    {
      kind: "facts",
      title: "Documents",
      detail: true,
      rows: [
        { label: "retrieval", value: `${retrieval.replace("_", " ")}, by ${by}` },
        {
          label: "shown",
          value: is_whole ? "whole" : `${material.passages.length} passages, ${material.reserve.length} more to search`,
        },
      ],
    },
  ];
}

function showRound(round: Round, decision: QuestionDecision): Section {
  const isProgram = decision.voices.every(({ program }) => program);
  const silent = round.silent.map((speaker) => ({
    label: speaker,
    outcome: "(silent)",
    detail: "gave no reply that could be read",
  }));
  return {
    kind: "steps",
    title: `Answers in round ${round.round}${isProgram ? "" : ` · agreement ${Math.round(round.agreement * 100)} %`}`,
    steps: [
      ...round.speeches.map(({ speaker, answer, confidence, reasoning, struck, program }) => ({
        label: program ? `${speaker} (program)` : speaker,
        outcome: answer === null ? "(no answer)" : `${wordSaid(answer, decision)} (${confidence.toFixed(2)})`,
        detail: struck === null ? reasoning : `${struck}. ${reasoning}`,
      })),
      ...silent,
    ],
  };
}

function showJudge({ judgement, answer }: QuestionDecision): Section[] {
  if (!judgement) return [];
  return [
    {
      kind: "steps",
      title: "Judge",
      steps: [{ label: "judge", outcome: wordSaid(judgement.answer, { answer }), detail: judgement.reasoning }],
    },
  ];
}

/** Longer answers are not said again where they are the one that was decided. */
const shortAnswer = 40;

function wordSaid(said: string | null, { answer }: Pick<QuestionDecision, "answer">): string {
  if (said === null) return "(no answer)";
  return said === answer && said.length > shortAnswer ? "the same answer" : said;
}

/** Every speaker that was asked, and where it stands in the end. */
function showVoices({ voices, rounds }: QuestionDecision): Section {
  return {
    kind: "table",
    title: "Who stood where",
    detail: true,
    columns: ["speaker", ...rounds.map(({ round }) => `round ${round}`), "counts as"],
    rows: voices.map((voice) => [
      voice.program ? `${voice.speaker} (program)` : voice.speaker,
      ...rounds.map((round) => wordPosition(round, voice.speaker)),
      wordVoice(voice),
    ]),
  };
}

function wordPosition({ speeches }: Round, speaker: string): string {
  const speech = speeches.find((one) => one.speaker === speaker);
  return speech ? `${speech.answer ?? "no answer"} (${speech.confidence.toFixed(2)})` : "silent";
}

function wordVoice({ state, answer, other }: Voice): string {
  if (state === "kept") return `${answer ?? ""}: it changed to “${other ?? ""}” without a new quote or argument`;
  if (state === "silent") return `nothing: it fell silent${other === null ? "" : ` after “${other}”`}`;
  return state === "none" ? "nothing: it gave no answer" : (answer ?? "");
}

function showDissent({ dissent, voices }: QuestionDecision): Section[] {
  const kept = voices.filter(({ state }) => state === "kept");
  const lines = [
    ...dissent.map(({ speakers, answer }) => ({ ref: speakers.join(", "), text: answer })),
    ...kept.map(({ speaker, answer, other }) => ({
      ref: speaker,
      text: `first “${answer ?? ""}”, then “${other ?? ""}” without a new quote or argument: the first counts`,
    })),
    ...voices
      .filter(({ state }) => state === "silent" || state === "none")
      .filter(({ other, program }) => other === null && !program)
      .map(({ speaker }) => ({ ref: speaker, text: "gave no answer" })),
  ];
  return lines.length === 0 ? [] : [{ kind: "lines", title: "Dissent", lines }];
}

/** What must hold of every decision: the answer is a speaker's, its quotes stand in the documents, everyone asked is named. */
function showChecks({ input, material }: Done, decision: QuestionDecision): Section {
  const said = decision.rounds.flatMap(({ speeches }) => speeches.map(({ answer }) => answer));
  if (decision.judgement?.winner === null) said.push(decision.judgement.answer);
  const shown = [...material.passages, ...material.reserve].map(({ source, text }) => ({
    source,
    text: text.replaceAll(/\s+/g, " "),
  }));
  const lost = decision.sources.filter(({ source, quote }) => {
    const pieces = quote.split(" … ").map((piece) => piece.replaceAll(/\s+/g, " "));
    return !pieces.every((piece) => shown.some((one) => one.source === source && one.text.includes(piece)));
  });
  const named = new Set(decision.voices.map(({ speaker }) => speaker));
  const unnamed = decision.rounds.flatMap(({ speeches }) => speeches.filter(({ speaker }) => !named.has(speaker)));
  const check = (name: string, ok: boolean, message: string) => ({ check: name, ok, where: input.question, message });
  return {
    kind: "checks",
    title: "Checks",
    detail: true,
    findings: [
      check(
        "answer_was_given",
        decision.answer === null || said.includes(decision.answer),
        "the answer is one that a speaker gave",
      ),
      check(
        "quotes_stand",
        lost.length === 0,
        lost.length === 0
          ? "every quote stands in what was shown"
          : `not found: ${lost.map(({ quote }) => `“${quote}”`).join(", ")}`,
      ),
      check("voices_named", unnamed.length === 0, "everyone who spoke is named"),
    ],
  };
}

type SpeechTurn = Turn & { reply: Speech };
type JudgeTurn = Turn & { reply: Judgement };

/** The debate turn by turn: each answer with its reasons and quotes, whose answer made a speaker change, who was silent (question spec §2). */
export function story(debate: Debate): Story {
  const speeches = debate.turns.filter(isSpeech);
  const rounds = [...Map.groupBy(debate.turns, ({ key }) => key.round)].sort(([a], [b]) => a - b);
  return {
    subject: debate.input.question,
    stages: rounds.flatMap(([round, turns]) => {
      const own = turns.flatMap((turn) => tellTurn(debate, turn, speeches) ?? []);
      return own.length === 0
        ? []
        : [{ title: own.every(({ does }) => does === "judges") ? "Judge" : `Round ${round}`, turns: own }];
    }),
    exhibits: [
      ...listExhibits(
        debate.input,
        speeches.flatMap(({ reply }) => reply.quotes),
      ),
      ...debate.turns.flatMap(listStruck),
    ],
  };
}

function tellTurn(debate: Debate, turn: Turn, speeches: SpeechTurn[]): ToldTurn | null {
  const { key, player } = turn;
  const id = turnIdOf(key);
  const persona = personasOf(debate.config)[key.role]?.name ?? key.role;
  const speaker = player === "expert" ? `${persona} (program)` : persona;
  if (isJudgement(turn))
    return {
      turn: id,
      speaker: player === "expert" ? "Judge (program)" : "Judge",
      does: "judges",
      says: turn.reply.reasoning,
      points: [tellJudgement(debate, turn, speeches)],
    };
  if (turn.status === "abstained" && key.role !== "same_answer")
    return {
      turn: id,
      speaker,
      does: "is silent",
      says: turn.problems.map(({ message }) => message).join("; ") || "No reply that could be read.",
      points: [],
    };
  if (!isSpeech(turn)) return null;
  if (turn.reply.search !== null && turn.reply.answer === null)
    return { turn: id, speaker, does: "searches", says: turn.reply.search, points: [] };
  const before = speeches.findLast((one) => one.key.role === key.role && one.key.round < key.round);
  const moved = before !== undefined && canonicalOf(debate, before) !== canonicalOf(debate, turn);
  const does = key.round === 1 ? "answers" : moved ? "changes its answer" : "answers again";
  return {
    turn: id,
    speaker,
    does,
    says: turn.reply.reasoning,
    points: [tellAnswer(debate, turn, moved ? before : undefined, before, speeches)],
  };
}

function tellAnswer(
  debate: Debate,
  turn: SpeechTurn,
  left: SpeechTurn | undefined,
  before: SpeechTurn | undefined,
  speeches: SpeechTurn[],
): Point {
  const { reply, key } = turn;
  const own = canonicalOf(debate, turn);
  const persuaders = speeches.filter(
    (other) =>
      other.key.round === key.round - 1 &&
      other.key.role !== key.role &&
      own !== null &&
      canonicalOf(debate, other) === own,
  );
  return {
    id: turnIdOf(key),
    name: reply.answer === null ? "no answer" : "answer",
    text: reply.answer ?? "None.",
    score: { label: "sure", value: reply.confidence, most: 1 },
    ...tellStanding(debate, turn, speeches),
    ...(left
      ? {
          change: { before: left.reply.answer ?? "none", after: reply.answer ?? "none" },
          answers: persuaders.map((other) => turnIdOf(other.key)),
        }
      : before
        ? { answers: [turnIdOf(before.key)] }
        : {}),
    uses: reply.quotes.map(nameExhibit),
  };
}

/** The answer that was decided on stands; one that its speaker left is conceded; a dissent to the end is contested. */
function tellStanding(
  debate: Debate,
  turn: SpeechTurn,
  speeches: SpeechTurn[],
): { standing?: Standing; status?: string } {
  const { decision } = debate;
  const own = canonicalOf(debate, turn);
  const struck = findSaid(debate, turn)?.struck ?? null;
  if (struck !== null) return { standing: "dropped", status: struck };
  if (!decision || own === null) return {};
  const voice = decision.voices.find(({ speaker }) => speaker === turn.key.role);
  const isLast = turn.key.round === decision.rounds.at(-1)?.round;
  if (isLast && voice?.state === "kept")
    return { standing: "dropped", status: "changed without a new quote or argument" };
  if (own === decision.canonical) return { standing: "stands", status: "the answer" };
  const later = speeches.find((one) => one.key.role === turn.key.role && one.key.round === turn.key.round + 1);
  if (later && canonicalOf(debate, later) !== own) return { standing: "conceded", status: "given up" };
  return { standing: "contested", status: decision.canonical === null ? "not settled" : "dissents" };
}

function tellJudgement({ decision }: Debate, { key, reply }: JudgeTurn, speeches: SpeechTurn[]): Point {
  const last = Math.max(0, ...speeches.map((turn) => turn.key.round));
  const followed = decision?.rounds.at(-1)?.speeches[(decision.judgement?.winner ?? 0) - 1]?.speaker;
  const heard = speeches.filter((turn) => turn.key.round === last);
  const winner = heard.filter((turn) => turn.key.role === followed);
  return {
    id: turnIdOf(key),
    name: "judgement",
    text: reply.answer ?? "No answer.",
    score: { label: "sure", value: reply.confidence, most: 1 },
    ...(decision?.decided_by === "judge" && { standing: "stands" as const, status: "the answer" }),
    answers: (winner.length > 0 ? winner : heard).map((turn) => turnIdOf(turn.key)),
  };
}

function isSpeech(turn: Turn): turn is SpeechTurn {
  return turn.status !== "abstained" && typeof turn.reply === "object" && turn.reply !== null && "quotes" in turn.reply;
}

function isJudgement(turn: Turn): turn is JudgeTurn {
  return turn.status !== "abstained" && typeof turn.reply === "object" && turn.reply !== null && "winner" in turn.reply;
}

function findSaid({ decision }: Debate, { key }: SpeechTurn): Said | undefined {
  const speaker = key.step.startsWith("sample-") ? key.step.replace(/-search$/, "") : key.role;
  return decision?.rounds
    .find(({ round }) => round === key.round)
    ?.speeches.find((speech) => speech.speaker === speaker);
}

/** The form in which an answer is compared: the decision's, else its own words. */
function canonicalOf(debate: Debate, turn: SpeechTurn): string | null {
  const said = findSaid(debate, turn);
  return said && said.answer === turn.reply.answer ? said.canonical : (turn.reply.short_answer ?? turn.reply.answer);
}

function nameExhibit({ source, quote }: Quote): string {
  return `${source}:${quote}`;
}

/** What was quoted, document by document and in the order of each. */
function listExhibits({ docs }: Question, quotes: readonly Quote[]): Exhibit[] {
  const placed = [...new Map(quotes.map((quote) => [nameExhibit(quote), quote])).values()].map((quote) => {
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
      const [before, after] = [text.slice(Math.max(0, start - 160), start), text.slice(end, end + 160)];
      return {
        ...exhibit,
        place: `${quote.source.split(/[\\/]/).at(-1)}:${text.slice(0, start).split("\n").length}`,
        before: start > 160 ? `…${before.replace(/^\S*\s/, "")}` : before,
        after: end + 160 < text.length ? `${after.replace(/\s\S*$/, "")}…` : after,
      };
    });
}

/** Quotes that were struck, in the words of the check that struck them. */
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
