/** Plays the sentiment pack on scripted replies. */
import type { Budget } from "../../../src/contract/budget.ts";
import type { JournalEntry } from "../../../src/contract/journal.ts";
import { createMemoryJournal } from "../../../src/engine/journal.ts";
import { runDebate } from "../../../src/engine/run-debate.ts";
import { sentiment } from "../../../src/packs/sentiment/pack.ts";
import { type Script, scriptedPlayer } from "../scripted-player.ts";
import { aspect, edit, sentiment as feeling } from "./turns.ts";

export const text = "The food was great but the service was slow";

/** A script in which everybody agrees, with what `over` says instead. */
export function agreeingScript(over: Record<string, unknown[]> = {}): Script {
  const value = (reply: unknown) => ({ value: reply });
  const edits = (...list: unknown[]) => ({ agent: null, proposed_edits: list });
  const speech = {
    speaker: null,
    stance: null,
    planning: "p",
    reflection: "r",
    message: "the service",
    key_points: ["service was slow"],
  };
  const replies: Record<string, unknown[]> = {
    ate: [{ aspects: [aspect(text, "food"), aspect(text, "service")] }],
    atsa: [{ aspect_sentiments: [feeling("food", "positive"), feeling("service", null)] }],
    validator: [{ structural_risks: [], consistency_score: 0.6, correction_proposals: [] }],
    epm: [edits(edit("set_polarity", "service", "negative", { evidence: "slow" }))],
    tan: [edits(edit("confirm_tuple", "service", "negative"))],
    cj: [edits(edit("confirm_tuple", "service", "negative"))],
    analyst: [speech, speech],
    critic: [speech, speech],
    empath: [speech, speech],
    judge: [
      {
        final_patch: [{ op: "set_polarity", target: { aspect_ref: "service" }, value: "negative" }],
        final_tuples: [
          { aspect_ref: "food", polarity: "positive" },
          { aspect_ref: "service", polarity: "negative" },
        ],
        unresolved_conflicts: [],
        sentence_polarity: "mixed",
        sentence_evidence_spans: ["service was slow"],
      },
    ],
    ate_review: [{ aspect_review: [] }],
    atsa_review: [{ sentiment_review: [] }],
    validator_review: [
      {
        final_validation: { resolved_risks: [], remaining_risks: [], final_consistency_score: 0.9 },
        structural_risks: [],
      },
    ],
    ...over,
  };
  return Object.fromEntries(Object.entries(replies).map(([role, list]) => [role, list.map(value)]));
}

/** Runs the pack on a script. */
export async function playScript(
  config: unknown = {},
  script: Script = agreeingScript(),
  budget: Budget = {},
  given: { text: string; language_code?: string } = { text, language_code: "en" },
) {
  const entries: JournalEntry[] = [];
  const player = scriptedPlayer(script);
  const finished = await runDebate({
    pack: sentiment,
    input: { id: "t1", ...given },
    config: sentiment.config.parse(config),
    cast: () => player,
    seed: 1,
    budget,
    journal: createMemoryJournal(entries),
  });
  const { decision } = finished.result;
  if (!decision) throw new Error(`no decision: ${finished.result.reasons.join("; ")}`);
  return { ...finished, decision, asked: finished.turns.map((turn) => turn.key.role) };
}
