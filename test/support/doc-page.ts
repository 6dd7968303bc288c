/** Pages of documentation as something that can be run: their commands, the files they show, and what is to be printed. */
export type DocStep =
  | { kind: "file"; path: string; text: string }
  | { kind: "command"; words: string[]; shown: string[]; line: number };

/** The steps of a page, in order: blocks with `$ parley …` lines, and files whose first line names them in a comment. */
export function readSteps(page: string): DocStep[] {
  const steps: DocStep[] = [];
  for (const match of page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)) {
    const [, language = "", text = ""] = match;
    const line = page.slice(0, match.index).split("\n").length + 1;
    const path = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(text)?.[1];
    if (language !== "" && path !== undefined) steps.push({ kind: "file", path, text });
    else if (language === "") steps.push(...readCommands(text, line));
  }
  return steps;
}

function readCommands(text: string, first: number): DocStep[] {
  const steps: Extract<DocStep, { kind: "command" }>[] = [];
  for (const [at, line] of text.trimEnd().split("\n").entries())
    if (line.startsWith("$ "))
      steps.push({ kind: "command", words: splitWords(line.slice(2)), shown: [], line: first + at });
    else steps.at(-1)?.shown.push(line);
  return steps;
}

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

/** What differs between two runs of the same thing: moments, durations and ids. */
export function blurPassing(text: string): string {
  return text
    .replaceAll(runId, "RUN")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "MOMENT")
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, "TIME");
}

/** A run's id as it is printed. */
export const runId = /\b[0-9a-z]{7}-[0-9a-z]{6}\b/g;

/** Says where shown lines and printed ones part, or null; a line `…` stands for any lines, one that ends in `…` for its rest. */
export function findMismatch(shown: readonly string[], printed: readonly string[]): string | null {
  const [first, ...rest] = shown;
  if (first === undefined) return printed.length === 0 || shown.length === 0 ? null : `not shown: ${printed[0]}`;
  if (first.trim() === "…") {
    if (rest.length === 0) return null;
    const at = printed.findIndex((_, index) => findMismatch(rest, printed.slice(index)) === null);
    return at >= 0 ? null : `after "…" there is no ${JSON.stringify(rest[0])}`;
  }
  const [line] = printed;
  const isLike =
    line !== undefined &&
    (first.endsWith("…") ? line.startsWith(first.slice(0, -1)) : line.trimEnd() === first.trimEnd());
  if (!isLike) return `shown:   ${first}\nprinted: ${line ?? "(nothing more)"}`;
  return findMismatch(rest, printed.slice(1));
}
