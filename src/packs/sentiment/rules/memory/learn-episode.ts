import { hashValue } from "../../../../engine/hash.ts";
import { languageOf } from "../../../../knowledge/opinions/index.ts";
import type { SentimentConfig } from "../../config/resolve-config.ts";
import type { CaseTurns } from "../../schemas/case-turns.ts";
import type { Episode } from "../../schemas/memory.ts";
import type { SkipReason } from "../../schemas/outcome.ts";
import type { GateOutcome } from "../gate/override-gate.ts";
import { nameGroup, readTextStructure } from "./retrieve-episodes.ts";

const teaching: SkipReason[] = [
  "l3_conservative",
  "action_ambiguity",
  "low_confidence",
  "contradictory_memory",
  "no_evidence_span",
  "evidence_span_not_in_text",
];

/** What a case teaches (sentiment spec §3): a principle about a structure and an aspect group; null when memory is off or nothing was learnt. */
export function learnEpisode(
  { text, text_id, language_code }: CaseTurns,
  { gate, adopted }: { gate: GateOutcome | null; adopted: boolean },
  { condition }: SentimentConfig["memory"],
): Episode | null {
  if (condition === "C1" || gate === null) return null;
  const language = languageOf(language_code);
  const structure = readTextStructure(text, language);
  const file = (aspect: string, principle: (group: string) => string, advice: Episode["advice"]): Episode => {
    const aspect_group = nameGroup(aspect, language);
    const body = { language: language.code, structure, aspect_group, principle: principle(aspect_group), advice };
    return { id: `epi_${hashValue([text_id, body]).slice(0, 12)}`, ...body, outcome: "unknown" };
  };
  if (gate.applied && adopted) {
    const { aspect, polarity } = gate.applied;
    const advice = polarity === "neutral" ? null : polarity;
    return file(
      aspect,
      (group) => `structure ${structure}, group ${group}: votes with evidence carried ${polarity}`,
      advice,
    );
  }
  const stopped = gate.records.find((record) => record.skip_reason && teaching.includes(record.skip_reason));
  if (!stopped) return null;
  const say = (group: string) =>
    `structure ${structure}, group ${group}: the debate was stopped by ${stopped.skip_reason}; keep Stage 1 unless the wording settles it`;
  return file(stopped.aspect, say, "abstain");
}
