import { loadPack } from "../../packs/registry.ts";
import { writeReports } from "../../studies/report/write-reports.ts";
import type { Io } from "../terminal/io.ts";
import { openStudy, type StudiesOptions } from "./stored-studies.ts";
import { printStudy } from "./study-text.ts";

/** `parley study report NAME`: writes the reports again from what is on disk. */
export async function reportStudy(io: Io, name: string, options: StudiesOptions): Promise<void> {
  const study = openStudy(io, options, name);
  const pack = await loadPack(study.manifest.pack);
  printStudy(io, writeReports(study.path, study, pack));
}
