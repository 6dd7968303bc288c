import type { Debate } from "../../engine/debate.ts";
import type { Protocol } from "../../engine/pack.ts";
import { buildBm25 } from "../../text/bm25.ts";
import { createRandom, shuffle } from "../../text/random.ts";
import { listTerms } from "../../text/terms.ts";
import { measureCertainty } from "../../text/vote-certainty.ts";
import type { Question } from "./schemas/case.ts";
import { comparesAnswers, type QuestionConfig, speakersOf } from "./schemas/config.ts";
import { decide, type Hearing } from "./decision.ts";
import type { Brief, QuestionRoles, SpeakerInput, Task } from "./roles/roles.ts";
import { maySearch } from "./roles/roles.ts";
import { groupAnswers } from "./rules/answer.ts";
import { checkQuote } from "./rules/quotes.ts";
import {
  comparableOf,
  countVoices,
  findStop,
  type Heard,
  isUnfounded,
  recordRound,
  settleVoices,
} from "./rules/voices.ts";
import type { Judgement, Material, Passage, QuestionDecision, Round } from "./schemas/debate.ts";

type Ending = Pick<Hearing, "rounds" | "judgement" | "stop" | "asked">;

/** The protocols by name: each begins with openings that nobody else has seen (question spec §2). */
const protocols: Record<QuestionConfig["protocol"], (session: Session) => Promise<Ending>> = {
  single: holdVote,
  vote: holdVote,
  in_order: askInOrder,
  self_consistency: takeSamples,
  "on-disagreement": debateOnDisagreement,
  critic: holdCritique,
  "quotes-only": judgeQuotes,
  "round-table": holdRoundTable,
  courtroom: holdCourt,
  "self-moa": aggregateSamples,
};

/** Holds the debate as its protocol says, then decides by the judge or the vote. */
export function createProtocol(
  makeRoles: () => QuestionRoles,
): Protocol<Question, QuestionConfig, QuestionDecision, Material> {
  return async (debate, { input: question, material }, config) => {
    const session = new Session(debate, makeRoles(), { question, material, config, speakers: speakersOf(config) });
    const ending = await protocols[config.protocol](session);
    return decide({ question, config, retrieval: material.retrieval, ...ending });
  };
}

/** Independent openings, then a vote; with one speaker, that speaker decides. */
async function holdVote(session: Session): Promise<Ending> {
  return { rounds: [await session.holdRound(1, "opening")], judgement: null };
}

/** The speakers one after the other, each without the others' answers, until enough agree or the posterior settles it (question spec §2.5). */
async function askInOrder(session: Session): Promise<Ending> {
  const { debate, config } = session;
  const keys = Object.keys(session.brief.speakers);
  const most =
    config.stop_at === "posterior" || keys.length === 1 ? Math.max(keys.length, config.samples) : keys.length;
  const heard: Heard[] = [];
  const asked: string[] = [];
  let stop: Ending["stop"] = "fixed";
  const round = await debate.round(1, async () => {
    while (asked.length < most && stop === "fixed") {
      const turn = asked.length;
      const name = turn < keys.length ? (keys[turn] as string) : `sample-${turn + 1}`;
      asked.push(name);
      heard.push(...(await session.sample(keys[turn % keys.length] as string, name)));
      const [lead = 0, next = 0] = countVoices(
        settleVoices([session.record(1, asked, heard)], asked, session.standard),
      ).camps.map(({ speakers }) => speakers.length);
      const certainty = measureCertainty(lead, next);
      const isEnough = config.stop_at === "posterior" ? certainty >= config.stop.certainty : lead >= config.stop_at;
      if (isEnough) stop = config.stop_at === "posterior" ? "certainty" : "enough";
      debate.note("in_order", { asked: asked.length, lead, next, certainty, stop_at: config.stop_at, stop: isEnough });
      session.stand([session.record(1, asked, heard)], null, [...asked]);
    }
    return session.settle(1, asked, heard);
  });
  return { rounds: [round], judgement: null, asked, stop };
}

/** One speaker, asked several times independently; each sample is a voice (question spec §2.3). */
async function takeSamples(session: Session): Promise<Ending> {
  const asked = Array.from({ length: session.config.samples }, (_, index) => `sample-${index + 1}`);
  const [speaker = ""] = Object.keys(session.brief.speakers);
  const round = await session.debate.round(1, async () => {
    const heard = await Promise.all(asked.map((name) => session.sample(speaker, name)));
    return session.settle(1, asked, heard.flat());
  });
  session.show(round);
  session.stand([round], null, asked);
  return { rounds: [round], judgement: null, asked };
}

