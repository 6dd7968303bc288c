import type { Position } from "../../../engine/pack.ts";
import { readVote } from "../rules/tuples/votes.ts";
import type { FinalOutput } from "../schemas/final-output.ts";

/** Where Stage 1, each speaker and the judge stood on each aspect. */
export function listPositions({ debate, final_result }: FinalOutput): Position[] {
  const opening = final_result.stage1_tuples.map(
    (tuple): Position => ({ round: 0, role: "stage1", answer: tuple.polarity, item: tuple.aspect_ref }),
  );
  if (debate?.style !== "patch") return opening;
  const spoken = debate.rounds.flatMap(({ round, turns }) =>
    turns.flatMap((turn) =>
      turn.proposed_edits.flatMap((edit): Position[] => {
        const { polarity, removal } = readVote(edit);
        const answer = removal ? "none" : polarity;
        return answer === null ? [] : [{ round, role: turn.speaker, answer, item: edit.target.aspect_ref }];
      }),
    ),
  );
  const judged = debate.summary.final_tuples.map(
    (tuple): Position => ({
      round: debate.rounds.length + 1,
      role: "judge",
      answer: tuple.polarity,
      item: tuple.aspect_ref,
    }),
  );
  return [...opening, ...spoken, ...judged];
}
