import type { AspectMatcher } from "../../rules/tuples/aspect-matcher.ts";
import { type Edit, operations, type Patch } from "../../schemas/debate.ts";
import { readChoice, type Strike } from "../checks/strikes.ts";

/** Keeps the edits with a known op on a known aspect (sentiment spec §3); an edit that names no aspect is kept as it is. */
export function groundEdits<E extends Edit | Patch>(
  edits: readonly E[],
  matcher: AspectMatcher,
): { kept: E[]; strikes: Strike[] } {
  const strikes: Strike[] = [];
  const kept = edits.flatMap((edit, at): E[] => {
    const op = readChoice(operations, edit.op);
    if (op === null) {
      strikes.push({ code: "unknown_op", what: edit.op, path: [at, "op"] });
      return [];
    }
    const named = edit.target.aspect_ref.trim();
    const aspect = named === "" ? "" : matcher.resolve(named).aspect;
    if (aspect === null) {
      strikes.push({ code: "unknown_aspect", what: named, path: [at, "target", "aspect_ref"] });
      return [];
    }
    return [{ ...edit, op, target: { ...edit.target, aspect_ref: aspect } }];
  });
  return { kept, strikes };
}
