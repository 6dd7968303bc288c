import { accessSync, constants, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { ParleyError, hasCode } from "../contract/error.ts";
import { describeProblem } from "../contract/turn.ts";
import type { Section } from "../contract/view.ts";
import type { AnyPack, AnyFinished } from "../engine/pack.ts";
import { renderMarkdown } from "../print/markdown/render-markdown.ts";
import { renderTerminal } from "../print/terminal/render-terminal.ts";
import { fillIn, frameOf } from "../contract/frame-words.ts";
import {
  buildResultJson,
  findLanguage,
  headlineOf,
  isRecorded,
  listPeople,
  pickTerminalSections,
} from "../runs/show-run.ts";
import { describeSpend } from "../engine/budget.ts";
import { type FinishedRun, type RunRequest, startRun } from "../runs/start.ts";
import { replaceFile, placeIn } from "../store/replace-file.ts";
import { formatCount, makePrintable, shortenText } from "../text/format.ts";
import { exitCodeOf, type Io, resolveOut } from "./io.ts";
import type { RunOptions } from "./options.ts";
import { makeRequest } from "./settings.ts";
import { type Runs, withRuns } from "./stores.ts";

export async function runCase(
  io: Io,
  options: RunOptions & { beside?: boolean },
  pack: AnyPack,
  input: unknown,
): Promise<FinishedRun | null> {
  if (options.dryRun) {
    await (await import("./dry-run.ts")).printDryRun(io, options, pack, { rows: [{ input, problem: null }] });
    return null;
  }
  if (options.out !== undefined) prepareFolder(io, { ...options, out: options.out });
  const run = async ({ config, setting, progress }: Runs): Promise<FinishedRun> => {
    const request = { ...makeRequest(io, options, config, pack), input };
    // The debate comes last, so that --last is the debate.
    const plain = options.beside ? await startRun(setting, await makePlain(request)) : null;
    const done = await startRun(setting, plain ? subtractSpend(request, plain) : request);
    progress.clear();
    if (plain) printBeside(io, options, pack, { done, plain });
    else printResult(io, options, pack, done);
    return done;
  };
  return withRuns(io, options, run, { isOne: true });
}

/** One plain answer by the same players: the control arm `single`. */
async function makePlain(request: RunRequest): Promise<RunRequest> {
  const { makeControl } = await import("../studies/run/plan-arms.ts");
  const { pack, config } = request;
  return { ...request, config: { ...(config as object), ...makeControl(pack, "single") } };
}

function subtractSpend(request: RunRequest, { finished }: FinishedRun): RunRequest {
  const { spend } = finished.result;
  const left = { ...request.budget };
  for (const limit of ["calls", "tokens", "usd"] as const)
    if (left[limit] !== undefined) left[limit] = Math.max(0, left[limit] - (spend[limit] ?? 0));
  return { ...request, budget: left };
}

type Pair = { done: FinishedRun; plain: FinishedRun };

function printBeside(io: Io, options: RunOptions, pack: AnyPack, { done, plain }: Pair): void {
  if (options.json) {
    io.json({ ...buildResultJson(done), beside: buildResultJson(plain) });
    return printResult({ ...io, json: () => undefined }, options, pack, done);
  }
  printResult(io, { ...options, quiet: true }, pack, done);
  const [verdict] = pickTerminalSections(pack, plain.finished);
  io.out(`${"─".repeat(Math.min(io.width, 80))}\nOne plain answer, without a debate\n\n`);
  if (verdict) io.show([verdict]);
  const [debated, alone] = [headlineOf(pack, done.finished), headlineOf(pack, plain.finished)];
  const differs = [...new Set([...Object.keys(debated), ...Object.keys(alone)])].filter(
    (name) => debated[name] !== alone[name],
  );
  io.out(`\ndebate        ${describeSpend(done.finished.result)} · parley show ${done.runId}\n`);
  io.out(`plain answer  ${describeSpend(plain.finished.result)} · parley show ${plain.runId}\n`);
  const isDecided = [done, plain].some(({ finished }) => finished.result.outcome === "decided");
  if (differs.length > 0) io.out(`They differ in: ${differs.join(", ")}.\n`);
  else io.out(isDecided ? "Both give the same answer.\n" : "Neither reached a decision.\n");
}

function prepareFolder(io: Io, given: { out: string; quiet?: boolean }): void {
  const folder = resolveOut(io, given, true);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new ParleyError("bad_input", `--out ${given.out}: no files can be written there; name another folder`, {
      cause,
    });
  }
}

