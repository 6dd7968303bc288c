import type { LanguageCode } from "../../../knowledge/opinions/index.ts";
import type { DebateOutput } from "./debate-output.ts";
import type { Stage1 } from "./stage1.ts";
import type { Stage2 } from "./stage2.ts";

/** Everything that was said about one text, grounded: what the rules decide from. */
export type CaseTurns = {
  text_id: string;
  text: string;
  language_code: LanguageCode;
  stage1: Stage1;
  debate: DebateOutput | null;
  stage2: Stage2 | null;
  /** What was struck or could not be used of the turns, by kind. */
  problems: Record<string, number>;
};
