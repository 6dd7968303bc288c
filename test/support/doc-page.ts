/** Pages of documentation as something that can be run: their commands, the files they show, and what is to be printed. */
export type DocStep =
  | { kind: "file"; path: string; text: string; line: number }
  | { kind: "command"; words: string[]; shown: string[]; line: number }
  /** A command that is only read: it needs a model, a server or files of the reader's. */
  | { kind: "example"; words: string[]; line: number };

/** What a page is run in, and how. */
export type DocPage = { folder: string | null; inProcesses: boolean; isQuick: boolean; steps: DocStep[] };

/** Reads a page: its line `<!-- run in FOLDER -->`, if it has one, and its steps. */
export function readPage(page: string): DocPage {
  const [, folder = null, how = ""] = /^<!-- run in ([^\s,]+)(.*) -->$/m.exec(page) ?? [];
  return {
    folder,
    inProcesses: how.includes("each command a process"),
    isQuick: !how.includes("in the long run"),
    steps: readSteps(page),
  };
}

/**
 * The steps of a page, in order: `$ parley …` lines are run, `parley …` lines are read, and blocks whose first line
 * names a file in a comment are that file. A block under `<!-- not run: WHY -->` is read as a whole.
 */
function readSteps(page: string): DocStep[] {
  const steps: DocStep[] = [];
  for (const match of page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)) {
    const [, language = "", text = ""] = match;
    const before = page.slice(0, match.index);
    const line = before.split("\n").length + 1;
    const path = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(text)?.[1];
    const isRun = !/<!-- not run: [^\n]+ -->\n+$/.test(before);
    if (language !== "" && path !== undefined) steps.push({ kind: "file", path, text, line });
    else if (language === "" || language === "sh") steps.push(...readCommands(text, line, isRun));
  }
  return steps;
}

function readCommands(text: string, first: number, isRun: boolean): DocStep[] {
  const steps: DocStep[] = [];
  for (const [at, line] of text.trimEnd().split("\n").entries()) {
    const last = steps.at(-1);
    if (line.startsWith("$ ") && isRun)
      steps.push({ kind: "command", words: splitWords(line.slice(2)), shown: [], line: first + at });
    else if (/^(\$ )?parley /.test(line))
      for (const one of line.replace(/^\$ /, "").split(" · "))
        steps.push({ kind: "example", words: splitWords(dropRemark(one)), line: first + at });
    else if (last?.kind === "command") last.shown.push(line);
  }
  return steps;
}

/** A line of examples without what is said of it, after a `#` or after some space. */
const dropRemark = (line: string): string => line.replace(/(\s+#\s|\s{2,}|\s&$|\s[|>]\s).*$/, "");

/** The words of a line as a shell reads them: quotes of both kinds, and escapes inside double ones. */
export function splitWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /'([^']*)'|"((?:\\.|[^"\\])*)"/g,
      (_, single: string | undefined, double: string | undefined) =>
        single ?? (double ?? "").replaceAll(/\\(["\\$`])/g, "$1"),
    ),
  );
}

/** Commands that a page mentions in its text. */
export function listMentions(page: string): { words: string[]; line: number }[] {
  const text = page.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ""));
  return [...text.matchAll(/`parley ([^`\n]+)`/g)].map((match) => ({
    words: splitWords(match[1] ?? ""),
    line: text.slice(0, match.index).split("\n").length,
  }));
}

/** What differs between two runs of the same thing: moments, durations, sizes and ids. */
export function blurPassing(text: string): string {
  return text
    .replaceAll(runId, "RUN")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "MOMENT")
    .replaceAll(/\b(on|layout) [\d-]+/g, "$1 SOME")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(?!:)/g, "MOMENT")
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, "TIME")
    .replaceAll(/\b\d+(\.\d+)? (bytes|KB|MB)\b/g, "SIZE");
}

/** A run's id as it is printed. */
export const runId = /\b[0-9a-z]{7}-[0-9a-z]{6}\b/g;

/**
 * Says where shown lines and printed ones part, or null; a line `…` stands for any lines, one that ends in `…` for its
 * rest. Where nothing is shown, anything may be printed.
 */
export function findMismatch(shown: readonly string[], printed: readonly string[]): string | null {
  return shown.length === 0 ? null : findParting(shown, printed);
}

function findParting([first, ...rest]: readonly string[], printed: readonly string[]): string | null {
  const [line] = printed;
  if (first === undefined) return line === undefined ? null : `printed, and not shown: ${line}`;
  if (first.trim() === "…") return rest.length === 0 ? null : findLater(rest, printed);
  const isLike =
    line !== undefined &&
    (first.endsWith("…") ? line.startsWith(first.slice(0, -1)) : line.trimEnd() === first.trimEnd());
  if (!isLike) return `shown:   ${first}\nprinted: ${line ?? "(nothing more)"}`;
  return findParting(rest, printed.slice(1));
}

/** After `…`: the shown lines may come anywhere later. */
function findLater(shown: readonly string[], printed: readonly string[]): string | null {
  const [first = ""] = shown;
  let parting: string | null = null;
  for (const [at, line] of printed.entries()) {
    if (line.trimEnd() !== first.trimEnd() && !first.endsWith("…")) continue;
    const found = findParting(shown, printed.slice(at));
    if (found === null) return null;
    parting ??= found;
  }
  return parting ?? `after "…" there is no ${JSON.stringify(first)}`;
}