/** One speaker, asked several times independently; a judge reads all the samples and follows one (question spec §2.9). */
async function aggregateSamples(session: Session): Promise<Ending> {
  const { rounds, asked } = await takeSamples(session);
  return { rounds, asked, judgement: await session.askJudge(rounds) };
}

/** Openings, then rounds of revision until enough speakers agree, nobody has an answer, or the last round is over (question spec §2.4). */
async function holdRoundTable(session: Session): Promise<Ending> {
  const { config } = session;
  const rounds = [await session.holdRound(1, "opening")];
  for (let n = 2; n <= config.max_rounds; n += 1) {
    const stop = findStop(rounds.at(-1), config.stop.agreement);
    session.noteAgreement(rounds, stop === null ? "go_on" : stop === "silence" ? "stop_for_silence" : "stop");
    if (stop) break;
    rounds.push(await session.holdRound(n, "revision", rounds));
  }
  return { rounds, judgement: config.judge === true ? await session.askJudge(rounds) : null };
}

/** A debate only where the openings disagree: then one revision, in which everyone reads one answer of each camp (question spec §2.6). */
async function debateOnDisagreement(session: Session): Promise<Ending> {
  const { config, shown } = session;
  const opening = await session.holdRound(1, "opening");
  const stop = findStop(opening, config.stop.agreement);
  session.noteAgreement([opening], stop === null ? "debate" : stop === "agreement" ? "stop" : "stop_for_silence");
  if (stop) return { rounds: [opening], judgement: null, stop };
  shown.splice(0, shown.length, keepSpokesmen(shown[0] ?? opening));
  const rounds = [opening, await session.holdRound(2, "revision", [opening])];
  return { rounds, judgement: null, stop: findStop(rounds[1], config.stop.agreement) ?? "max_rounds" };
}

/** The most confident speech of each camp. */
function keepSpokesmen(round: Round): Round {
  const camps = Map.groupBy(
    round.speeches.filter(({ canonical }) => canonical !== null),
    ({ canonical }) => canonical,
  );
  const best = [...camps.values()].flatMap((camp) => camp.toSorted((a, b) => b.confidence - a.confidence)[0] ?? []);
  return { ...round, speeches: round.speeches.filter((speech) => best.includes(speech)) };
}

/** Two advocates: openings, rebuttals, and the judge (question spec §2.2). */
async function holdCourt(session: Session): Promise<Ending> {
  const rounds = [await session.holdRound(1, "opening")];
  rounds.push(await session.holdRound(2, "rebuttal", rounds));
  return { rounds, judgement: await session.askJudge(rounds) };
}

/**
 * A proposer, an independent critic and a judge: both open without seeing each other, the critic then looks for what is wrong
 * with the proposal, and the judge checks what both rest on. There is no rebuttal (question spec §2.7).
 */
async function holdCritique(session: Session): Promise<Ending> {
  const [proposer = "", reviewer = ""] = Object.keys(session.brief.speakers);
  const opening = await session.holdRound(1, "opening");
  const critique = await session.holdRound(2, "critique", [opening], [reviewer]);
  const standing = [...opening.speeches.filter(({ speaker }) => speaker === proposer), ...critique.speeches];
  const round = session.measure({ ...critique, speeches: session.regroup(standing) }, [opening]);
  session.shown.splice(1, 1);
  session.show(round);
  return { rounds: [opening, round], judgement: await session.askJudge([opening, round]) };
}

/** Independent openings, then a judge that sees the answers and the checked quotes, and nothing else (question spec §2.8). */
async function judgeQuotes(session: Session): Promise<Ending> {
  const rounds = [await session.holdRound(1, "opening")];
  return { rounds, judgement: await session.askJudge(rounds, "quotes") };
}

/** One debate under way; `shown` are the rounds so far as speakers and judge read them, in an order drawn once. */
class Session {
  readonly shown: Round[] = [];
  readonly debate: Debate;
  readonly roles: QuestionRoles;
  readonly brief: Brief;

  constructor(debate: Debate, roles: QuestionRoles, brief: Brief) {
    this.debate = debate;
    this.roles = roles;
    this.brief = brief;
  }

  get config(): QuestionConfig {
    return this.brief.config;
  }

  get standard(): { question: Question; config: QuestionConfig } {
    return { question: this.brief.question, config: this.config };
  }

  get speakers(): string[] {
    return Object.keys(this.brief.speakers);
  }

