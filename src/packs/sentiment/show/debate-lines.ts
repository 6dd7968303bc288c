import type { Edit, Patch } from "../schemas/debate.ts";
import type { SettledDebate } from "../schemas/debate-output.ts";

/** One speaker's turn in brief. */
export type BriefTurn = { round: number; speaker: string; key: string; lines: string[] };

/** The debate in brief: what each speaker wanted, then the judge (sentiment spec §3). */
export function summariseDebate(debate: SettledDebate): BriefTurn[] {
  const rounds = debate.rounds as { round: number; turns: SettledDebate["rounds"][number]["turns"] }[];
  const turns = rounds.flatMap(({ round, turns }) =>
    turns.map((turn): BriefTurn => {
      const lines = "proposed_edits" in turn ? turn.proposed_edits.map(describeEdit) : [turn.message];
      return { round, speaker: turn.agent, key: turn.speaker, lines: lines.length > 0 ? lines : ["no edits"] };
    }),
  );
  const judge = summariseJudge(debate);
  const last = (rounds.at(-1)?.round ?? 0) + 1;
  return judge.length === 0 ? turns : [...turns, { round: last, speaker: "judge", key: "judge", lines: judge }];
}

/** An edit in words: `set 포장 to negative “엉망”`. */
export function describeEdit(edit: Edit | Patch): string {
  const { op, target, value } = edit;
  const aspect = target.aspect_ref || "(no aspect)";
  const words = {
    set_polarity: `set ${aspect} to ${value ?? target.polarity ?? "?"}`,
    confirm_tuple: `confirm ${aspect} ${target.polarity ?? value ?? "?"}`,
    drop_tuple: `drop ${aspect}${target.polarity ? ` ${target.polarity}` : ""}`,
    set_aspect_ref: `rename ${aspect} to ${value ?? "?"}`,
    merge_tuples: `merge ${aspect} into ${value ?? "?"}`,
  }[op];
  const evidence = "evidence" in edit && edit.evidence ? ` “${edit.evidence}”` : "";
  return `${words ?? op}${evidence}`;
}

function summariseJudge(debate: SettledDebate): string[] {
  if (debate.style === "stance") {
    const { summary } = debate;
    if (summary === null) return [];
    return [summary.consensus ?? "no consensus", `why: ${summary.rationale}`];
  }
  const { summary } = debate;
  const tuples = summary.final_tuples.map((tuple) => `${tuple.aspect_ref || "(implicit)"} ${tuple.polarity}`);
  return [
    tuples.length > 0 ? tuples.join(", ") : "no tuples",
    ...(summary.sentence_polarity ? [`sentence: ${summary.sentence_polarity}`] : []),
    ...summary.final_patch.filter((patch) => patch.op !== "confirm_tuple").map(describeEdit),
    ...summary.unresolved_conflicts.map((conflict) => `open: ${conflict}`),
  ];
}
