import type { ErrorCode } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import type { PackOrigin } from "../../packs/registry.ts";
import type { HeldEntry } from "../start/hold-back.ts";

/** What a thread is started with: the pack of all its runs, and where it came from when it is the user's own. */
export type ThreadData = { pack: string; origin: PackOrigin | null };

/** A debate to be played, by the number that its answer will bear. */
export type AsideTask = { number: number; run: Run };

/** What became of a debate: what it wrote, and why it did not end. */
export type AsideAnswer = { entries: HeldEntry[]; trouble: AsideTrouble | null };

/** An operational failure, or a bug with its stack. */
export type AsideTrouble =
  | { kind: "failure"; code: ErrorCode; message: string; details: Record<string, unknown> }
  | { kind: "bug"; message: string; stack: string };

/** An answer on its way between threads; as text, since copying the values themselves takes longer. */
export type AsideReply = { number: number; text: string };