  /** Says what would be decided if the debate ended with these rounds, the last of them perhaps cut off. */
  stand(rounds: readonly Round[], cut: Round | null, asked: readonly string[] = this.speakers): void {
    const { question, material, config } = this.brief;
    const held = [...rounds];
    this.debate.standing(
      () =>
        decide({
          question,
          config,
          rounds: held,
          cut,
          asked,
          judgement: null,
          stop: "cut_off",
          retrieval: material.retrieval,
        }).decision,
    );
  }

  /** Holds one round: everybody speaks at once, having read the rounds before (question spec §2.1). */
  async holdRound(n: number, task: Task, before: readonly Round[] = [], who = this.speakers): Promise<Round> {
    const history = [...this.shown];
    const { debate } = this;
    const speaking = this.roles.speakers(this.brief.speakers).filter(({ name }) => who.includes(name));
    const stand = (heard: Heard[]): void => {
      const cut = this.record(n, who, heard, before);
      this.stand(before, { ...cut, silent: [] });
    };
    return debate.round(n, async () => {
      const inputFor = (role: { name: string }): SpeakerInput => ({
        ...this.brief,
        history,
        own: findOwnAnswer(history, role.name),
        task,
        found: null,
        sentBack: false,
      });
      const first = await debate.askAll(task, speaking, inputFor, stand);
      const searched = await this.searchFor(first, inputFor, task);
      const heard = before.length === 0 ? searched : await this.sendBack(searched, before, inputFor, task);
      const round = await this.settle(n, who, heard, before);
      this.show(round);
      this.stand([...before, round], null);
      return round;
    });
  }

  /** Asks a speaker once, without the others' answers. */
  async sample(speaker: string, name: string): Promise<Heard[]> {
    const role = this.findRole(speaker);
    const input: SpeakerInput = {
      ...this.brief,
      history: [],
      own: null,
      task: "opening",
      found: null,
      sentBack: false,
    };
    const step = name === speaker ? "opening" : name;
    const heard = await this.debate.askAll(step, role, () => input);
    const answers = await this.searchFor(heard, () => input, step);
    return answers.map((one) => ({ ...one, role: name }));
  }

  /** Looks up what speakers asked for and asks each of them again, once, with what was found (question spec §4.3). */
  private async searchFor(
    heard: Heard[],
    inputFor: (role: { name: string }) => SpeakerInput,
    step: string,
  ): Promise<Heard[]> {
    return Promise.all(
      heard.map(async (one) => {
        const input = inputFor({ name: one.role });
        const query = one.reply.search;
        if (query === null || !maySearch(input)) return one;
        const passages = searchReserve(query, this.brief.material);
        this.debate.note("search", {
          speaker: one.role,
          query,
          found: passages.map(({ source, heading }) => ({ source, heading })),
        });
        const [again] = await this.debate.askAll(`${step}-search`, this.findRole(one.role), () => ({
          ...input,
          found: { query, passages },
        }));
        return again ?? one;
      }),
    );
  }

  /** Sends back, once, who changed its answer without a new quote or argument (question spec §6.1). */
  private async sendBack(
    heard: Heard[],
    before: readonly Round[],
    inputFor: (role: { name: string }) => SpeakerInput,
    task: Task,
  ): Promise<Heard[]> {
    const round = this.record(0, this.speakers, heard, before);
    return Promise.all(
      heard.map(async (one) => {
        const now = round.speeches.find(({ speaker }) => speaker === one.role);
        const old = before.at(-1)?.speeches.find(({ speaker }) => speaker === one.role);
        if (!now || !old || now.program || !isUnfounded(old, now, this.standard)) return one;
        this.debate.note("sent_back", { speaker: one.role, before: old.answer, after: now.answer });
        const [again] = await this.debate.askAll(`${task}-again`, this.findRole(one.role), (role) => ({
          ...inputFor(role),
          sentBack: true,
        }));
        return again ?? one;
      }),
    );
  }

  private findRole(name: string) {
    return this.roles.speakers(this.brief.speakers).filter((role) => role.name === name);
  }

  /** Records a round, answers that rules cannot compare counting as different. */
  record(n: number, asked: readonly string[], heard: readonly Heard[], before: readonly Round[] = []): Round {
    return this.measure(
      recordRound(this.brief.question, { round: n, asked, heard: heard.map((one) => this.widen(one)) }),
      before,
    );
  }

  /** A round with how far its speakers agree, as far as their answers count. */
  measure(round: Omit<Round, "agreement">, before: readonly Round[]): Round {
    const whole = { ...round, agreement: 0 };
    const asked = [...round.speeches.map(({ speaker }) => speaker), ...round.silent];
    const { agreement } = countVoices(settleVoices([...before, whole], asked, this.standard));
    return { ...round, agreement };
  }

