import type { Debate } from "../../engine/debate.ts";
import type { Protocol } from "../../engine/pack.ts";
import { buildBm25, listTerms } from "../../text/search.ts";
import { createRandom, shuffle } from "../../text/random.ts";
import { measureCertainty } from "../../text/random.ts";
import type { Question } from "./schemas/case.ts";
import { comparesAnswers, type QuestionConfig, speakersOf } from "./schemas/config.ts";
import { decide, type Hearing } from "./decision.ts";
import type { Brief, QuestionRoles, SpeakerInput, Task } from "./roles/roles.ts";
import { maySearch } from "./roles/roles.ts";
import { countUnsure, groupAnswers } from "./rules/answer.ts";
import { lastSpeeches } from "./rules/check-reply.ts";
import { checkQuote } from "./rules/quotes.ts";
import {
  comparableOf,
  countVoices,
  findStop,
  type Heard,
  isUnfounded,
  recordRound,
  settleVoices,
  strikeRepaired,
} from "./rules/voices.ts";
import type { Judgement, Material, Passage, QuestionDecision, Round } from "./schemas/debate.ts";

type Ending = Pick<Hearing, "rounds" | "judgement" | "stop" | "asked">;

/** Protocols by name; each begins with independent openings (question spec §2). */
const protocols: Record<QuestionConfig["protocol"], (session: Session) => Promise<Ending>> = {
  single: holdVote,
  vote: holdVote,
  in_order: askInOrder,
  self_consistency: takeSamples,
  "round-table": holdRoundTable,
  courtroom: holdCourt,
};

export function createProtocol(
  makeRoles: () => QuestionRoles,
): Protocol<Question, QuestionConfig, QuestionDecision, Material> {
  return async (debate, { input: question, material }, config) => {
    const session = new Session(debate, makeRoles(), { question, material, config, speakers: speakersOf(config) });
    const ending = await protocols[config.protocol](session);
    return decide({ question, config, retrieval: material.retrieval, ...ending });
  };
}

async function holdVote(session: Session): Promise<Ending> {
  return { rounds: [await session.holdRound(1, "opening")], judgement: null };
}

const enoughCertainty = 0.95;

/** Asks speakers one by one, without the others' answers, until enough agree or the posterior settles it (question spec §2.5). */
async function askInOrder(session: Session): Promise<Ending> {
  const { debate, speakers: keys } = session;
  const { config } = session.brief;
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
        settleVoices([session.record(1, asked, heard)], asked, session.brief),
      ).camps.map(({ speakers }) => speakers.length);
      const certainty = measureCertainty(lead, next);
      const isEnough = config.stop_at === "posterior" ? certainty >= enoughCertainty : lead >= config.stop_at;
      if (isEnough) stop = config.stop_at === "posterior" ? "certainty" : "enough";
      debate.note("in_order", { asked: asked.length, lead, next, certainty, stop_at: config.stop_at, stop: isEnough });
      session.stand([session.record(1, asked, heard)], null, [...asked]);
    }
    return session.settle(1, asked, heard);
  });
  return { rounds: [round], judgement: null, asked, stop };
}

/** Asks one speaker several times independently; each sample is a vote (question spec §2.3). */
async function takeSamples(session: Session): Promise<Ending> {
  const asked = Array.from({ length: session.brief.config.samples }, (_, index) => `sample-${index + 1}`);
  const [speaker = ""] = session.speakers;
  const round = await session.debate.round(1, async () => {
    const heard = await Promise.all(asked.map((name) => session.sample(speaker, name)));
    return session.settle(1, asked, heard.flat());
  });
  return { rounds: [round], judgement: null, asked };
}

