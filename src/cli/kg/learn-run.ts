import { ParleyError } from "../../contract/error.ts";
import { RootCauseCaseSchema, type RootCauseDecision } from "../../packs/root-cause/index.ts";
import { CategorySchema, type ConfirmedCause, type Incident, learnIncident } from "../../knowledge/incidents/index.ts";
import { parseLines } from "../../knowledge/logs/index.ts";
import type { StoredRun } from "../../runs/record/read-run.ts";

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
