import { explainIssues, pathText } from "../../../text/explain-issues.ts";
import { ParleyError } from "../../../contract/error.ts";
import { sha256 } from "../../../engine/hash.ts";
import { type SentimentConfig, SentimentConfigSchema } from "../config/config.ts";
import { stage1Terms } from "../review/review-context.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { aspectMatcher } from "../text/aspect-matcher.ts";
import { detectLanguage, knownLanguage, languageOf } from "../text/detect-language.ts";
import { decideCase } from "./decide-case.ts";
import { createTally } from "./read/loose.ts";
import { readDebate } from "./read/read-debate.ts";
import { readStage1 } from "./read/read-stage1.ts";
import { readStage2 } from "./read/read-stage2.ts";

/** Recorded turns as anyone may have written them down; docs/sentiment-decide.md shows what is understood. */
export type RecordedCase = {
  text: string;
  text_id?: string;
  language_code?: string | null;
  stage1: unknown;
  debate?: unknown;
  stage2?: unknown;
  config?: unknown;
};

/** From recorded turns to the final output by rules alone; of the turns, what cannot be used is struck and counted. */
export function decide(recorded: RecordedCase): FinalOutput {
  const { text } = recorded;
  if (typeof text !== "string" || text.trim() === "")
    throw new ParleyError("bad_input", "decide needs the text that the turns are about, as a non-empty string");
  const config = parseConfig(recorded.config);
  const tally = createTally();
  const known = knownLanguage(recorded.language_code);
  if (known === null && recorded.language_code) tally.add("language_unsupported");
  const language_code = known ?? detectLanguage(text);
  const language = languageOf(language_code);
  const stage1 = readStage1(recorded.stage1, text, language, tally);
  const terms = stage1Terms(stage1);
  const matcher = aspectMatcher(text, terms, language);
  const debate = readDebate(recorded.debate, { text, matcher, sentiments: stage1.aspect_sentiments }, config, tally);
  const stage2 = readStage2(recorded.stage2, text, terms.includes(""), tally);
  const text_id = recorded.text_id ?? sha256(text).slice(0, 12);
  return decideCase({ text_id, text, language_code, stage1, debate, stage2, problems: tally.counts }, config);
}

function parseConfig(value: unknown): SentimentConfig {
  const parsed = SentimentConfigSchema.safeParse(value ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = explainIssues(SentimentConfigSchema, parsed.error).map(
    ({ path, message }) => `${pathText(path)}: ${message}`,
  );
  throw new ParleyError("bad_config", `config of the sentiment pack: ${issues.join("; ")}`);
}
