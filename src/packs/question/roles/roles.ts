import { isFiled } from "../../../contract/run.ts";
import type { Block } from "../../../contract/prompt.ts";
import { defineRole, type Positions, type Recall, type Role } from "../../../engine/role.ts";
import { answerTypeOf, choicesOf, type Question } from "../schemas/case.ts";
import type { Persona, QuestionConfig } from "../schemas/config.ts";
import { prompts, tasks } from "../prompts/read-prompts.ts";
import {
  checkAnswer,
  checkGroups,
  checkJudgement,
  checkQuotes,
  checkShortAnswer,
  lastSpeeches,
  splitGroups,
  strikeParts,
} from "../rules/check-reply.ts";
import {
  type Judgement,
  JudgementSchema,
  type Material,
  type Passage,
  type Round,
  type SameAnswers,
  SameAnswersSchema,
  type Speech,
  SpeechSchema,
} from "../schemas/debate.ts";

export type Brief = {
  question: Question;
  material: Material;
  speakers: Record<string, Persona>;
  config: QuestionConfig;
};

export type JudgeInput = Brief & { history: Round[] };

export type Task = "opening" | "revision" | "rebuttal";

/** A speaker's input: `own` is the number of its last answer, `found` the result of its search, `sentBack` that it changed its answer without a reason. */
export type SpeakerInput = JudgeInput & {
  own: number | null;
  task: Task;
  found: { query: string; passages: Passage[] } | null;
  sentBack: boolean;
};

export type SameAnswerInput = { question: Question; answers: string[] };

/** Programs for the roles; a speaker gets its place among the speakers and its side. */
export type QuestionExperts = {
  speak(input: SpeakerInput, part: { place: number; stance: Persona["stance"] }): Speech | Promise<Speech>;
  judge(input: JudgeInput): Judgement | Promise<Judgement>;
  compare(input: SameAnswerInput): SameAnswers | Promise<SameAnswers>;
};

export type QuestionRoles = ReturnType<typeof createRoles>;

/** Makes the roles of a debate; the experts play those nobody else plays (question spec §4). */
export function createRoles(experts: QuestionExperts) {
  const sharedBlocks = createSharedBlocks();
  return {
    speakers: (personas: Record<string, Persona>): Role<SpeakerInput, Speech>[] =>
      Object.entries(personas).map(([key, { stance }], place) =>
        createSpeaker(key, sharedBlocks, (input) => experts.speak(input, { place, stance })),
      ),
    judge: createJudge(experts, sharedBlocks),
    sameAnswer: createSameAnswer(experts),
  };
}

/** True when answers may only come from the documents: if there are any, unless the config says otherwise. */
export function isBoundToDocuments({ question, config }: Pick<Brief, "question" | "config">): boolean {
  return question.docs.length > 0 && (config.only_documents ?? true);
}

/** True when a speaker may search: if documents are not shown whole, once per turn. */
export function maySearch({ material, found }: SpeakerInput): boolean {
  return found === null && material.reserve.length > 0;
}

function createSpeaker(
  key: string,
  sharedBlocks: SharedBlocks,
  expert: (input: SpeakerInput) => Speech | Promise<Speech>,
): Role<SpeakerInput, Speech> {
  const contextOf = (input: SpeakerInput) => ({
    question: input.question,
    material: input.material,
    found: input.found?.passages ?? [],
  });
  return defineRole({
    name: key,
    reply: SpeechSchema,
    prompt: (input, last = input.history.at(-1)) => ({
      instructions: prompts["instructions.md"],
      blocks: sharedBlocks(input),
      own: [
        ...(input.found ? [{ label: "FOUND", json: input.found }] : []),
        { label: "PERSONA", json: describePersona(key, input.speakers[key] as Persona) },
        { label: "TASK", text: tasks[input.task] },
        ...(input.own === null || !last ? [] : [{ label: "YOUR PREVIOUS ANSWER", text: labelOf(last, input.own) }]),
        ...(input.config.anti_conformity && last ? [{ label: "RULE", text: prompts["anti-conformity.md"] }] : []),
        ...(input.sentBack ? [{ label: "RULE", text: prompts["send-back.md"] }] : []),
        ...(maySearch(input) ? [{ label: "SEARCH", text: tasks.search }] : []),
      ],
    }),
    check: (speech, input) => {
      if (speech.search !== null && maySearch(input)) return [];
      return [
        ...checkAnswer(speech.answer, input.question),
        ...checkShortAnswer(speech, input.question),
        ...checkQuotes(speech, contextOf(input), isBoundToDocuments(input)),
      ];
    },
    salvage: (speech, problems, input) => strikeParts(speech, problems, contextOf(input)),
    expert,
    aids: { positions: listSpeakerPositions, recall: recallOpening },
  });
}

