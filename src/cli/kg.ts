import { Command } from "commander";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { stringify } from "yaml";
import { ParleyError } from "../contract/error.ts";
import {
  askHistory,
  importIncidents,
  printIncidents,
  type Incident,
  incidentsFileOf,
  readProjectIncidents,
  readStarterIncidents,
  mergeIncidents,
  CategorySchema,
  type ConfirmedCause,
  learnIncident,
} from "../knowledge/incidents/index.ts";
import { parseLines, parseLogs } from "../knowledge/logs/index.ts";
import { RootCauseCaseSchema, RootCauseConfigSchema, type RootCauseDecision } from "../packs/root-cause/index.ts";
import { readRun, type StoredRun } from "../runs/read-run.ts";
import { replaceFile } from "../store/replace-file.ts";
import { findNearestName } from "../text/similar.ts";
import { cutText } from "../text/format.ts";
import type { Io } from "./io.ts";
import { type LogOptions, readLogOptions, withLogOptions } from "./logs.ts";
import { collect, withStoreOption } from "./options.ts";
import { loadUserConfig } from "./settings.ts";
import { locateStore, openExistingStore } from "./stores.ts";

/** `parley kg import | list | show | query | learn | export` */
export function command(io: Io): Command {
  const kg = new Command("kg").description("Manages the past incidents that root-cause debates learn from.");
  return kg
    .addCommand(createImportCommand(io))
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(queryCommand(io))
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
    .description("Shows an incident as YAML, which `kg import` reads.")
    .argument("<id>", "the incident")
    .action((id: string, options: KgOptions) => io.out(stringify(findIncident(listKnownIncidents(io, options), id))));
}

function queryCommand(io: Io): Command {
  const query = new Command("query")
    .description("Finds past incidents that resemble a log, and their causes.")
    .argument("<logs...>", "files, folders, globs, or - for standard input");
  return withStoreOption(withLogOptions(query))
    .option("--json", "print them as JSON, with causal paths and patterns")
    .action(async (logs: string[], options: KgOptions & LogOptions & { json?: boolean }) => {
      const log = await parseLogs(logs, await readLogOptions(io, logs, options));
      const own = readProjectIncidents(incidentsFileOf(locateStore(io, options)));
      const history = askHistory(log, own, RootCauseConfigSchema.parse({}).knowledge);
      if (options.json) return io.out(`${JSON.stringify(history, null, 2)}\n`);
      const rows = history.similar_incidents.map(
        ({ incident_id, similarity, proven, cause }) =>
          `${similarity.toFixed(2)}  ${proven ? "proven" : "      "}  ${incident_id}: ${cause}`,
      );
      io.out(rows.length === 0 ? "no past incident looks like this log\n" : `${rows.join("\n")}\n`);
    });
}

function exportCommand(io: Io): Command {
  return withStoreOption(new Command("export"))
    .description("Prints incidents as JSONL, which `kg import` reads again.")
    .option("--own", "only the project's own")
    .action((options: KgOptions & { own?: boolean }) =>
      io.out(
        printIncidents(listKnownIncidents(io, options).filter(({ source }) => !options.own || source !== "starter")),
      ),
    );
}

function learnCommand(io: Io): Command {
  return withStoreOption(new Command("learn"))
    .description("Adds the incident of a run, after a person has confirmed or corrected its cause.")
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
  parley kg query app.log
  parley kg import post-mortems/2024-02-invoices.md incidents.jsonl
  parley kg learn 01J9 --confirm --by "Ana"
  parley kg learn 01J9 --by "Ana" --cause "the switch port of rack 4 was faulty" --category network
  parley kg export --own > our-incidents.jsonl`;

export type KgOptions = { store?: string };

/** The starter incidents and the project's own, which replace starter incidents of the same id. */
export function listKnownIncidents(io: Io, options: KgOptions): Incident[] {
  const own = readProjectIncidents(incidentsFileOf(locateStore(io, options)));
  return [...new Map([...readStarterIncidents(), ...own].map((incident) => [incident.id, incident])).values()];
}

/** An incident by its id. */
export function findIncident(incidents: readonly Incident[], id: string): Incident {
  const found = incidents.find((incident) => incident.id === id);
  if (found) return found;
  const nearest = findNearestName(
    id,
    incidents.map((incident) => incident.id),
  );
  const hint = nearest === null ? "" : `; did you mean "${nearest}"?`;
  throw new ParleyError("bad_input", `no incident "${id}"${hint} (\`parley kg list\` lists them)`);
}

