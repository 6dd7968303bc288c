import { readVote } from "../tuples/votes.ts";
import { readStance } from "../review/stance-hints.ts";
import type { PatchTurn, StanceTurn } from "../../schemas/debate.ts";
import type { TurnStrike } from "../../schemas/debate-output.ts";
import type { StructuralRisk } from "../../schemas/stage1.ts";
import type { AspectMatcher } from "../tuples/aspect-matcher.ts";

export const observationNames = ["opposite_polarities", "risk_open", "evidence_not_in_text", "edits_repeated"] as const;
export type Observation = (typeof observationNames)[number];

/** What can be seen of a debate before a turn. */
export type DebateSoFar = {
  turns: readonly (PatchTurn | StanceTurn)[];
  strikes: readonly TurnStrike[];
  risks: readonly StructuralRisk[];
  matcher: AspectMatcher;
};

/** The observations of `deadlock_obs2of4` that hold before a turn (sentiment spec §3). */
export function observeDeadlock(so: DebateSoFar): Observation[] {
  const holds: Record<Observation, boolean> = {
    opposite_polarities: hasOppositeVotes(so),
    risk_open: so.risks.length > 0,
    evidence_not_in_text: so.strikes.some((strike) => strike.code === "evidence_not_in_text"),
    edits_repeated: repeats(so.turns),
  };
  return observationNames.filter((name) => holds[name]);
}

/** True when the debate is deadlocked: at least two of the four hold. */
export function isDeadlocked(observed: readonly Observation[]): boolean {
  return observed.length >= 2;
}

function hasOppositeVotes({ turns, matcher }: DebateSoFar): boolean {
  const votes = turns.flatMap((turn) => listVotes(turn, matcher));
  return votes.some(
    (vote) =>
      vote.polarity === "positive" &&
      votes.some((other) => other.aspect === vote.aspect && other.polarity === "negative"),
  );
}

function listVotes(
  turn: PatchTurn | StanceTurn,
  matcher: AspectMatcher,
): { aspect: string; polarity: string | null }[] {
  if ("proposed_edits" in turn)
    return turn.proposed_edits.map((edit) => ({ aspect: edit.target.aspect_ref, polarity: readVote(edit).polarity }));
  const { polarity } = readStance(turn.stance);
  return matcher.named([turn.message, ...turn.key_points].join("\n")).map((aspect) => ({ aspect, polarity }));
}

/** A turn with something to say that says just what an earlier turn said. */
function repeats(turns: readonly (PatchTurn | StanceTurn)[]): boolean {
  const said = turns.map(writeContent).filter((content) => content !== "");
  return new Set(said).size < said.length;
}

function writeContent(turn: PatchTurn | StanceTurn): string {
  if (!("proposed_edits" in turn)) return turn.message.trim();
  const edits = turn.proposed_edits.map(({ op, target, value }) =>
    [op, target.aspect_ref, target.polarity ?? "", value ?? ""].join("\t"),
  );
  return edits.sort().join("\n");
}
