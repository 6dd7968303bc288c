import { pickTerminalSections } from "../../runs/record/show-run.ts";
import { renderTerminal } from "../../print/terminal/render-terminal.ts";
import type { AnyFinished, AnyPack } from "../../engine/pack.ts";
import type { Io } from "../terminal/io.ts";

/** A pack's report for this terminal. */
export function reportText(
  io: Pick<Io, "width" | "color">,
  pack: AnyPack,
  { finished }: { runId: string; finished: AnyFinished },
): string {
  return renderTerminal(pickTerminalSections(pack, finished), io);
}
