import { ParleyError } from "../../contract/error.ts";
import { sha256 } from "../../engine/hash.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { type SentimentConfig, SentimentConfigSchema } from "./config/config.ts";
import { decideCase, type FinalOutput } from "./decision.ts";
import { prepare } from "./prepare.ts";
import { readTurns } from "./recorded.ts";
import { type Material, MaterialSchema } from "./schemas/material.ts";

export type RecordedCase = {
  text: string;
  text_id?: string;
  language_code?: string | null;
  material?: unknown;
  stage1: unknown;
  debate?: unknown;
  stage2?: unknown;
  config?: unknown;
};

/** Decides recorded turns by rules alone; unusable parts are struck and counted. */
export function decide(recorded: RecordedCase): FinalOutput {
  const { text } = recorded;
  if (typeof text !== "string" || text.trim() === "")
    throw new ParleyError("bad_input", "decide needs the text that the turns are about, as a non-empty string");
  const config = parseConfig(recorded.config);
  const given = MaterialSchema.safeParse(recorded.material);
  const material: Material = given.success
    ? given.data
    : prepare({ text, language_code: recorded.language_code }, config);
  const turns = readTurns(recorded, material, config);
  const text_id = recorded.text_id ?? sha256(text).slice(0, 12);
  return decideCase({ text_id, source: text, material, ...turns }, config);
}

function parseConfig(value: unknown): SentimentConfig {
  const parsed = SentimentConfigSchema.safeParse(value ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = explainIssues(SentimentConfigSchema, parsed.error).map(
    ({ path, message }) => `${formatPath(path)}: ${message}`,
  );
  throw new ParleyError("bad_config", `config of the sentiment pack: ${issues.join("; ")}`);
}
