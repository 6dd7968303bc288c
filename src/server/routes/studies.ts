import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { StudyItem } from "../../contract/api/index.ts";
import { loadPack } from "../../packs/registry.ts";
import {
  buildStudySections,
  bundledStudies,
  findBundledStudy,
  readStudy,
  readStudyFolder,
  type Scorecard,
  type StudyManifest,
  summariseStudy,
} from "../../studies/index.ts";
import { RequestError } from "../http/request.ts";
import type { LiveStudies } from "../live/live-studies.ts";
import { requireCast } from "../guard/owner-limits.ts";
import type { Handlers, Server } from "../setting/server.ts";

type Names = "listStudies" | "startStudy" | "readStudy" | "cancelStudy";

/** The routes of studies; a name is looked up among those that are there and is never a path. */
export function createStudyRoutes(server: Server, live: LiveStudies): Pick<Handlers, Names> {
  const names = (): string[] => listStoredNames(server.studiesFolder);
  const open = (name: string): StoredStudy => {
    if (!names().includes(name)) throw new RequestError("not_found", `no study "${name}" has run here`);
    return { name, ...readStudyFolder(join(server.studiesFolder, name)) };
  };
  return {
    listStudies: async () => ({
      ran: names().map((name) => describeStudy(open(name), live)),
      bundled: bundledStudies().map((name) => {
        const { pack, about } = readStudy(findBundledStudy(name) ?? "");
        return { name, pack, about: about ?? "" };
      }),
    }),
    async startStudy({ body }) {
      const { name, limit, cast, seeds, budget } = body;
      if (!bundledStudies().includes(name))
        throw new RequestError(
          "not_found",
          `no study "${name}" comes with Parley; others are started on the command line`,
        );
      if (cast !== undefined) requireCast(server.rules.casts, cast);
      const changes = { ...(cast && { cast }), ...(seeds && { seeds }), ...(budget && { budget }) };
      await live.start(name, changes, limit);
      return { name };
    },
    async readStudy({ params }) {
      const stored = open(params.name);
      const pack = await loadPack(stored.manifest.pack);
      const summary = summariseStudy(stored.manifest, stored.scorecards, pack.measure);
      const now = live.progress(params.name);
      return {
        study: describeStudy(stored, live),
        sections: stored.scorecards.length === 0 ? [] : buildStudySections(summary, stored.scorecards),
        progress: now && {
          done: now.done,
          total: now.total,
          failed: now.failed,
          tokens: now.tokens,
          costUsd: now.costUsd,
        },
        stopped: live.stopped(params.name),
      };
    },
    async cancelStudy({ params }) {
      if (live.cancel(params.name)) return { done: true };
      throw new RequestError("conflict", `the study ${params.name} is not under way here`);
    },
  };
}

/** A study that ran here. */
type StoredStudy = { name: string; manifest: StudyManifest; scorecards: Scorecard[] };

/** The studies that ran here with the batch of their runs. */
export function listStudyBatches(folder: string): { name: string; batch: string }[] {
  return listStoredNames(folder).map((name) => ({ name, batch: readStudyFolder(join(folder, name)).manifest.batch }));
}

function listStoredNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "manifest.json")))
    .sort();
}

function describeStudy({ name, manifest, scorecards }: StoredStudy, live: LiveStudies): StudyItem {
  const arms = manifest.arms.map((arm) => arm.name);
  const { cases } = manifest.dataset;
  const planned = arms.length * cases * manifest.seeds.length;
  return { name, pack: manifest.pack, arms, cases, runs: scorecards.length, planned, live: live.has(name) };
}
