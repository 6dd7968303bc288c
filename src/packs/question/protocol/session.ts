import type { Answer, Debate } from "../../../engine/debate.ts";
import { createRandom, shuffle } from "../../../text/random.ts";
import type { QuestionRoles } from "../roles/create-roles.ts";
import type { Brief, SpeakerInput, Task } from "../roles/role-inputs.ts";
import { recordRound } from "../rules/record-round.ts";
import { speakersOf } from "../rules/speakers.ts";
import type { QuestionConfig } from "../schemas/config.ts";
import type { Round } from "../schemas/decision.ts";
import type { Question } from "../schemas/question.ts";
import type { Judgement, Speech } from "../schemas/reply.ts";
import type { Said } from "../schemas/said.ts";
import { settleRound } from "./settle-round.ts";

/** One debate under way; `shown` are the rounds so far as speakers and judge read them, in an order drawn once. */
export type Session = {
  debate: Debate;
  roles: QuestionRoles;
  config: QuestionConfig;
  brief: Brief;
  shown: Round[];
  /** What would be decided on these rounds, without a judge. */
  decide(rounds: Round[]): unknown;
};

/** What a protocol comes to, before the rules decide. */
export type Heard = Pick<Said, "rounds" | "judgement" | "stop" | "asked">;

/** Opens a debate on a question. */
export function openSession(
  debate: Debate,
  roles: QuestionRoles,
  { question, config, decide }: { question: Question; config: QuestionConfig; decide(said: Said): unknown },
): Session {
  const { passages, document_characters, only_documents, anonymous, anti_conformity } = config;
  const brief: Brief = {
    question,
    reading: { passages, characters: document_characters },
    speakers: speakersOf(config),
    manner: { only_documents, anonymous, anti_conformity },
  };
  return {
    debate,
    roles,
    config,
    brief,
    shown: [],
    decide: (rounds) => decide({ question, config, rounds, judgement: null }),
  };
}

/** Says what would be decided if the debate ended with these rounds. */
export function holdStanding({ debate, decide }: Session, rounds: readonly Round[]): void {
  const held = [...rounds];
  debate.standing(() => decide(held));
}

/** Holds one round: everybody speaks at once, having read the rounds before (question spec §2.1). */
export async function holdRound(
  session: Session,
  n: number,
  task: Task,
  who = Object.keys(session.brief.speakers),
): Promise<Round> {
  const { debate, roles, brief, shown, decide } = session;
  const history = [...shown];
  const inputFor = (role: { name: string }): SpeakerInput => ({
    ...brief,
    history,
    own: findOwnAnswer(history, role.name),
    task,
  });
  const stand = (heard: Answer<Speech>[]): void =>
    debate.standing(() => decide([...history, recordRound(brief.question, n, heard)]));
  const speaking = roles.speakers(brief.speakers).filter(({ name }) => who.includes(name));
  return debate.round(n, async () => {
    const round = await settleRound(session, n, await debate.askAll(task, speaking, inputFor, stand));
    showRound(session, round);
    return round;
  });
}

/** Lets everyone read a round from now on: without names, in an order drawn once (question spec §2.1). */
export function showRound({ debate, shown }: Session, round: Round): void {
  shown.push({ ...round, speeches: shuffle(round.speeches, createRandom(debate.seed + round.round)) });
}

/** Asks the judge, who reads what the speakers read; the winner it names by number is told in the order of the speakers. */
export async function askJudge(
  { debate, roles, brief, shown }: Session,
  rounds: Round[],
  sight: "all" | "quotes" = "all",
): Promise<Judgement | null> {
  const judgement = await debate.round(rounds.length + 1, () =>
    debate.tryAsk(roles.judge, { ...brief, history: [...shown], sight }),
  );
  if (judgement === null || judgement.winner === null) return judgement;
  const followed = shown.at(-1)?.speeches[judgement.winner - 1];
  const winner = (rounds.at(-1)?.speeches ?? []).findIndex((speech) => speech.speaker === followed?.speaker) + 1;
  return { ...judgement, winner };
}

/** The number under which a speaker finds its own answer in the last round, or that of its camp; null when it gave none. */
function findOwnAnswer(shown: Round[], speaker: string): number | null {
  const speeches = shown.at(-1)?.speeches ?? [];
  const number = speeches.findIndex((speech) => speech.speaker === speaker) + 1;
  return number === 0 ? null : number;
}
