import { groundPatchSummary } from "../roles/debate/ground-patch-summary.ts";
import { groundPatchTurn } from "../roles/debate/ground-patch-turn.ts";
import { openMemoryDesk } from "../rules/memory/memory-desk.ts";
import { retrieveEpisodes } from "../rules/memory/retrieve-episodes.ts";
import { toDebateContext } from "../rules/review/review-context.ts";
import { createStage1Matcher } from "../rules/tuples/aspect-matcher.ts";
import type { PatchTurn, Persona, StanceTurn } from "../schemas/debate.ts";
import type { DebateOutput, TurnStrike } from "../schemas/debate-output.ts";
import type { Stage1 } from "../schemas/stage1.ts";
import type { Setup } from "./setup.ts";

/** The debate of either style: rounds of turns in order, each seeing all before it, then the judge (sentiment spec §3). */
export async function holdDebate(setup: Setup, stage1: Stage1): Promise<DebateOutput> {
  return setup.config.debate.style === "patch" ? debatePatches(setup, stage1) : debateStances(setup, stage1);
}

async function debatePatches(setup: Setup, stage1: Stage1): Promise<DebateOutput> {
  const { debate, roles, input } = setup;
  const strikes: TurnStrike[] = [];
  const { context, matcher, memory, personas, sofar } = openDebate(setup, stage1, strikes);
  const rounds = await runRounds<PatchTurn>(setup, async (key, persona, round, history) => {
    const lines = memory.before(`${round}/${key}`, sofar(history));
    const about = { ...input, context, history, key, persona, round, memory: lines };
    const reply = await debate.tryAsk(roles.patchSpeaker(key, persona), about);
    if (reply === null) return null;
    const grounded = groundPatchTurn(input.text, reply, { key, persona, round }, matcher);
    const struck = (reply.struck ?? []).map(({ code, what }): TurnStrike => ({ speaker: key, round, code, what }));
    strikes.push(...struck, ...grounded.strikes);
    return grounded.turn;
  });
  const turns = rounds.flatMap((round) => round.turns);
  const said = await debate.round(rounds.length + 1, () =>
    debate.tryAsk(roles.patchJudge, { ...input, context, turns, personas }),
  );
  const summary = said && groundPatchSummary(said, matcher);
  for (const { code, what } of [...(said?.struck ?? []), ...(summary?.strikes ?? [])])
    strikes.push({ speaker: "judge", round: rounds.length + 1, code, what });
  const shared = { topic: input.text, personas, rounds, strikes, memory: memory.trace() };
  return { style: "patch", ...shared, summary: summary?.summary ?? null };
}

async function debateStances(setup: Setup, stage1: Stage1): Promise<DebateOutput> {
  const { debate, roles, input } = setup;
  const { context, memory, personas, sofar } = openDebate(setup, stage1, []);
  const rounds = await runRounds<StanceTurn>(setup, async (key, persona, round, history) => {
    const lines = memory.before(`${round}/${key}`, sofar(history));
    const about = { ...input, context, history, key, persona, round, memory: lines };
    const reply = await debate.tryAsk(roles.stanceSpeaker(key, persona), about);
    if (reply === null) return null;
    const { planning, reflection, message, key_points } = reply;
    const stance = persona.stance ?? "neutral";
    return { speaker: key, agent: persona.name, round, stance, planning, reflection, message, key_points };
  });
  const turns = rounds.flatMap((round) => round.turns);
  const summary = await debate.round(rounds.length + 1, () =>
    debate.tryAsk(roles.stanceJudge, { ...input, context, turns, personas }),
  );
  return { style: "stance", topic: input.text, personas, rounds, strikes: [], memory: memory.trace(), summary };
}

/** Runs the rounds; a speaker that abstains leaves no turn. */
async function runRounds<T>(
  { debate, config }: Setup,
  speak: (key: string, persona: Persona, round: number, history: T[]) => Promise<T | null>,
): Promise<{ round: number; turns: T[] }[]> {
  const rounds: { round: number; turns: T[] }[] = [];
  for (let round = 1; round <= config.debate.rounds; round += 1) {
    const turns: T[] = [];
    rounds.push({ round, turns });
    await debate.round(round, async () => {
      for (const key of config.debate.order) {
        const persona = config.debate.personas[key];
        if (!persona) continue;
        const history = rounds.flatMap((one) => one.turns);
        const turn = await speak(key, persona, round, history);
        if (turn !== null) turns.push(turn);
      }
    });
  }
  return rounds;
}

/** What a debate starts with: the shared context, who speaks, and the memory that may be shown. */
function openDebate({ input, config }: Setup, stage1: Stage1, strikes: TurnStrike[]) {
  const matcher = createStage1Matcher(input, stage1);
  const { condition, episodes } = config.memory;
  const aspects = matcher.terms.filter((term) => term !== "");
  const retrieved = condition === "C1" ? [] : retrieveEpisodes(episodes, { ...input, aspects });
  const risks = stage1.validator?.structural_risks ?? [];
  return {
    context: toDebateContext(input.text, stage1),
    matcher,
    memory: openMemoryDesk(retrieved, config.memory, config.debate.injection),
    personas: Object.fromEntries(config.debate.order.map((key) => [key, config.debate.personas[key] as Persona])),
    sofar: (turns: (PatchTurn | StanceTurn)[]) => ({ turns, strikes, risks, matcher }),
  };
}
