import type { exportFormats } from "../../contract/api/index.ts";
import type { PageRenderer, RunPage } from "../../contract/api/page.ts";
import { ParleyError } from "../../contract/error.ts";
import { fillIn, type FrameWords, frameOf } from "../../contract/frame-words.ts";
import type { PromptLanguage } from "../../contract/prompt.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Run } from "../../contract/run.ts";
import type { PositionItem, Story } from "../../contract/story.ts";
import { type Turn, turnIdOf } from "../../contract/turn.ts";
import type { Section } from "../../contract/view.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { chainPieces, type Piece } from "../../engine/prompt.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { renderMarkdown } from "../../print/markdown/render-markdown.ts";
import { loadPageRenderer } from "../../print/viewer-build.ts";
import type { Store } from "../../store/store.ts";
import { formatDuration } from "../../text/format.ts";
import { escapeMarkdown } from "../../text/layout.ts";
import { describeSpend, requirePrompt, type StoredRun } from "../read-run.ts";
import {
  findLanguage,
  finishedOf,
  headlineOf,
  isRecorded,
  listPeople,
  listSections,
  listStands,
  present,
  subjectOf,
  tellRun,
} from "../show-run.ts";
import { explainRun, limitRuns, makeWhySections } from "../why.ts";
import {
  buildCostSection,
  buildDebateSection,
  buildRulesSection,
  formatQuorum,
  pickMainSections,
} from "./export-sections.ts";

export type ExportPage = {
  run: Run;
  title: string;
  summary: string;
  result: DebateResult | null;
  headline: Record<string, string>;
  story: Story;
  positions: PositionItem[];
  sections: Section[];
  /** How long the run took, over all its processes; null while it has not ended. */
  elapsedMs: number | null;
  language: PromptLanguage;
  why: Section[];
} & GatheredPrompts;

/** The prompts of a run, each piece once; `prompt` is the number of the last piece of a turn's prompt. */
type GatheredPrompts = { pieces: { parent: number | null; text: string }[]; turns: (Turn & { prompt: number })[] };

export type ExportFormat = (typeof exportFormats)[number];

export async function writeExport(
  store: Store,
  stored: StoredRun,
  format: ExportFormat,
  own?: AnyPack,
): Promise<string> {
  if (format === "json") return `${JSON.stringify(await exportJson(store, stored), null, 2)}\n`;
  const pack = own ?? (await loadPackOf(stored.run.manifest));
  const hasEnded = stored.result !== null && stored.result.outcome !== "failed";
  const page = await exportPage(store, pack, stored, hasEnded ? await explainInSections(pack, stored) : []);
  const renderer = format === "html" ? await loadPageRenderer() : null;
  return present(pack, stored, () => (renderer ? exportHtml(page, renderer) : exportMarkdown(page)));
}

/** What a decision hangs on, found within a bound; a run that cannot be decided again says so in its place. */
async function explainInSections(pack: AnyPack, stored: StoredRun): Promise<Section[]> {
  const language = findLanguage(pack, finishedOf(stored));
  try {
    return makeWhySections(await explainRun(pack, stored, limitRuns(stored)), language);
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const text = `This cannot be told: ${error.message}.`;
    return [{ kind: "text", title: frameOf(language).why.question, id: "hangs-on", text }];
  }
}

/** A run as one JSON value: what it was started with, the pieces of its prompts, every turn, and how it ended. */
export async function exportJson(store: Store, { run, turns, result }: StoredRun): Promise<Record<string, unknown>> {
  const gathered = await gatherPieces(store, run.id, turns);
  const named = gathered.turns.map((turn) => ({ id: turnIdOf(turn.key), ...turn }));
  return { version: 2, run, pieces: gathered.pieces, turns: named, result, people: listPeople({ turns, result }) };
}

/** Reads the prompts of all turns one after another, so that what is kept grows with the pieces and not with the prompts. */
async function gatherPieces(store: Store, runId: string, turns: readonly Turn[]): Promise<GatheredPrompts> {
  const journal = await store.journal(runId);
  const numbers = new Map<string, number>();
  const gathered: GatheredPrompts = { pieces: [], turns: [] };
  let chain: Piece[] = [];
  for (const turn of turns) {
    chain = chainPieces(await requirePrompt(journal, runId, turn), chain);
    for (const { hash, parent, text } of chain) {
      if (numbers.has(hash)) continue;
      numbers.set(hash, gathered.pieces.length);
      gathered.pieces.push({ parent: parent === null ? null : (numbers.get(parent) ?? null), text });
    }
    gathered.turns.push({ ...turn, prompt: numbers.get(chain.at(-1)?.hash ?? "") ?? 0 });
  }
  return gathered;
}

const longestTitle = 400;

