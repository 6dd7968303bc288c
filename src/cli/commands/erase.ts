import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import type { Upkeep, Wanted } from "../../store/sql-upkeep.ts";
import { formatCount } from "../../text/number-text.ts";
import { withStoreOption } from "../setting/options.ts";
import { openUpkeep } from "../store/upkeep-commands.ts";
import type { Io } from "../terminal/io.ts";

type Options = { store?: string; case?: string; text?: string; yes?: boolean };

/** A text that is shorter than this stands in runs that have nothing to do with each other. */
const shortestText = 3;

/** `parley erase --case ID | --text TEXT` */
export function command(io: Io): Command {
  return withStoreOption(
    new Command("erase").description(
      "Erases what runs were about and what was said in them; their hashes stay, so that the rest can still be verified.",
    ),
  )
    .option("--case <id>", "the runs of this case")
    .option("--text <text>", "the runs in which this text stands: in the case, a prompt, a reply or the decision")
    .option("--yes", "erase; without it, the runs are only listed")
    .addHelpText(
      "after",
      '\nExamples:\n  parley erase --case patient-7\n  parley erase --text "Ida Holm" --yes\n\nBackups, exports and files that were written elsewhere are not touched.',
    )
    .action(async (options: Options) => {
      const wanted = readWanted(options);
      const upkeep = await openUpkeep(io, options);
      await erase(io, upkeep, wanted, options.yes === true).finally(upkeep.close);
    });
}

async function erase(io: Io, upkeep: Upkeep, wanted: Wanted, isMeant: boolean): Promise<void> {
  const ids = await upkeep.find(wanted);
  const count = formatCount(ids.length, "run");
  if (ids.length === 0) return io.out("no run holds that\n");
  if (!isMeant) return io.out(`${ids.join("\n")}\n${count} would be erased; --yes erases them for good\n`);
  const { left } = await upkeep.erase(ids, new Date().toISOString().slice(0, 10));
  io.out(`${count} erased; backups and exports, if you made any, still hold them\n`);
  if (left !== null) io.err(`${left}\n`);
}

function readWanted(options: Options): Wanted {
  if ((options.case === undefined) === (options.text === undefined))
    throw new ParleyError("bad_input", "give --case or --text");
  if (options.case !== undefined) return { caseId: options.case };
  const text = options.text ?? "";
  if (text.trim().length < shortestText)
    throw new ParleyError("bad_input", `--text needs at least ${shortestText} characters, or it would hit everything`);
  return { text };
}
