import type { Sentiment } from "../../schemas/stage1.ts";
import type { DebateOutput, PatchDebate } from "../../schemas/debate-output.ts";

/** The words that an aspect is shown under, by the name it had first; an aspect that is not here is shown under its own. */
export type ShownNames = ReadonlyMap<string, string>;

/** The aspect that a name stands for: the one that is shown under it, else the name itself. */
export function identify(names: ShownNames, name: string): string {
  return [...names].find(([, shown]) => shown === name)?.[0] ?? name;
}

/** The words that an aspect is shown under. */
export function showName(names: ShownNames, aspect: string): string {
  return names.get(aspect) ?? aspect;
}

/** The names after an aspect was given other words; its own words again are no other words. */
export function renameShown(names: ShownNames, aspect: string, shown: string): ShownNames {
  const others = [...names].filter(([own]) => own !== aspect);
  return new Map(aspect === shown ? others : [...others, [aspect, shown]]);
}

/** The sentiments under the words that are shown. */
export function showNames<S extends Sentiment>(names: ShownNames, sentiments: readonly S[]): S[] {
  return sentiments.map((one) =>
    names.has(one.aspect_ref) ? { ...one, aspect_ref: showName(names, one.aspect_ref) } : one,
  );
}

/** A debate in which every name is the aspect's first one, so that a vote on its later words is a vote on it. */
export function identifyDebate(names: ShownNames, debate: DebateOutput): DebateOutput {
  return names.size === 0 || debate.style === "stance" ? debate : identifyPatchDebate(names, debate);
}

function identifyPatchDebate(names: ShownNames, debate: PatchDebate): PatchDebate {
  const own = (name: string) => identify(names, name.trim());
  const named = <T extends { aspect_ref: string }>(one: T): T => ({ ...one, aspect_ref: own(one.aspect_ref) });
  const edited = <E extends { target: { aspect_ref: string }; value: string | null }>(edit: E): E => ({
    ...edit,
    target: named(edit.target),
    value: edit.value === null ? null : own(edit.value),
  });
  const { summary } = debate;
  return {
    ...debate,
    rounds: debate.rounds.map((round) => ({
      ...round,
      turns: round.turns.map((turn) => ({ ...turn, proposed_edits: turn.proposed_edits.map(edited) })),
    })),
    summary: summary && {
      ...summary,
      final_patch: summary.final_patch.map(edited),
      final_tuples: summary.final_tuples.map((tuple) => ({ ...named(tuple), aspect_term: own(tuple.aspect_term) })),
      aspect_evidence: Object.fromEntries(
        Object.entries(summary.aspect_evidence).map(([name, span]) => [own(name), span]),
      ),
    },
  };
}
