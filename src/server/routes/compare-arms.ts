import { join } from "node:path";
import type { ArmComparison } from "../../contract/api/index.ts";
import { ParleyError } from "../../contract/error.ts";
import { loadPack } from "../../packs/registry.ts";
import { readRun } from "../../runs/record/read-run.ts";
import { findParting } from "../../runs/redecide/find-parting.ts";
import {
  type CasePair,
  compareTwoArms,
  readStudyResults,
  type Scorecard,
  type StudyManifest,
} from "../../studies/index.ts";
import { RequestError } from "../http/request-error.ts";
import type { Server } from "../setting/server.ts";
import { isWithheld } from "./run-items.ts";

/** A study that ran here. */
export type StoredStudy = { name: string; manifest: StudyManifest; scorecards: Scorecard[] };

/** In how many cases it is looked up where two arms part, and how many are listed. */
const mostLookedUp = 40;
const mostListed = 500;

/** Two arms of a study as wholes: their settings, measures and cases, only what differs, and where their debates part. */
export async function compareArms(
  server: Server,
  { name, manifest, scorecards }: StoredStudy,
  [a, b]: [string, string],
): Promise<ArmComparison> {
  const results = readStudyResults(join(server.studiesFolder, name), [a, b]);
  const study = { manifest, scorecards, results };
  for (const arm of [a, b])
    if (!manifest.arms.some((one) => one.name === arm))
      throw new RequestError(
        "not_found",
        `the study ${name} has no arm "${arm}"; it has ${manifest.arms.map((one) => one.name).join(", ")}`,
      );
  const { cases, ...rest } = compareTwoArms(study, [a, b], await loadPack(manifest.pack));
  const describe = (arm: string) => {
    const { kind, about, cast } = manifest.arms.find((one) => one.name === arm) ?? {};
    return { name: arm, kind: kind ?? "arm", about: about ?? null, cast: cast ?? "" };
  };
  return {
    study: name,
    pack: manifest.pack,
    primary: manifest.primary,
    a: describe(a),
    b: describe(b),
    ...rest,
    differing: cases.length,
    cases: cases.slice(0, mostListed),
    partings: await listPartings(server, cases.slice(0, mostLookedUp)),
  };
}

/** Where the debates of differing cases part, the most frequent turn first. */
async function listPartings(server: Server, cases: readonly CasePair[]): Promise<ArmComparison["partings"]> {
  const turns = await Promise.all(cases.map(async ({ a, b }) => findPartingOf(server, a.run, b.run)));
  const found = turns.filter((turn) => turn !== null);
  const counts = [...Map.groupBy(found, (turn) => turn)].map(([turn, all]) => ({ turn, count: all.length }));
  return { looked: found.length, turns: counts.sort((a, b) => b.count - a.count) };
}

/** A run that was removed, damaged or is kept back says nothing. */
async function findPartingOf(server: Server, a: string | null, b: string | null): Promise<string | null> {
  if (a === null || b === null || a === b) return null;
  try {
    const [first, second] = [await readRun(server.store, a), await readRun(server.store, b)];
    if ([first, second].some(({ run }) => isWithheld(server, run))) return null;
    return findParting(first.turns, second.turns);
  } catch (error) {
    if (error instanceof ParleyError) return null;
    throw error;
  }
}
