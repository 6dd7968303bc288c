import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { StudyItem } from "../../contract/api/index.ts";
import { loadPack } from "../../packs/registry.ts";
import { buildStudySections, readStudyFolder, summariseStudy } from "../../studies/index.ts";
import { RequestError } from "../http/request.ts";
import type { Handlers, Server } from "../setting/server.ts";

type StoredStudy = { name: string } & ReturnType<typeof readStudyFolder>;

/** The routes of studies; a name is looked up among those that are there and is never a path. */
export function createStudyRoutes({ studiesFolder }: Server): Pick<Handlers, "listStudies" | "readStudy"> {
  const open = (name: string): StoredStudy => ({ name, ...readStudyFolder(join(studiesFolder, name)) });
  return {
    listStudies: async () => ({ studies: listNames(studiesFolder).map((name) => describeStudy(open(name))) }),
    async readStudy({ params: { name } }) {
      if (!listNames(studiesFolder).includes(name))
        throw new RequestError("not_found", `no study "${name}" has run here`);
      const stored = open(name);
      const pack = await loadPack(stored.manifest.pack);
      const summary = summariseStudy(stored.manifest, stored.scorecards, pack.measure);
      const sections = stored.scorecards.length === 0 ? [] : buildStudySections(summary, stored.scorecards);
      return { study: describeStudy(stored), sections };
    },
  };
}

function listNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "manifest.json")))
    .sort();
}

function describeStudy({ name, manifest, scorecards }: StoredStudy): StudyItem {
  const arms = manifest.arms.map((arm) => arm.name);
  const { cases } = manifest.dataset;
  const planned = arms.length * cases * manifest.seeds.length;
  return { name, pack: manifest.pack, arms, cases, runs: scorecards.length, planned };
}
