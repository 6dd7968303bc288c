import type { QuestionConfig } from "../../packs/question/index.ts";

/** How a question is settled in the lab: settings of the question pack, and whether it is one of the controls. */
export type LabArm = { name: string; about: string; control: boolean; config: Partial<QuestionConfig> };

/** The arms by name: what every debate is measured against comes first. */
export const labArms: readonly LabArm[] = [
  { name: "single", about: "one speaker", control: true, config: { protocol: "single" } },
  { name: "vote", about: "three speakers who vote", control: true, config: { protocol: "vote" } },
  {
    name: "self_consistency",
    about: "one speaker, asked as often as the debate asks",
    control: true,
    config: { protocol: "self_consistency", samples: 9 },
  },
  {
    name: "adaptive_vote",
    about: "one speaker, asked until the vote is settled",
    control: true,
    config: { protocol: "in_order", stop_at: "posterior", samples: 9 },
  },
  {
    name: "self_moa",
    about: "one speaker, asked eight times, and a judge who aggregates",
    control: true,
    config: { protocol: "self-moa", samples: 8 },
  },
  {
    name: "mixed",
    about: "three speakers and a judge who aggregates",
    control: true,
    config: { protocol: "round-table", max_rounds: 1, judge: true },
  },
  {
    name: "on_disagreement",
    about: "three speakers; a revision only where they disagree",
    control: false,
    config: { protocol: "on-disagreement" },
  },
  {
    name: "debate",
    about: "three speakers, three rounds",
    control: false,
    config: { protocol: "round-table", max_rounds: 3 },
  },
];
