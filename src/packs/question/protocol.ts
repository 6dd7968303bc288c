import type { Answer, Debate } from "../../engine/debate.ts";
import type { Protocol } from "../../engine/pack.ts";
import type { Role } from "../../engine/role.ts";
import { createRandom, shuffle } from "../../text/random.ts";
import { hasJudge, speakersOf } from "./config.ts";
import { decide, recordRound } from "./decision.ts";
import type { QuestionRoles } from "./roles/create-roles.ts";
import type { Brief, SpeakerInput, Task } from "./roles/role-inputs.ts";
import { findStop } from "./rules/stop.ts";
import type { QuestionConfig } from "./schemas/config.ts";
import type { QuestionDecision, Round } from "./schemas/decision.ts";
import type { Question } from "./schemas/question.ts";
import type { Judgement, Speech } from "./schemas/reply.ts";

/** One debate under way; `shown` are the rounds so far as speakers and judge read them: without names, in an order drawn once. */
type Session = { debate: Debate; roles: QuestionRoles; config: QuestionConfig; brief: Brief; shown: Round[] };

/** Openings that nobody else has seen, then what the protocol asks for, then a judge or a vote (question spec §2). */
export function createProtocol(roles: QuestionRoles): Protocol<Question, QuestionConfig, QuestionDecision> {
  return async (debate, question, config) => {
    const brief = { question, passages: config.passages, speakers: speakersOf(config) };
    const session: Session = { debate, roles, config, brief, shown: [] };
    const first = config.protocol === "self_consistency" ? takeSamples(session) : holdRound(session, 1, "opening");
    const rounds = [await first];
    holdStanding(session, rounds);
    if (config.protocol === "round-table") await revise(session, rounds);
    if (config.protocol === "courtroom") rounds.push(await holdRound(session, 2, "rebuttal"));
    const judgement = hasJudge(config) ? await askJudge(session, rounds) : null;
    return decide({ question, config, rounds, judgement });
  };
}

/** Says what would be decided if the debate ended with these rounds. */
function holdStanding({ debate, config, brief: { question } }: Session, rounds: readonly Round[]): void {
  const held = [...rounds];
  debate.standing(() => decide({ question, config, rounds: held, judgement: null }).decision);
}

/** Holds rounds of revision until enough speakers agree, nobody has an answer, or the last round is over (question spec §2.4). */
async function revise(session: Session, rounds: Round[]): Promise<void> {
  const { debate, config } = session;
  for (let n = 2; n <= config.max_rounds; n += 1) {
    const stop = findStop(rounds.at(-1), config.stop.agreement);
    debate.note("agreement", {
      after_round: n - 1,
      agreement: rounds.at(-1)?.agreement ?? 0,
      needed: config.stop.agreement,
      decision: stop === "silence" ? "stop_for_silence" : stop === "agreement" ? "stop" : "go_on",
    });
    if (stop) return;
    rounds.push(await holdRound(session, n, "revision"));
    holdStanding(session, rounds);
  }
}

/** Holds one round: everybody speaks at once, having read the rounds before with names taken off and the order shuffled. */
async function holdRound({ debate, roles, config, brief, shown }: Session, n: number, task: Task): Promise<Round> {
  const { question } = brief;
  const history = [...shown];
  const inputFor = (role: { name: string }): SpeakerInput => ({
    ...brief,
    history,
    own: findOwnAnswer(shown, role.name),
    task,
  });
  const stand = (heard: Answer<Speech>[]): void =>
    debate.standing(() => {
      const rounds = [...history, recordRound(question, n, heard)];
      return decide({ question, config, rounds, judgement: null }).decision;
    });
  const answers = await debate.round(n, () => debate.askAll(task, roles.speakers(brief.speakers), inputFor, stand));
  const round = recordRound(question, n, answers);
  shown.push({ ...round, speeches: shuffle(round.speeches, createRandom(debate.seed + n)) });
  return round;
}

/** Asks the same speaker several times, independently (question spec §2.3). */
async function takeSamples({ debate, roles, config, brief }: Session): Promise<Round> {
  const [role] = roles.speakers(brief.speakers) as [Role<SpeakerInput, Speech>];
  const input: SpeakerInput = { ...brief, history: [], own: null, task: "opening" };
  const names = Array.from({ length: config.samples }, (_, index) => `sample-${index + 1}`);
  const taken = await debate.round(1, () => Promise.all(names.map((name) => debate.tryAsk(role, input, name))));
  const said = taken.flatMap((reply, index) => (reply ? [{ role: names[index] as string, reply }] : []));
  return recordRound(brief.question, 1, said);
}

/** Asks the judge, who reads what the speakers read; the winner it names by number is told in the order of the speakers. */
async function askJudge({ debate, roles, brief, shown }: Session, rounds: Round[]): Promise<Judgement | null> {
  const judgement = await debate.round(rounds.length + 1, () =>
    debate.tryAsk(roles.judge, { ...brief, history: [...shown] }),
  );
  if (judgement === null || judgement.winner === null) return judgement;
  const followed = shown.at(-1)?.speeches[judgement.winner - 1];
  const winner = (rounds.at(-1)?.speeches ?? []).findIndex((speech) => speech.speaker === followed?.speaker) + 1;
  return { ...judgement, winner };
}

/** The number under which a speaker finds its own answer in the last round; null when it gave none. */
function findOwnAnswer(shown: Round[], speaker: string): number | null {
  const number = (shown.at(-1)?.speeches ?? []).findIndex((speech) => speech.speaker === speaker) + 1;
  return number === 0 ? null : number;
}
