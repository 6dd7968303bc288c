import { groundPatchTurn } from "../roles/debate/ground-patch-turn.ts";
import { toDebateContext } from "../rules/review/review-context.ts";
import { createStage1Matcher } from "../rules/tuples/aspect-matcher.ts";
import { takeMajority, voteOnStage1 } from "../rules/vote/vote-on-stage1.ts";
import type { PatchTurn } from "../schemas/debate.ts";
import { askStage1, type Stage1Result } from "./ask-stage1.ts";
import type { Setup } from "./setup.ts";

/** Stage 1 alone. */
export function askOnce(setup: Setup): Promise<Stage1Result> {
  return askStage1(setup, { validate: false });
}

/** Independent readings of the same text; what most of them say stands. */
export async function askRepeatedly(setup: Setup): Promise<Stage1Result> {
  const { debate, input, config } = setup;
  const readings: Stage1Result[] = [];
  for (let sample = 1; sample <= config.samples; sample += 1)
    readings.push(await askStage1(setup, { validate: false, step: `sample-${sample}` }));
  const answered = readings.filter((reading) => reading.silent.length === 0);
  debate.note("vote", { readings: readings.length, answered: answered.length });
  return {
    stage1: takeMajority(
      input.text,
      answered.map((reading) => reading.stage1),
    ),
    silent: answered.length * 2 > readings.length ? [] : (readings[0]?.silent ?? ["ate"]),
    strikes: readings.flatMap((reading) => reading.strikes),
  };
}

/** Independent openings of the speakers on Stage 1, unseen by each other, then a vote; stances have no edits and vote by readings. */
export async function askForVotes(setup: Setup): Promise<Stage1Result> {
  const { debate, roles, input, config } = setup;
  if (config.debate.style === "stance") return askRepeatedly(setup);
  const first = await askStage1(setup, { validate: config.enable_validator });
  if (first.silent.some((role) => role !== "validator")) return first;
  const matcher = createStage1Matcher(input, first.stage1);
  const context = toDebateContext(input.text, first.stage1);
  const openings = await debate.round(1, () =>
    Promise.all(
      config.debate.order.flatMap((key) => {
        const persona = config.debate.personas[key];
        if (!persona) return [];
        const about = { ...input, context, history: [], key, persona, round: 1, memory: null };
        return [debate.tryAsk(roles.patchSpeaker(key, persona), about).then((reply) => ({ key, persona, reply }))];
      }),
    ),
  );
  const turns = openings.flatMap(({ key, persona, reply }): PatchTurn[] =>
    reply === null ? [] : [groundPatchTurn(input.text, reply, { key, persona, round: 1 }, matcher).turn],
  );
  const { stage1, ballots } = voteOnStage1(input.text, first.stage1, turns);
  debate.note("vote", { openings: turns.length, ballots });
  return { ...first, stage1 };
}
