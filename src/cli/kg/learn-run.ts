import { ParleyError } from "../../contract/error.ts";
import type { RootCauseDecision } from "../../packs/root-cause/decision.ts";
import type { RootCauseInput } from "../../packs/root-cause/input.ts";
import { CategorySchema, type Incident } from "../../packs/root-cause/knowledge/incident.ts";
import { type ConfirmedCause, incidentFromLog } from "../../packs/root-cause/knowledge/learn.ts";
import type { StoredRun } from "../../runs/read-run.ts";

/** What a person says about a run: that its cause was right, or what the cause was instead. */
export type Confirmation = {
  confirm?: boolean;
  by?: string;
  cause?: string;
  category?: string;
  resolution: string[];
  id?: string;
};

/** The incident of a run whose cause a person confirmed; the system's own guess is never learned by itself (root-cause spec §3). */
export function learnFromRun({ run, result }: StoredRun, said: Confirmation): Incident {
  if (run.manifest.pack !== "root-cause")
    throw new ParleyError(
      "bad_input",
      `run ${run.id} is a ${run.manifest.pack} run; only root-cause runs can be learned`,
    );
  const decision = result?.decision as RootCauseDecision | null | undefined;
  const final = decision?.final_hypothesis;
  const { incidents: _incidents, ...log } = run.manifest.input as RootCauseInput;
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
  return incidentFromLog(log, {
    id: said.id ?? run.id,
    title: cause.slice(0, 120),
    cause,
    category: categoryOf(said, final?.category),
    resolution:
      said.resolution.length > 0 ? said.resolution : said.cause === undefined ? (final?.resolution ?? []) : [],
    context: { run: run.id, confirmed_by: said.by },
  });
}

function categoryOf(
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
