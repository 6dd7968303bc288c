import { join } from "node:path";
import { readStudyFolder } from "../../studies/run/study-folder.ts";
import { bundledStudies, findStudyFile } from "../../studies/study-file/find-study.ts";
import { readStudy } from "../../studies/study-file/read-study.ts";
import type { Io } from "../terminal/io.ts";
import { listStoredStudies, locateStudies, type StudiesOptions } from "./stored-studies.ts";
import { formatTable } from "../../text/text-table.ts";

/** `parley study list`: what ran here, and what comes with Parley. */
export function listStudies(io: Io, options: StudiesOptions & { json?: boolean }): void {
  const folder = locateStudies(io, options);
  const ran = listStoredStudies(folder).map((name) => {
    const { manifest, scorecards } = readStudyFolder(join(folder, name));
    const planned = manifest.arms.length * manifest.dataset.cases * manifest.seeds.length;
    return {
      name,
      pack: manifest.pack,
      arms: manifest.arms.length,
      cases: manifest.dataset.cases,
      runs: scorecards.length,
      planned,
      folder: join(folder, name),
    };
  });
  const bundled = bundledStudies().map((name) => {
    const { pack, about } = readStudy(findStudyFile(name, "/"));
    return { name, pack, about: about ?? "" };
  });
  if (options.json) return io.out(`${JSON.stringify({ ran, bundled })}\n`);
  const ranRows = ran.map((one) => [
    one.name,
    one.pack,
    `${one.cases} cases × ${one.arms} arms`,
    `${one.runs} of ${one.planned} runs`,
    one.folder,
  ]);
  const bundledRows = bundled.map((one) => [one.name, one.pack, one.about]);
  io.out(ran.length === 0 ? "No study has run here yet.\n" : `Ran here:\n${indentTable(ranRows)}`);
  io.out(`\nCome with Parley (parley study run NAME):\n${indentTable(bundledRows)}`);
}

function indentTable(rows: string[][]): string {
  return formatTable(rows)
    .map((line) => `  ${line}\n`)
    .join("");
}