  /** Gives speeches of several rounds the forms that they share. */
  regroup(speeches: Round["speeches"]): Round["speeches"] {
    const { question } = this.brief;
    const heard = speeches.map((speech) => ({
      role: speech.speaker,
      player: speech.program ? "expert" : "",
      reply: { ...speech, search: null },
    }));
    const canonical = recordRound(question, { round: 0, asked: [], heard }).speeches;
    return speeches.map((speech, index) => ({ ...speech, canonical: canonical[index]?.canonical ?? null }));
  }

  /** Makes the record of a round. Where rules cannot tell whether two answers say the same, the `same_answer` role is asked, once for the round (question spec §5.3). */
  async settle(
    n: number,
    asked: readonly string[],
    heard: readonly Heard[],
    before: readonly Round[] = [],
  ): Promise<Round> {
    const { question } = this.brief;
    const said = this.record(n, asked, heard, before);
    const texts = said.speeches.flatMap((speech) => comparableOf(speech) ?? []);
    const { groups, unsure } = groupAnswers(texts, question);
    if (unsure.length === 0 || !comparesAnswers(this.config)) return said;
    const answers = groups.map(([first = 0]) => texts[first] ?? "");
    const reply = await this.debate.tryAsk(this.roles.sameAnswer, { question, answers });
    const merged = reply?.groups.map((numbers) => numbers.flatMap((number) => groups[number - 1] ?? [])) ?? groups;
    this.debate.note("same_answer", {
      after_round: n,
      answers: answers.length,
      unsure_pairs: unsure.length,
      told_apart: merged.length,
      by: reply ? "the same_answer role" : "the rules: what they cannot tell counts as different",
    });
    const widened = heard.map((one) => this.widen(one));
    return this.measure(recordRound(question, { round: n, asked, heard: widened }, merged), before);
  }

  /** Quotes are kept as the whole sentences that they are from. */
  private widen(one: Heard): Heard {
    const { question, material } = this.brief;
    const context = { question, material, found: material.reserve };
    const quotes = one.reply.quotes.map((quote) => checkQuote(quote, null, context).quote);
    return { ...one, reply: { ...one.reply, quotes } };
  }

  noteAgreement(rounds: readonly Round[], decision: string): void {
    const agreement = rounds.at(-1)?.agreement ?? 0;
    this.debate.note("agreement", {
      after_round: rounds.length,
      agreement,
      needed: this.config.stop.agreement,
      decision,
    });
  }

  /** Lets everyone read a round from now on: without names, in an order drawn once (question spec §2.1). */
  show(round: Round): void {
    this.shown.push({ ...round, speeches: shuffle(round.speeches, createRandom(this.debate.seed + round.round)) });
  }

  /** Asks the judge, who reads what the speakers read; the winner it names by number is told in the order of the speakers. */
  async askJudge(rounds: Round[], sight: "all" | "quotes" = "all"): Promise<Judgement | null> {
    const history = [...this.shown];
    const judgement = await this.debate.round(rounds.length + 1, () =>
      this.debate.tryAsk(this.roles.judge, { ...this.brief, history, sight }),
    );
    if (judgement === null || judgement.winner === null) return judgement;
    const followed = history.at(-1)?.speeches[judgement.winner - 1];
    const winner = (rounds.at(-1)?.speeches ?? []).findIndex((speech) => speech.speaker === followed?.speaker) + 1;
    return { ...judgement, winner };
  }
}

/** The number under which a speaker finds its own answer in the last round; null when it gave none. */
function findOwnAnswer(shown: Round[], speaker: string): number | null {
  const number = (shown.at(-1)?.speeches ?? []).findIndex((speech) => speech.speaker === speaker) + 1;
  return number === 0 ? null : number;
}

/** The most passages that a further search brings. */
const mostFound = 6;

/** Searches what was kept of the documents beside what is shown: plain word search, the same for every player. */
function searchReserve(query: string, { reserve }: Material): Passage[] {
  const bagOf = (text: string): Map<string, number> =>
    new Map([...Map.groupBy(listTerms(text), (term) => term)].map(([term, found]) => [term, found.length]));
  const index = buildBm25(reserve.map(({ title, heading, text }) => bagOf([title, heading, text].join(" "))));
  return [...index.score(bagOf(query))]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, mostFound)
    .flatMap(([place]) => reserve[place] ?? []);
}
