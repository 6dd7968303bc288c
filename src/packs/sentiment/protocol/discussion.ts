import type { Debate } from "../../../engine/debate.ts";
import type { SentimentConfig } from "../config/config.ts";
import { groundPatchSummary } from "../debate/ground-patch-summary.ts";
import { groundPatchTurn } from "../debate/ground-patch-turn.ts";
import { openMemoryDesk } from "../memory/memory-desk.ts";
import { retrieveEpisodes } from "../memory/retrieve-episodes.ts";
import { stage1Terms } from "../review/review-context.ts";
import type { AteInput, DebateContext } from "../role-inputs.ts";
import type { SentimentRoles } from "../roles/roles.ts";
import type { PatchTurn, Persona, StanceTurn } from "../schemas/debate.ts";
import type { DebateOutput, TurnStrike } from "../schemas/debate-output.ts";
import type { Stage1 } from "../schemas/stage1.ts";
import { aspectMatcher } from "../text/aspect-matcher.ts";
import { languageOf } from "../text/detect-language.ts";

type Table = { debate: Debate; roles: SentimentRoles; input: AteInput; stage1: Stage1; config: SentimentConfig };

/** The debate of either style: rounds of turns in order, each seeing all before it, then the judge (spec section 3). */
export async function discuss(table: Table): Promise<DebateOutput> {
  return table.config.debate.style === "patch" ? discussPatches(table) : discussStances(table);
}

async function discussPatches(table: Table): Promise<DebateOutput> {
  const { debate, roles, input } = table;
  const context = contextOf(input.text, table.stage1);
  const strikes: TurnStrike[] = [];
  const setting = settingOf(table, strikes);
  const rounds = await inRounds<PatchTurn>(table, async (key, persona, round, history) => {
    const memory = setting.memory.before(`${round}/${key}`, setting.sofar(history));
    const reply = await debate.tryAsk(roles.patchSpeaker(key, persona), {
      ...input,
      context,
      history,
      key,
      persona,
      round,
      memory,
    });
    if (reply === null) return null;
    const grounded = groundPatchTurn(input.text, reply, { key, persona, round }, setting.matcher);
    strikes.push(...grounded.strikes);
    return grounded.turn;
  });
  const turns = rounds.flatMap((round) => round.turns);
  const { personas } = setting;
  const said = await debate.round(rounds.length + 1, () =>
    debate.tryAsk(roles.patchJudge, { ...input, context, turns, personas }),
  );
  const summary = said && groundPatchSummary(said, setting.matcher);
  for (const { code, what } of summary?.strikes ?? [])
    strikes.push({ speaker: "judge", round: rounds.length + 1, code, what });
  return {
    style: "patch",
    topic: input.text,
    personas,
    rounds,
    strikes,
    memory: setting.memory.trace(),
    summary: summary?.summary ?? null,
  };
}

async function discussStances(table: Table): Promise<DebateOutput> {
  const { debate, roles, input } = table;
  const context = contextOf(input.text, table.stage1);
  const setting = settingOf(table, []);
  const rounds = await inRounds<StanceTurn>(table, async (key, persona, round, history) => {
    const memory = setting.memory.before(`${round}/${key}`, setting.sofar(history));
    const role = roles.stanceSpeaker(key, persona);
    const reply = await debate.tryAsk(role, { ...input, context, history, key, persona, round, memory });
    if (reply === null) return null;
    const { planning, reflection, message, key_points } = reply;
    const stance = persona.stance ?? "neutral";
    return { speaker: key, agent: persona.name, round, stance, planning, reflection, message, key_points };
  });
  const turns = rounds.flatMap((round) => round.turns);
  const { personas } = setting;
  const summary = await debate.round(rounds.length + 1, () =>
    debate.tryAsk(roles.stanceJudge, { ...input, context, turns, personas }),
  );
  return { style: "stance", topic: input.text, personas, rounds, strikes: [], memory: setting.memory.trace(), summary };
}

/** Runs the rounds; a speaker that abstains leaves no turn. */
async function inRounds<T>(
  { debate, config }: Table,
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
        const turn = await speak(
          key,
          persona,
          round,
          rounds.flatMap((one) => one.turns),
        );
        if (turn !== null) turns.push(turn);
      }
    });
  }
  return rounds;
}

function settingOf({ input, stage1, config }: Table, strikes: TurnStrike[]) {
  const language = languageOf(input.language_code);
  const terms = stage1Terms(stage1);
  const matcher = aspectMatcher(input.text, terms, language);
  const { condition, episodes } = config.memory;
  const aspects = terms.filter((term) => term !== "");
  const retrieved = condition === "C1" ? [] : retrieveEpisodes(episodes, { text: input.text, aspects, language });
  const risks = stage1.validator?.structural_risks ?? [];
  return {
    matcher,
    memory: openMemoryDesk(retrieved, config.memory, config.debate.injection),
    personas: Object.fromEntries(config.debate.order.map((key) => [key, config.debate.personas[key] as Persona])),
    sofar: (turns: (PatchTurn | StanceTurn)[]) => ({ turns, strikes, risks, matcher }),
  };
}

/** [SHARED_CONTEXT_JSON] of a debate. */
export function contextOf(text: string, stage1: Stage1): DebateContext {
  return {
    text,
    stage1_aspects: stage1.aspects,
    stage1_aspect_sentiments: stage1.aspect_sentiments,
    stage1_structural_risks: stage1.validator?.structural_risks ?? [],
    stage1_correction_proposals: stage1.validator?.correction_proposals ?? [],
  };
}
