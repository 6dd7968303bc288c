import { ParleyError } from "../../contract/error.ts";
import { sha256 } from "../../engine/hash.ts";
import { detectLanguage, readLanguageCode } from "../../knowledge/opinions/index.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { type SentimentConfig, SentimentConfigSchema } from "./config.ts";
import { decideCase, type FinalOutput } from "./decision.ts";
import { createTally } from "./recorded/loose.ts";
import { readDebate } from "./recorded/read-debate.ts";
import { readStage1 } from "./recorded/read-stage1.ts";
import { readStage2 } from "./recorded/read-stage2.ts";
import { createStage1Matcher } from "./rules/tuples/aspect-matcher.ts";

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
  const known = readLanguageCode(recorded.language_code);
  if (known === null && recorded.language_code) tally.add("language_unsupported");
  const language_code = known ?? detectLanguage(text);
  const stage1 = readStage1(recorded.stage1, { text, language_code }, tally);
  const matcher = createStage1Matcher({ text, language_code }, stage1);
  const debate = readDebate(recorded.debate, { text, matcher, sentiments: stage1.aspect_sentiments }, config, tally);
  const stage2 = readStage2(recorded.stage2, text, matcher.terms.includes(""), tally);
  const text_id = recorded.text_id ?? sha256(text).slice(0, 12);
  return decideCase({ text_id, text, language_code, stage1, debate, stage2, problems: tally.counts }, config);
}

function parseConfig(value: unknown): SentimentConfig {
  const parsed = SentimentConfigSchema.safeParse(value ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = explainIssues(SentimentConfigSchema, parsed.error).map(
    ({ path, message }) => `${formatPath(path)}: ${message}`,
  );
  throw new ParleyError("bad_config", `config of the sentiment pack: ${issues.join("; ")}`);
}
