import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { buildGraph, importIncidents, printIncidents } from "../../knowledge/incidents/index.ts";
import { readRun } from "../../runs/record/read-run.ts";
import type { Io } from "../terminal/io.ts";
import { addIncidents } from "../kg/add-incidents.ts";
import { writeIncident, writeIncidentTable } from "../kg/incident-text.ts";
import { findIncident, type KgOptions, listKnownIncidents } from "../kg/known-incidents.ts";
import { type Confirmation, learnFromRun } from "../kg/learn-run.ts";
import { collect, withStoreOption } from "../setting/options.ts";
import { loadUserConfig, openExistingStore } from "../setting/setting.ts";

/** `parley kg import | list | show | export | learn` */
export function command(io: Io): Command {
  const kg = new Command("kg").description(
    "The past incidents that root-cause debates learn from: a graph you can fill and read.",
  );
  return kg
    .addCommand(createImportCommand(io))
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(exportCommand(io))
    .addCommand(learnCommand(io))
    .addHelpText("after", examples);
}

function createImportCommand(io: Io): Command {
  return withStoreOption(new Command("import"))
    .description("Adds incidents from JSON, JSONL, YAML or Markdown post-mortems; a known id is replaced.")
    .argument("<files...>", "files to read")
    .action((files: string[], options: KgOptions) => {
      const found = files.flatMap((name) => importIncidents(name, readText(io, name)));
      const { added, replaced } = addIncidents(io, options, found);
      io.out(`${added} added, ${replaced} replaced: ${found.map(({ id }) => id).join(", ")}\n`);
    });
}

function readText(io: Io, name: string): string {
  try {
    return readFileSync(resolve(io.cwd, name), "utf8");
  } catch (cause) {
    throw new ParleyError("bad_input", `${name}: cannot be read; name a file with incidents`, { cause });
  }
}

function listCommand(io: Io): Command {
  return withStoreOption(new Command("list"))
    .description("Lists the incidents: those that ship with Parley and the project's own.")
    .option("--category <name>", "only this kind of cause")
    .option("--system <name>", "only this system")
    .option("--own", "only the project's own")
    .option("--json", "print them as JSON")
    .action((options: KgOptions & { category?: string; system?: string; own?: boolean; json?: boolean }) => {
      const chosen = listKnownIncidents(io, options).filter(
        ({ category, system, source }) =>
          (options.category === undefined || category === options.category) &&
          (options.system === undefined || system === options.system) &&
          (!options.own || source !== "starter"),
      );
      if (options.json) io.out(`${JSON.stringify(chosen, null, 2)}\n`);
      else io.out(chosen.length === 0 ? "no incidents\n" : writeIncidentTable(chosen, io.width));
    });
}

function showCommand(io: Io): Command {
  return withStoreOption(new Command("show"))
    .description("Shows an incident.")
    .argument("<id>", "the incident")
    .option("--json", "as JSON")
    .action((id: string, options: KgOptions & { json?: boolean }) => {
      const incident = findIncident(listKnownIncidents(io, options), id);
      io.out(options.json ? `${JSON.stringify(incident, null, 2)}\n` : writeIncident(incident));
    });
}

function exportCommand(io: Io): Command {
  return withStoreOption(new Command("export"))
    .description("Prints incidents as JSONL, which `kg import` reads again, or the graph with its nodes and edges.")
    .option("--own", "only the project's own")
    .option("--graph", "nodes and edges as JSON")
    .action((options: KgOptions & { own?: boolean; graph?: boolean }) => {
      const incidents = listKnownIncidents(io, options).filter(({ source }) => !options.own || source !== "starter");
      if (!options.graph) return io.out(printIncidents(incidents));
      io.out(`${JSON.stringify(buildGraph(incidents).export(), null, 2)}\n`);
    });
}

function learnCommand(io: Io): Command {
  return withStoreOption(new Command("learn"))
    .description("Adds the incident of a run, after a person confirmed its cause or said the true one.")
    .argument("<run>", "a root-cause run")
    .option("--by <person>", "who confirms it")
    .option("--confirm", "the cause that the run found was right")
    .option("--cause <text>", "the true cause, when it was another")
    .option("--category <name>", "the kind of that cause")
    .option("--resolution <step>", "what resolved it; can be repeated", collect, [])
    .option("--id <id>", "the id of the incident (default: the run's)")
    .action(async (id: string, options: KgOptions & Confirmation) => {
      const store = await openExistingStore(io, options, loadUserConfig(io, {}));
      try {
        const incident = await learnFromRun(await readRun(store, id), options);
        addIncidents(io, options, [incident]);
        io.out(
          `learned ${incident.id}: ${incident.cause} (${incident.category}), confirmed by ${incident.context.confirmed_by}\n`,
        );
      } finally {
        await store.close();
      }
    });
}

const examples = `
Examples:
  parley kg list --category network
  parley kg show hdfs-datanode-disk-full
  parley kg import post-mortems/2024-02-invoices.md incidents.jsonl
  parley kg learn 01J9 --confirm --by "Ana"
  parley kg learn 01J9 --by "Ana" --cause "the switch port of rack 4 was faulty" --category network
  parley kg export --own > our-incidents.jsonl`;