/** Openings, then revisions until enough speakers agree, nobody has an answer, or rounds run out (question spec §2.4). */
async function holdRoundTable(session: Session): Promise<Ending> {
  const { config } = session.brief;
  const rounds = [await session.holdRound(1, "opening")];
  for (let n = 2; n <= config.max_rounds; n += 1) {
    const last = rounds.at(-1);
    const stop = findStop(last, config.stop.agreement);
    session.debate.note("agreement", {
      after_round: rounds.length,
      agreement: last?.agreement ?? 0,
      needed: config.stop.agreement,
      decision: stop === null ? "go_on" : "stop",
      reason: stop,
    });
    if (stop) break;
    rounds.push(await session.holdRound(n, "revision", rounds));
  }
  return { rounds, judgement: config.judge === true ? await session.askJudge(rounds) : null };
}

/** Two advocates: openings, rebuttals, and the judge (question spec §2.2). */
async function holdCourt(session: Session): Promise<Ending> {
  const rounds = [await session.holdRound(1, "opening")];
  rounds.push(await session.holdRound(2, "rebuttal", rounds));
  return { rounds, judgement: await session.askJudge(rounds) };
}

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

  get speakers(): string[] {
    return Object.keys(this.brief.speakers);
  }

  stand(rounds: readonly Round[], cut: (() => Round) | null, asked: readonly string[] = this.speakers): void {
    const { question, material, config } = this.brief;
    const ending = { rounds: [...rounds], asked, judgement: null, stop: "cut_off" as const };
    this.debate.standing(
      () => decide({ question, config, retrieval: material.retrieval, cut: cut?.() ?? null, ...ending }).decision,
    );
  }

  /** Holds one round: everyone speaks in parallel, having read the rounds before (question spec §2.1). */
  async holdRound(n: number, task: Task, before: readonly Round[] = []): Promise<Round> {
    const stand = (heard: Heard[]): void => {
      this.stand(before, () => ({ ...this.record(n, this.speakers, heard, before), silent: [] }));
    };
    return this.debate.round(n, async () => {
      const all = this.roles.speakers(this.brief.speakers);
      const first = await this.debate.askAll(task, all, ({ name }) => this.inputFor(name, task), stand);
      const searched = await this.searchFor(first, task, task);
      const heard = before.length === 0 ? searched : await this.sendBack(searched, before, task);
      const round = await this.settle(n, this.speakers, heard, before);
      this.show(round);
      this.stand([...before, round], null);
      return round;
    });
  }

  async sample(speaker: string, name: string): Promise<Heard[]> {
    const step = name === speaker ? "opening" : name;
    const heard = await this.debate.askAll(step, this.findRole(speaker), () => this.inputFor(speaker, "opening"));
    const answers = await this.searchFor(heard, "opening", step);
    return answers.map((one) => ({ ...one, role: name }));
  }

  private inputFor(speaker: string, task: Task): SpeakerInput {
    const history = [...this.shown];
    const own = lastSpeeches(history).findIndex((speech) => speech.speaker === speaker) + 1;
    return { ...this.brief, history, own: own === 0 ? null : own, task, found: null, sentBack: false };
  }

  private findRole(name: string) {
    return this.roles.speakers(this.brief.speakers).filter((role) => role.name === name);
  }

  /** Runs the searches speakers asked for, and asks each again once with the results (question spec §4.3). */
  private async searchFor(heard: Heard[], task: Task, step: string): Promise<Heard[]> {
    return Promise.all(
      heard.map(async (one) => {
        const input = this.inputFor(one.role, task);
        const query = one.reply.search;
        if (query === null || !maySearch(input)) return one;
        const passages = searchReserve(query, this.brief.material);
        const found = passages.map(({ source, heading }) => ({ source, heading }));
        this.debate.note("search", { speaker: one.role, query, found });
        return this.askAgain(one, `${step}-search`, { ...input, found: { query, passages } });
      }),
    );
  }

  /** Asks again, once, every speaker who changed its answer without a new quote or argument (question spec §6.1). */
  private async sendBack(heard: Heard[], before: readonly Round[], task: Task): Promise<Heard[]> {
    return Promise.all(
      heard.map(async (one) => {
        const now = strikeRepaired(this.widen(one), this.brief.question);
        const old = before.at(-1)?.speeches.find(({ speaker }) => speaker === one.role);
        if (!old || one.player === "expert" || !isUnfounded(old, now, this.brief)) return one;
        this.debate.note("sent_back", { speaker: one.role, before: old.answer, after: now.answer });
        return this.askAgain(one, `${task}-again`, { ...this.inputFor(one.role, task), sentBack: true });
      }),
    );
  }

  private async askAgain(one: Heard, step: string, input: SpeakerInput): Promise<Heard> {
    const [again] = await this.debate.askAll(step, this.findRole(one.role), () => input);
    return again ?? one;
  }

  record(
    n: number,
    asked: readonly string[],
    heard: readonly Heard[],
    before: readonly Round[] = [],
    groups: number[][] | null = null,
  ): Round {
    const widened = heard.map((one) => this.widen(one));
    const round = recordRound(this.brief.question, { round: n, asked, heard: widened }, groups);
    const { agreement } = countVoices(settleVoices([...before, { ...round, agreement: 0 }], asked, this.brief));
    return { ...round, agreement };
  }

  /** Records a round. Where the rules cannot tell whether two answers agree, the `same_answer` role is asked, once per round (question spec §5.3). */
  async settle(
    n: number,
    asked: readonly string[],
    heard: readonly Heard[],
    before: readonly Round[] = [],
  ): Promise<Round> {
    const { question, config } = this.brief;
    const said = this.record(n, asked, heard, before);
    if (!comparesAnswers(config)) return said;
    const texts = said.speeches.flatMap((speech) => comparableOf(speech) ?? []);
    const groups = groupAnswers(texts, question);
    const answers = groups.map(([first = 0]) => texts[first] ?? "");
    const unsure = countUnsure(answers, question);
    if (unsure === 0) return said;
    const reply = await this.debate.tryAsk(this.roles.sameAnswer, { question, answers });
    const merged = reply?.groups.map((numbers) => numbers.flatMap((number) => groups[number - 1] ?? [])) ?? groups;
    this.debate.note("same_answer", {
      after_round: n,
      answers: answers.length,
      unsure_pairs: unsure,
      told_apart: merged.length,
      by: reply ? "the same_answer role" : "the rules: what they cannot tell counts as different",
    });
    return this.record(n, asked, heard, before, merged);
  }

  private widen(one: Heard): Heard {
    const { question, material } = this.brief;
    const context = { question, material, found: material.reserve };
    const quotes = one.reply.quotes.map((quote) => checkQuote(quote, null, context).quote);
    return { ...one, reply: { ...one.reply, quotes } };
  }

  /** Shows a round to everyone from now on: anonymously, in a random but fixed order (question spec §2.1). */
  show(round: Round): void {
    this.shown.push({ ...round, speeches: shuffle(round.speeches, createRandom(this.debate.seed + round.round)) });
  }

  async askJudge(rounds: Round[]): Promise<Judgement | null> {
    const history = [...this.shown];
    const judgement = await this.debate.round(rounds.length + 1, () =>
      this.debate.tryAsk(this.roles.judge, { ...this.brief, history }),
    );
    if (judgement === null || judgement.winner === null) return judgement;
    const followed = history.at(-1)?.speeches[judgement.winner - 1];
    const winner = (rounds.at(-1)?.speeches ?? []).findIndex((speech) => speech.speaker === followed?.speaker) + 1;
    return { ...judgement, winner };
  }
}

const mostFound = 6;

function searchReserve(query: string, { reserve }: Material): Passage[] {
  const bagOf = (text: string): Map<string, number> =>
    new Map([...Map.groupBy(listTerms(text), (term) => term)].map(([term, found]) => [term, found.length]));
  const index = buildBm25(reserve.map(({ title, heading, text }) => bagOf([title, heading, text].join(" "))));
  return [...index.score(bagOf(query))]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, mostFound)
    .flatMap(([place]) => reserve[place] ?? []);
}