function createJudge(experts: QuestionExperts, sharedBlocks: SharedBlocks): Role<JudgeInput, Judgement> {
  return defineRole({
    name: "judge",
    reply: JudgementSchema,
    prompt: (input) => ({
      instructions: prompts["judge.md"],
      blocks: sharedBlocks(input),
      own: [{ label: "TASK", text: "judge" }],
    }),
    check: (judgement, input) =>
      checkJudgement(judgement, input.question, lastSpeeches(input.history), isBoundToDocuments(input)),
    expert: (input) => experts.judge(input),
    aids: { positions: listJudgePositions, carry: carryJudgement },
  });
}

function createSameAnswer(experts: QuestionExperts): Role<SameAnswerInput, SameAnswers> {
  return defineRole({
    name: "same_answer",
    reply: SameAnswersSchema,
    prompt: ({ question, answers }) => ({
      instructions: prompts["same-answer.md"],
      blocks: [
        { label: "QUESTION", text: question.question },
        ...answers.map((answer, index) => ({ label: `ANSWER ${index + 1}`, text: answer })),
      ],
      own: [{ label: "TASK", text: "compare" }],
    }),
    check: checkGroups,
    salvage: splitGroups,
    expert: (input) => experts.compare(input),
    aids: { carry: carryGroups },
  });
}

type SharedBlocks = (input: JudgeInput) => Block[];

/** The start of every prompt: the case, and what was said so far (question spec §4.1). Each part is built, and so rendered, once for all who hear it. */
function createSharedBlocks(): SharedBlocks {
  const built = new WeakMap<Material | Round, Block[]>();
  const buildOnce = (part: Material | Round, build: () => Block[]): Block[] => {
    const blocks = built.get(part) ?? build();
    built.set(part, blocks);
    return blocks;
  };
  return (input) => {
    const { history, material } = input;
    const said = history.flatMap((round) => buildOnce(round, () => buildRoundBlocks(round)));
    return [...buildOnce(material, () => buildBriefBlocks(input)), ...said];
  };
}

function buildBriefBlocks({ question, material, config }: Brief): Block[] {
  const choices = choicesOf(question.choices);
  return [
    { label: "QUESTION", text: question.question },
    choices.length > 0 ? { label: "CHOICES", json: choices } : { label: "ANSWER TYPE", text: answerTypeOf(question) },
    ...(question.docs.length === 0 ? [] : buildMaterialBlocks(material, isBoundToDocuments({ question, config }))),
  ];
}

function describePersona(key: string, { role, goal, stance, style }: Persona): object {
  return { key, role, goal, ...(stance && { stance }), ...(style && { style }) };
}

const maxFiles = 200;

/** Whole documents, or passages with a list of all files; changes and contradictions (question spec §4.3). */
function buildMaterialBlocks(material: Material, onlyDocuments: boolean): Block[] {
  const { is_whole, passages, files, conflicts, changes, retrieval } = material;
  return [
    { label: "ANSWER FROM", text: onlyDocuments ? "documents only" : "documents and knowledge" },
    ...(is_whole ? [] : [{ label: "FILES", json: files.slice(0, maxFiles) }]),
    ...(retrieval === "grounded"
      ? []
      : [{ label: "RETRIEVAL", text: `${retrieval}: these are not answers, only how the documents begin` }]),
    ...passages
      .filter(({ source }) => !isFiled(source))
      .map((passage) => Object.fromEntries(Object.entries(passage).filter(([, value]) => value !== null)))
      .map((passage, index) => ({ label: `PASSAGE ${index + 1}`, json: passage })),
    ...(changes.length > 0 ? [{ label: "CHANGES", json: changes }] : []),
    ...(conflicts.length > 0 ? [{ label: "CONFLICTS", json: conflicts }] : []),
  ];
}

