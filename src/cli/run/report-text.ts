import { printable } from "../../text/printable.ts";
import type { AnyFinished, AnyPack } from "../../engine/pack.ts";
import type { Io } from "../terminal/io.ts";

/** A pack's report for this terminal; one that shows text which would steer the terminal has no colours. */
export function reportText(
  io: Pick<Io, "width" | "color">,
  pack: AnyPack,
  { runId, finished }: { runId: string; finished: AnyFinished },
): string {
  const plain = pack.report(finished, { width: io.width, color: false, runId });
  const shown = printable(plain);
  return io.color && shown === plain ? pack.report(finished, { width: io.width, color: true, runId }) : shown;
}
