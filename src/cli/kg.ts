import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import {
  importIncidents,
  printIncidents,
  type Incident,
  incidentsFileOf,
  readProjectIncidents,
  readStarterIncidents,
  mergeIncidents,
  CategorySchema,
  learnIncident,
} from "../knowledge/incidents/index.ts";
import { parseLines } from "../knowledge/logs/index.ts";
import { RootCauseCaseSchema, type RootCauseDecision } from "../packs/root-cause/index.ts";
import { readRun, type StoredRun } from "../runs/read-run.ts";
import { replaceFile } from "../store/replace-file.ts";
import { cutText } from "../text/format.ts";
import { formatTable } from "../text/layout.ts";
import { choice, defineCommand, flag, type Given, required, text } from "./command.ts";
import { type Io, readNamedFile } from "./io.ts";
import { storeOption } from "./options.ts";
import { locateStore, withStore } from "./stores.ts";

const learnOptions = {
  by: required(text("<person>", "who confirms the cause; unconfirmed causes are not learned")),
  confirm: flag("the cause found by the run was right"),
  cause: text("<text>", "the true cause, if it was a different one"),
  category: choice("<name>", "category of the cause", CategorySchema.options),
};

type Confirmation = Given<typeof learnOptions>;

export function command(io: Io): Command {
  return defineCommand({
    name: "kg",
    commands: [
      defineCommand({
        name: "import",
        arguments: { "<files...>": "files to read" },
        options: storeOption,
        async action(options, files: string[]) {
          const read = await Promise.all(files.map((name) => importIncidents(name, readNamedFile(io, name))));
          const found = read.flat();
          const { added, replaced } = addIncidents(io, options, found);
          io.out(`${added} added, ${replaced} replaced: ${found.map(({ id }) => id).join(", ")}\n`);
        },
      }),
      defineCommand({
        name: "list",
        arguments: { "[which]": "an incident's id, a kind of cause, or a system" },
        options: {
          own: flag("only the project's own"),
          json: flag("print them as JSON Lines, which `kg import` reads again"),
          ...storeOption,
        },
        action(options, which: string | undefined) {
          const chosen = listIncidents(io, options).filter(
            ({ id, category, system }) => which === undefined || [id, category, system].includes(which),
          );
          if (options.json) return io.out(printIncidents(chosen));
          const rows = formatTable(chosen.map(({ id, category, source, cause }) => [id, category, source, cause]));
          io.out(rows.length === 0 ? "no incidents\n" : `${rows.map((row) => cutText(row, io.width)).join("\n")}\n`);
        },
      }),
      defineCommand({
        name: "learn",
        arguments: { "<run>": "a root-cause run" },
        options: { ...learnOptions, ...storeOption },
        action: (options, id: string) =>
          withStore(io, options, async (store) => {
            const incident = await learnFromRun(await readRun(store, id), options);
            addIncidents(io, options, [incident]);
            const { cause, category, context } = incident;
            io.out(`learned ${incident.id}: ${cause} (${category}), confirmed by ${context.confirmed_by}\n`);
          }),
      }),
    ],
  });
}

type KgOptions = { store?: string; own?: boolean };

function readOwn(io: Io, options: KgOptions): Incident[] {
  return readProjectIncidents(incidentsFileOf(locateStore(io, options)));
}

/** The starter incidents, replaced by the project's own where ids are equal. */
function listIncidents(io: Io, options: KgOptions): Incident[] {
  const known = [...(options.own ? [] : readStarterIncidents()), ...readOwn(io, options)];
  return [...new Map(known.map((incident) => [incident.id, incident])).values()];
}

function addIncidents(io: Io, options: KgOptions, found: readonly Incident[]) {
  const { incidents, added, replaced } = mergeIncidents(readOwn(io, options), found);
  replaceFile(incidentsFileOf(locateStore(io, options)), printIncidents(incidents));
  return { added, replaced };
}

/** The incident of a run whose cause a person confirmed; the system's own guess is never learned (root-cause spec §3.3). */
async function learnFromRun({ run, result }: StoredRun, said: Confirmation): Promise<Incident> {
  const learnable = RootCauseCaseSchema.safeParse(run.manifest.input);
  if (!learnable.success)
    throw new ParleyError(
      "bad_input",
      `run ${run.id} is a ${run.manifest.pack} run; only root-cause runs can be learned`,
    );
  const final = (result?.decision as RootCauseDecision | null | undefined)?.final_hypothesis;
  const { lines, name, ...read } = learnable.data;
  const log = lines === undefined ? read : await parseLines(lines, { name: name ?? "log", budgetTokens: 40_000 });
  return learnIncident(log, {
    id: run.id,
    ...readCause(run.id, said, final),
    context: { run: run.id, confirmed_by: said.by },
  });
}

function readCause(id: string, said: Confirmation, final: RootCauseDecision["final_hypothesis"] | undefined) {
  const { cause, category, confirm } = said;
  if (cause !== undefined && category !== undefined)
    return { title: cause.slice(0, 120), cause, category, resolution: [] };
  if (cause !== undefined)
    throw new ParleyError(
      "bad_input",
      `give the category of the cause with --category: ${CategorySchema.options.join(", ")}`,
    );
  if (!final)
    throw new ParleyError("bad_input", `run ${id} found no cause to confirm; give it with --cause and --category`);
  const { hypothesis, resolution, evidence } = final;
  if (!confirm)
    throw new ParleyError(
      "bad_input",
      `the run found: "${hypothesis}" (${final.category}). If that is right, add --confirm; otherwise give the true cause with --cause and --category`,
    );
  const proof = evidence.filter(({ kind }) => kind === "log").map(({ quote }) => quote.replace(/\S*\d\S*/g, "<*>"));
  return {
    title: hypothesis.slice(0, 120),
    cause: hypothesis,
    category: category ?? final.category,
    resolution,
    ...(proof.length > 0 ? { proof } : {}),
  };
}