/** Gathers a run's document; the pack says what its decision looks like. */
export async function exportPage(
  store: Store,
  pack: AnyPack,
  stored: StoredRun,
  why: Section[] = [],
): Promise<ExportPage> {
  const { run, turns, result, entries } = stored;
  const ends = entries.map((entry) => entry.body).filter((body) => body.kind === "end");
  const story = present(pack, stored, () => tellRun(pack, stored));
  const title = subjectOf(pack, run) || `${run.manifest.pack} run ${run.id}`;
  return {
    run,
    title: title.length > longestTitle ? `${title.slice(0, longestTitle - 1)}…` : title,
    summary: pack.summary,
    result,
    headline: present(pack, stored, (finished) => headlineOf(pack, finished)),
    ...(await gatherPieces(store, run.id, turns)),
    story,
    positions: present(pack, stored, () => listStands(pack, stored, story)),
    sections: result ? present(pack, stored, (finished) => listSections(pack, finished)) : [],
    elapsedMs: ends.length === 0 ? null : Math.max(...ends.map((end) => end.elapsedMs)),
    language: findLanguage(pack, finishedOf(stored)),
    why,
  };
}

const tones = {
  decided: "good",
  undecided: "warn",
  escalated: "warn",
  budget_exhausted: "warn",
  failed: "bad",
} as const;

/** How a run ended; or how a run that has not ended goes on. */
type End = Pick<RunPage, "outcome" | "reasons" | "figures" | "goesOn">;

function describeEnd({ run, result, turns, elapsedMs }: ExportPage, words: FrameWords): End {
  if (result)
    return {
      outcome: { word: words.outcomes[result.outcome], tone: tones[result.outcome] },
      reasons: [...result.reasons, ...(isRecorded(turns) ? [words.recorded] : [])],
      figures: [
        formatQuorum(result, words),
        describeSpend(result, words.spend),
        ...(elapsedMs === null ? [] : [formatDuration(elapsedMs)]),
      ].join(" · "),
      goesOn: null,
    };
  const [before = "", after = ""] = run.status === "finished" ? [] : words.goesOn[run.status];
  const command = `parley ${run.status === "waiting" ? "review" : "resume"} ${run.id}`;
  return {
    outcome: { word: words.unfinished, tone: "warn" },
    reasons: [],
    figures: fillIn(words.soFar, { turns: turns.length }),
    goesOn: run.status === "finished" ? null : { before, command, after },
  };
}

export function exportHtml(page: ExportPage, { renderRun }: PageRenderer): string {
  const { run, title, headline, story, positions, pieces } = page;
  const words = frameOf(page.language);
  const end = describeEnd(page, words);
  return renderRun({
    title,
    language: story.language ?? page.language,
    from: `Parley · ${run.manifest.pack} · ${describeTime(run)}`,
    foot: `${page.language === "en" ? `${page.summary} ` : ""}${fillIn(words.written, { version: run.manifest.parley, run: run.id })}; ${fillIn(words.journal, { entries: run.entryCount })} ${run.headHash.slice(0, 16)}. parley verify ${run.id} ${words.checks}`,
    words,
    headline: page.sections[0]?.kind === "verdict" ? {} : headline,
    sections: pickMainSections(page),
    story,
    positions,
    turns: page.turns.map(({ attempts, ...turn }) => ({
      ...turn,
      id: turnIdOf(turn.key),
      attempts: attempts.map(({ raw: _raw, ...attempt }) => attempt),
      raw: attempts.map(({ raw }) => raw),
    })),
    end: [...(page.result?.notes.length ? [buildRulesSection(page)] : []), buildCostSection(page)],
    pieces,
    ...end,
    figures: `${end.figures} · ${words.cast} ${run.manifest.cast}`,
  });
}

export function exportMarkdown(page: ExportPage): string {
  const { run, title, headline, sections } = page;
  const words = frameOf(page.language);
  const { outcome, reasons, figures, goesOn } = describeEnd(page, words);
  const shown = sections[0]?.kind === "verdict" ? [] : Object.entries(headline);
  const going = goesOn ? `; ${goesOn.before}\`${goesOn.command}\`${goesOn.after}` : "";
  const parts = [
    `# ${escapeMarkdown(title)}`,
    `${run.manifest.pack} · ${words.run} \`${run.id}\` · ${describeTime(run)} · ${words.cast} ${escapeMarkdown(run.manifest.cast)} · ${words.seed} ${run.manifest.seed}`,
    `**${outcome.word}** · ${figures}${going}`,
    [
      ...shown.map(([name, text]) => `- **${escapeMarkdown(name)}**: ${escapeMarkdown(text)}`),
      ...reasons.map((reason) => `- ${escapeMarkdown(reason)}`),
    ].join("\n"),
    renderMarkdown([...pickMainSections(page), buildDebateSection(page), buildRulesSection(page)]),
    `<sub>${fillIn(words.written, { version: escapeMarkdown(run.manifest.parley), run: `\`${run.id}\`` })}; ${fillIn(words.journal, { entries: run.entryCount })} \`${run.headHash.slice(0, 16)}\`. \`parley verify ${run.id}\` ${words.checks}</sub>`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function describeTime({ createdAt }: Run): string {
  return `${createdAt.slice(0, 16).replace("T", " ")} UTC`;
}
