import { Command } from "commander";
import { decide, law, readRecorded } from "../../packs/law/index.ts";
import { renderTerminal } from "../../print/terminal/render-terminal.ts";
import { formatTable } from "../../text/text-table.ts";
import type { Io } from "../terminal/io.ts";
import { readRecordedFiles } from "./recorded-files.ts";

type Options = { query?: string; json?: boolean };
type Decided = { id: string | null } & ReturnType<typeof decide>;

/** `parley law decide FOLDER|FILE` */
export function createDecideCommand(io: Io): Command {
  return new Command("decide")
    .description(
      "Decides recorded debates by the rules alone, without a call: their checks, critiques, end and position.",
    )
    .argument(
      "<path>",
      "a folder of artifacts (debate_round1_nla.json, …), a JSON file { query, files }, or a folder of such folders or files",
    )
    .option("--query <question>", "the question, where the artifacts do not name it")
    .option("--json", "print the decision as JSON; of several debates, a list")
    .action((path: string, { query, json }: Options) => {
      const { debates, isList } = readRecordedFiles(io.cwd, path);
      const all = debates.map(({ where, value }): Decided => {
        const recorded = readRecorded(query === undefined ? value : { ...value, query }, where);
        return { id: recorded.id, ...decide(recorded) };
      });
      if (all.some(({ outcome }) => outcome === "escalated")) io.exit.code = 3;
      if (json) return io.out(`${JSON.stringify(isList ? all : all[0], null, 2)}\n`);
      io.out(isList ? tellAll(all) : tellOne(all[0] as Decided, io));
    });
}

function tellOne({ outcome, reasons, decision }: Decided, io: Io): string {
  return renderTerminal(law.report?.({ result: { outcome, reasons, decision } } as never) ?? [], io);
}

/** A line for each debate: its position, how it ended, and what the rules found wrong with it. */
function tellAll(all: Decided[]): string {
  const rows = all.map(({ id, outcome, decision: { position, query, summary } }) => {
    const faults = Map.groupBy(summary?.faults ?? [], ({ code }) => code);
    const found = [...faults].map(([code, of]) => (of.length > 1 ? `${code} × ${of.length}` : code)).join(", ");
    return [id ?? query.slice(0, 40), position, outcome, found || "–"];
  });
  return `${formatTable([["debate", "position", "outcome", "faults"], ...rows]).join("\n")}\n`;
}
