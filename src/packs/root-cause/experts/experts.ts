import type { ReasonerInput, RootCauseExperts } from "../roles/roles.ts";
import { judgeByFacts } from "./judge.ts";
import { propose } from "./propose.ts";
import { refine } from "./refine.ts";

const speak = (input: ReasonerInput) => (input.round === 1 ? propose(input) : refine(input));

export const experts: RootCauseExperts = { log_focused: speak, kg_focused: speak, hybrid: speak, judge: judgeByFacts };
