import type { Debate } from "../../../engine/debate.ts";
import type { SentimentConfig } from "../config/config.ts";
import { groundPatchTurn } from "../debate/ground-patch-turn.ts";
import type { AteInput } from "../role-inputs.ts";
import type { SentimentRoles } from "../roles/roles.ts";
import { matcherOf } from "../roles/stage1-roles.ts";
import type { PatchTurn } from "../schemas/debate.ts";
import { contextOf } from "./discussion.ts";
import { askStage1, type Stage1Result } from "./stage1.ts";
import { majorityOfReadings, voteOnStage1 } from "./vote.ts";

type Table = { debate: Debate; roles: SentimentRoles; input: AteInput; config: SentimentConfig };

/** Stage 1 alone. */
export function single({ debate, roles, input }: Table): Promise<Stage1Result> {
  return askStage1(debate, roles, input, { validate: false });
}

/** Independent readings of the same text; what most of them say stands. */
export async function selfConsistency({ debate, roles, input, config }: Table): Promise<Stage1Result> {
  const readings: Stage1Result[] = [];
  for (let sample = 1; sample <= config.samples; sample += 1)
    readings.push(await askStage1(debate, roles, input, { validate: false, step: `sample-${sample}` }));
  const answered = readings.filter((reading) => reading.silent.length === 0);
  debate.note("vote", { readings: readings.length, answered: answered.length });
  return {
    stage1: majorityOfReadings(
      input.text,
      answered.map((reading) => reading.stage1),
    ),
    silent: answered.length * 2 > readings.length ? [] : (readings[0]?.silent ?? ["ate"]),
    strikes: readings.flatMap((reading) => reading.strikes),
  };
}

/** Independent openings of the speakers on Stage 1, unseen by each other, then a vote; stances have no edits and vote by readings. */
export async function vote(table: Table): Promise<Stage1Result> {
  const { debate, roles, input, config } = table;
  if (config.debate.style === "stance") return selfConsistency(table);
  const first = await askStage1(debate, roles, input, { validate: config.enable_validator });
  if (first.silent.some((role) => role !== "validator")) return first;
  const { aspects, aspect_sentiments } = first.stage1;
  const matcher = matcherOf({ ...input, aspects, aspect_sentiments });
  const context = contextOf(input.text, first.stage1);
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