type Done = { runId: string; finished: AnyFinished };

export function printResult(
  io: Io,
  options: Pick<RunOptions, "json" | "quiet" | "out">,
  pack: AnyPack,
  done: Done,
): void {
  const { finished } = done;
  if (options.json) io.json(buildResultJson(done));
  else io.painted(reportOf(io, pack, done));
  if (options.out !== undefined) {
    try {
      const names = writeArtifacts(pack, finished, resolve(io.cwd, options.out));
      if (!options.quiet) io.err(`${names.length} files in ${options.out}\n`);
    } catch (error) {
      if (hasCode(error, "write_failed"))
        error.message += `\nThe run is kept: parley resume ${done.runId} --out ${options.out} writes them again without calling a model`;
      throw error;
    }
  }
  if (!options.quiet) for (const line of explainAbstentions(finished)) io.err(`${line}\n`);
  if (!options.quiet) io.err(formatClosingLine(pack, done));
  io.exit.code = Math.max(io.exit.code, exitCodeOf(finished.result.outcome));
}

export function reportOf(io: Pick<Io, "width" | "color">, pack: AnyPack, { finished }: Done): string {
  const { recorded } = frameOf(findLanguage(pack, finished));
  const notice: Section = { kind: "text", title: "", text: recorded, tone: "warn" };
  return renderTerminal([...pickTerminalSections(pack, finished), ...(isRecorded(finished.turns) ? [notice] : [])], io);
}

export function writeArtifacts(pack: AnyPack, finished: Done["finished"], folder: string): string[] {
  const people = listPeople(finished);
  const decision = { ...(finished.result.decision as object | null), ...(people.length > 0 && { parley: { people } }) };
  const decided = finished.result.decision === null && people.length === 0 ? null : decision;
  const artifacts = [
    { name: "decision.json", content: `${JSON.stringify(decided, null, 2)}\n` },
    ...(pack.artifacts?.(finished) ?? []),
  ];
  for (const { name, content } of artifacts) {
    const isMarkdown = name.endsWith(".md");
    const draw = (sections: Section[]): string =>
      isMarkdown ? `${renderMarkdown(sections, 1)}\n` : renderTerminal(sections, { width: 100, color: false });
    const text = typeof content === "string" ? content : draw(content);
    // Prose is read in terminals; data keeps its bytes.
    replaceFile(placeIn(folder, name), isMarkdown || name.endsWith(".txt") ? makePrintable(text) : text);
  }
  return artifacts.map((artifact) => artifact.name);
}

function explainAbstentions({ result, turns }: AnyFinished): string[] {
  const silent = turns.filter(({ status }) => status === "abstained");
  if (result.outcome === "decided" || silent.length === 0) return [];
  const byWhy = Map.groupBy(silent, ({ problems: [first] }) =>
    first ? describeProblem(first) : "no reason was given",
  );
  return [...byWhy].slice(0, 3).map(([why, same]) => {
    const roles = [...new Set(same.map(({ key }) => key.role))].join(", ");
    return `${formatCount(same.length, "turn")} gave no usable reply (${roles}): ${shortenText(why, 160)}`;
  });
}

function formatClosingLine(pack: AnyPack, { runId, finished }: Done): string {
  const { outcome, quorum, usage, promptTokens } = finished.result;
  const words = frameOf(findLanguage(pack, finished));
  const turns = [
    fillIn(words.turns, { turns: quorum.asked }),
    ...(quorum.abstained > 0 ? [fillIn(words.abstained, { turns: quorum.abstained })] : []),
    ...(quorum.repaired > 0 ? [fillIn(words.repaired, { turns: quorum.repaired })] : []),
  ].join(", ");
  const share = Math.round((100 * promptTokens.prefix) / Math.max(1, promptTokens.total));
  const reuse = usage.inputTokens > 0 ? [fillIn(words.cost.reused, { share })] : [];
  const paid = describeSpend(finished.result, words.spend);
  return `${[words.outcomes[outcome], turns, paid, ...reuse, `parley show ${runId}`].join(" · ")}\n`;
}
