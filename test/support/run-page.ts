/** Runs the commands of a page of documentation, in order, in a folder of its own. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { newFolder, runCliTogether, spawnCli } from "./cli.ts";
import { type DocPage, type DocStep, readPage, runId } from "./doc-page.ts";

const root = resolve(import.meta.dirname, "../..");

export type NamedPage = DocPage & { name: string; text: string };
export type CommandStep = Extract<DocStep, { kind: "command" }>;
/** A command of a page with what it printed here, where the ids of runs are those of the page. */
export type RanStep = CommandStep & { printed: string };

/** The pages of the repository. */
export function readPages(): NamedPage[] {
  return ["README.md", "CONTRIBUTING.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)]
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }))
    .map(({ name, text }) => ({ name, text, ...readPage(text) }));
}

/** Runs a page's commands one after the other. */
export async function* runPage(page: NamedPage): AsyncGenerator<RanStep> {
  if (page.folder === null) throw new Error(`${page.name}: say where it is run: <!-- run in FOLDER -->`);
  const cwd = prepareFolder(page.folder);
  const ids = new Map<string, string>();
  for (const step of page.steps)
    if (step.kind === "file") writeFile(join(cwd, step.path), step.text);
    else if (step.kind === "command") yield { ...step, printed: await runStep(page, step, { cwd, ids }) };
}

/** A copy of a folder of examples, or for `.` a folder with the examples and data of the repository in it. */
function prepareFolder(folder: string): string {
  const cwd = newFolder();
  if (folder === ".")
    for (const name of ["examples", "data", "studies"]) symlinkSync(join(root, name), join(cwd, name));
  else if (existsSync(join(root, folder))) cpSync(join(root, folder), cwd, { recursive: true });
  return cwd;
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function runStep(
  { name, inProcesses }: NamedPage,
  { words, shown, line }: CommandStep,
  { cwd, ids }: { cwd: string; ids: Map<string, string> },
): Promise<string> {
  const bar = words.indexOf("|");
  const [command, ...args] = bar < 0 ? words : words.slice(0, bar);
  if (command !== "parley") throw new Error(`${name}:${line}: only parley is run here, not ${command}`);
  const known = args.map((word) => [...ids].find(([id]) => word.length > 4 && id.startsWith(word))?.[1] ?? word);
  const whole = (await (inProcesses ? printInProcess : runCliTogether)(known, { cwd })).trimEnd();
  const printed = bar < 0 ? whole : cutOutput(whole, words.slice(bar + 1));
  learnIds(ids, shown.join("\n"), printed);
  const own = printed.replaceAll(`${cwd}/`, "");
  return [...ids].reduce((text, [shownId, id]) => text.replaceAll(id, shownId), own);
}

/** What `head -N` leaves of it; nothing else is behind a bar in these pages. */
function cutOutput(text: string, [command, count]: readonly string[]): string {
  if (command !== "head") throw new Error(`only head is known behind a bar, not ${command}`);
  return text
    .split("\n")
    .slice(0, Math.abs(Number(count)))
    .join("\n");
}

/** A command in a process of its own: what it loads for itself is not this one's. */
async function printInProcess(args: string[], options: { cwd: string }): Promise<string> {
  const { out, err } = await spawnCli(args, options).ran;
  return `${out}${err}`;
}

/** A page's ids stand for those of this run, in the order in which they first appear. */
function learnIds(ids: Map<string, string>, shown: string, printed: string): void {
  const fresh = (text: string, known: Iterable<string>): string[] =>
    [...new Set(text.match(runId) ?? [])].filter((id) => ![...known].includes(id));
  const own = fresh(printed, ids.values());
  for (const [index, id] of fresh(shown, ids.keys()).entries()) ids.set(id, own[index] ?? id);
}