/** Adds incidents to the project's own and says how many were new and how many took the place of old ones. */
export function addIncidents(io: Io, options: KgOptions, found: readonly Incident[]) {
  const file = incidentsFileOf(locateStore(io, options));
  const { incidents, added, replaced } = mergeIncidents(readProjectIncidents(file), found);
  replaceFile(file, printIncidents(incidents));
  return { added, replaced };
}

/** What a person says about a run: that its cause was right, or what the cause was instead. */
export type Confirmation = {
  confirm?: boolean;
  by?: string;
  cause?: string;
  category?: string;
  resolution: string[];
  id?: string;
};

/** The incident of a run whose cause a person confirmed; the system's own guess is never learned by itself (root-cause spec §3.3). */
export async function learnFromRun({ run, result }: StoredRun, said: Confirmation): Promise<Incident> {
  const learnable = RootCauseCaseSchema.safeParse(run.manifest.input);
  if (!learnable.success)
    throw new ParleyError(
      "bad_input",
      `run ${run.id} is a ${run.manifest.pack} run; only root-cause runs can be learned`,
    );
  const decision = result?.decision as RootCauseDecision | null | undefined;
  const final = decision?.final_hypothesis;
  const { lines, name, ...read } = learnable.data;
  const log = lines === undefined ? read : await parseLines(lines, { name: name ?? "log", budgetTokens: 40_000 });
  const cited = said.cause === undefined ? (final?.evidence ?? []).filter(({ kind }) => kind === "log") : [];
  if (said.by === undefined || said.by.trim() === "")
    throw new ParleyError(
      "bad_input",
      "who confirms the cause? Name the person with --by; a cause that nobody confirmed is not learned",
    );
  if (said.cause === undefined && !said.confirm)
    throw new ParleyError(
      "bad_input",
      `${final ? `the run says: "${final.hypothesis}" (${final.category}). Was that it? Then add --confirm; else give` : "give"} the true cause with --cause and --category`,
    );
  if (said.cause === undefined && !final)
    throw new ParleyError("bad_input", `run ${run.id} found no cause to confirm; give it with --cause and --category`);
  const cause = said.cause ?? final?.hypothesis ?? "";
  return learnIncident(log, {
    id: said.id ?? run.id,
    title: cause.slice(0, 120),
    cause,
    category: readCategory(said, final?.category),
    resolution:
      said.resolution.length > 0 ? said.resolution : said.cause === undefined ? (final?.resolution ?? []) : [],
    ...(cited.length > 0 && { proof: cited.map(({ quote }) => quote.replace(/\S*\d\S*/g, "<*>")) }),
    context: { run: run.id, confirmed_by: said.by },
  });
}

function readCategory(
  { category, cause }: Confirmation,
  found: ConfirmedCause["category"] | undefined,
): ConfirmedCause["category"] {
  if (category === undefined && cause === undefined && found) return found;
  const checked = CategorySchema.safeParse(category);
  if (checked.success) return checked.data;
  const options = CategorySchema.options.join(", ");
  throw new ParleyError(
    "bad_input",
    category === undefined
      ? `give the category of the cause with --category: ${options}`
      : `--category "${category}" is not one of ${options}`,
  );
}

/** The incidents as a table. */
export function writeIncidentTable(incidents: readonly Incident[], width: number): string {
  const widest = (values: string[]) => Math.max(...values.map((value) => value.length));
  const idWidth = widest(incidents.map(({ id }) => id));
  const kindWidth = widest(incidents.map(({ category }) => category));
  const rows = incidents.map(({ id, category, source, cause }) => {
    const head = `${id.padEnd(idWidth)}  ${category.padEnd(kindWidth)}  ${source.padEnd(7)}  `;
    return `${head}${cutText(cause, Math.max(20, width - head.length))}`;
  });
  return `${rows.join("\n")}\n`;
}
