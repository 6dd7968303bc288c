import type { Answer, Debate } from "../../engine/debate.ts";
import type { Verdict } from "../../engine/pack.ts";
import { createRandom, shuffle } from "../../text/random.ts";
import type { Question } from "./case.ts";
import { castOf, hasJudge, type QuestionConfig } from "./config.ts";
import { decide, voicesOf } from "./decide.ts";
import type { QuestionDecision, Round } from "./decision.ts";
import { type Brief, judgeRole, type SpeakerInput, type speakerRole, speakerRoles } from "./roles.ts";
import type { Judgement, Speech } from "./reply.ts";
import { answerType } from "./case.ts";
import { agreement } from "./tally.ts";

/** `shown` are the rounds so far as speakers and judge read them: without names, in an order drawn once. */
type Table = { debate: Debate; question: Question; config: QuestionConfig; brief: Brief; shown: Round[] };

/** Openings that nobody else has seen, then what the protocol asks for, then a judge or a vote (product spec, sections 2 and 5). */
export async function protocol(
  debate: Debate,
  question: Question,
  config: QuestionConfig,
): Promise<Verdict<QuestionDecision>> {
  const brief = { question, passages: config.passages, speakers: castOf(config) };
  const table = { debate, question, config, brief, shown: [] };
  const rounds = config.protocol === "self-consistency" ? [await samples(table)] : [await openings(table)];
  standOn(table, rounds);
  if (config.protocol === "round-table") await revisions(table, rounds);
  if (config.protocol === "courtroom") rounds.push(await speakRound(table, 2, "rebuttal"));
  const judgement = hasJudge(config) ? await judge(table, rounds) : null;
  return decide({ question, config, rounds, judgement });
}

/** What would be decided if the debate ended with these rounds. */
function standOn({ debate, question, config }: Table, rounds: readonly Round[]): void {
  const held = [...rounds];
  debate.standing(() => decide({ question, config, rounds: held, judgement: null }).decision);
}

function openings(table: Table): Promise<Round> {
  return speakRound(table, 1, "opening");
}

/** Rounds of revision until enough speakers agree, nobody has an answer, or the last round. */
async function revisions(table: Table, rounds: Round[]): Promise<void> {
  const { debate, config } = table;
  for (let n = 2; n <= config.max_rounds; n += 1) {
    const agreed = rounds.at(-1)?.agreement ?? 0;
    const silent = rounds.at(-1)?.speeches.every((speech) => speech.answer === null) ?? true;
    const stop = silent || agreed >= config.stop.agreement;
    debate.note("agreement", {
      after_round: n - 1,
      agreement: agreed,
      needed: config.stop.agreement,
      decision: silent ? "stop_for_silence" : stop ? "stop" : "go_on",
    });
    if (stop) return;
    rounds.push(await speakRound(table, n, "revision"));
    standOn(table, rounds);
  }
}

/** One round: everybody speaks at once, having read the rounds before with names taken off and the order shuffled. */
async function speakRound(
  { debate, question, config, brief, shown }: Table,
  n: number,
  task: SpeakerInput["task"],
): Promise<Round> {
  const roles = speakerRoles(config);
  const history = [...shown];
  const inputOf = (role: { name: string }): SpeakerInput => ({
    ...brief,
    history,
    own: ownAnswer(shown, role.name),
    task,
  });
  const stand = (heard: Answer<Speech>[]): void =>
    debate.standing(() => {
      const rounds = [...history, roundOf(question, n, heard.map(saidOf))];
      return decide({ question, config, rounds, judgement: null }).decision;
    });
  const answers = await debate.round(n, () => debate.askAll(task, roles, inputOf, stand));
  const round = roundOf(question, n, answers.map(saidOf));
  shown.push({ ...round, speeches: shuffle(round.speeches, createRandom(debate.seed + n)) });
  return round;
}

/** The same speaker asked several times, independently. */
async function samples({ debate, question, config, brief }: Table): Promise<Round> {
  const [role] = speakerRoles(config) as [ReturnType<typeof speakerRole>];
  const input: SpeakerInput = { ...brief, history: [], own: null, task: "opening" };
  const taken = await debate.round(1, () =>
    Promise.all(
      Array.from({ length: config.samples }, (_, index) => debate.tryAsk(role, input, `sample-${index + 1}`)),
    ),
  );
  const speeches = taken.flatMap((speech, index) => (speech ? [{ speaker: `sample-${index + 1}`, speech }] : []));
  return roundOf(question, 1, speeches);
}

/** The judge reads what the speakers read; the winner it names by number is told in the order of the speakers. */
async function judge({ debate, brief, shown }: Table, rounds: Round[]): Promise<Judgement | null> {
  const judgement = await debate.round(rounds.length + 1, () =>
    debate.tryAsk(judgeRole, { ...brief, history: [...shown] }),
  );
  if (judgement === null || judgement.winner === null) return judgement;
  const followed = shown.at(-1)?.speeches[judgement.winner - 1];
  const winner = (rounds.at(-1)?.speeches ?? []).findIndex((speech) => speech.speaker === followed?.speaker) + 1;
  return { ...judgement, winner };
}

function saidOf({ role, reply }: { role: string; reply: Speech }): { speaker: string; speech: Speech } {
  return { speaker: role, speech: reply };
}

/** The number under which a speaker finds its own answer in the last round; null when it gave none. */
function ownAnswer(shown: Round[], speaker: string): number | null {
  const number = (shown.at(-1)?.speeches ?? []).findIndex((speech) => speech.speaker === speaker) + 1;
  return number === 0 ? null : number;
}

function roundOf(question: Question, round: number, said: { speaker: string; speech: Speech }[]): Round {
  const speeches = voicesOf(question, said);
  const voices = speeches.map((speech) => ({ ...speech, answer: speech.answer ?? "" }));
  return { round, agreement: agreement(voices, answerType(question)), speeches };
}