function buildRoundBlocks(said: Round): Block[] {
  return said.speeches.map(({ reasoning, quotes, answer, short_answer, confidence }, index) => ({
    label: labelOf(said, index + 1),
    json: { reasoning, quotes, answer, short_answer, confidence },
  }));
}

function labelOf({ round }: Round, number: number): string {
  return `ROUND ${round} ANSWER ${number}`;
}

/** The keys of the choices; null for other questions (question spec §4.4). */
function listSpeakerPositions({ question, history, own }: SpeakerInput): Positions<Speech> | null {
  const said = own === null ? undefined : lastSpeeches(history)[own - 1];
  const before = said && said.canonical !== null ? { answer: said.canonical, confidence: said.confidence } : null;
  // A synthetic speaker has no reasons of its own: why it was persuaded is not modelled.
  return listChoices(question, history, before, (answer, confidence) => {
    const isHeld = before === null || before.answer === answer;
    const moved = `The arguments brought for ${answer} showed a missing step in my derivation.`;
    return sayOnly(answer, confidence, isHeld ? `I hold ${answer}.` : moved);
  });
}

function sayOnly(answer: string | null, confidence: number, reasoning: string): Speech {
  return { reasoning, quotes: [], answer, short_answer: answer, confidence, search: null };
}

function recallOpening({ question, history, task }: SpeakerInput): Recall<Speech> | null {
  if (task !== "opening" || history.length > 0) return null;
  return {
    question: question.question,
    choices: choicesOf(question.choices),
    say: (answer, confidence, words) => {
      const plain = answer === null ? "No answer could be read." : `The answer recorded is ${answer}.`;
      return sayOnly(answer, answer === null ? 0 : confidence, words ?? plain);
    },
  };
}

function listJudgePositions({ question, history }: JudgeInput): Positions<Judgement> | null {
  const speeches = lastSpeeches(history);
  const say = (answer: string, confidence: number): Judgement => {
    const winner = speeches.findIndex(({ canonical }) => canonical === answer) + 1 || null;
    return { reasoning: `I follow ${answer}.`, winner, answer: winner === null ? null : answer, confidence };
  };
  const positions = listChoices(question, history, null, say);
  const argued = positions?.answers.filter((answer) => positions.heard.includes(answer)) ?? [];
  return positions && argued.length > 0 ? { ...positions, answers: argued } : positions;
}

function listChoices<O>(
  question: Question,
  history: readonly Round[],
  own: Positions<O>["own"],
  say: Positions<O>["say"],
): Positions<O> | null {
  if (answerTypeOf(question) !== "choice") return null;
  const answers = choicesOf(question.choices).map(({ key }) => key);
  const heard = lastSpeeches(history).flatMap(({ canonical }) => canonical ?? []);
  return { about: question.id ?? question.question, answers, heard, own, say };
}

function carryJudgement(judgement: Judgement, from: JudgeInput, to: JudgeInput): Judgement {
  if (judgement.winner === null) return judgement;
  const followed = lastSpeeches(from.history)[judgement.winner - 1]?.speaker;
  const at = lastSpeeches(to.history).findIndex(({ speaker }) => speaker === followed);
  return at < 0 ? { ...judgement, winner: null, answer: null } : { ...judgement, winner: at + 1 };
}

function carryGroups({ reasoning, groups }: SameAnswers, from: SameAnswerInput, to: SameAnswerInput): SameAnswers {
  const numbers = new Map(to.answers.map((answer, at) => [answer, at + 1]));
  const kept = groups
    .map((group) => group.flatMap((number) => numbers.get(from.answers[number - 1] ?? "") ?? []))
    .filter((group) => group.length > 0);
  const known = new Set(kept.flat());
  const alone = [...numbers.values()].filter((number) => !known.has(number)).map((number) => [number]);
  return { reasoning, groups: [...kept, ...alone] };
}
