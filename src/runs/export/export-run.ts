import { stringify } from "yaml";
import type { Budget } from "../../contract/budget.ts";
import type { exportFormats } from "../../contract/api/index.ts";
import type { PageRenderer, RunPage } from "../../contract/api/page.ts";
import { ParleyError } from "../../contract/error.ts";
import { fillIn, type FrameWords, frameOf } from "../../contract/frame-words.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Run } from "../../contract/run.ts";
import type { Point, StoryTurn } from "../../contract/story.ts";
import { type Turn, turnIdOf } from "../../contract/turn.ts";
import type { Section } from "../../contract/view.ts";
import { describeSpend } from "../../engine/budget.ts";
import { describeValue } from "../../engine/define-pack.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { renderMarkdown } from "../../print/markdown/render-markdown.ts";
import { loadPageRenderer } from "../../print/viewer-build.ts";
import type { Store } from "../../store/store.ts";
import { cutText, formatDuration } from "../../text/format.ts";
import { escapeMarkdown } from "../../text/layout.ts";
import { collectPieces } from "../proof.ts";
import { findElapsed, type StoredRun } from "../read-run.ts";
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
  storyOf,
} from "../show-run.ts";
import { explainRun, limitRuns, makeWhySections } from "../why.ts";

export type ExportPage = ReturnType<typeof exportPage>;

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
  const page = exportPage(pack, stored, hasEnded ? await explainInSections(pack, stored) : []);
  const renderer = format === "html" ? await loadPageRenderer() : null;
  return present(pack, stored, () => (renderer ? exportHtml(page, renderer) : exportMarkdown(page)));
}

/** Explains the decision within a time limit; if it cannot be decided again, a section says so. */
async function explainInSections(pack: AnyPack, stored: StoredRun): Promise<Section[]> {
  const language = findLanguage(pack, finishedOf(stored));
  try {
    return makeWhySections(await explainRun(pack, stored, limitRuns(stored)), language);
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const text = `This cannot be shown: ${error.message}.`;
    return [{ kind: "text", title: frameOf(language).why.question, id: "depends-on", text }];
  }
}

/** A run as one JSON value: request, prompt pieces, turns and result. */
export async function exportJson(store: Store, { run, turns, result }: StoredRun): Promise<Record<string, unknown>> {
  const pieces = await collectPieces(store, run.id, turns);
  const numbers = new Map(pieces.map(({ hash }, number) => [hash, number]));
  return {
    version: 2,
    run,
    pieces: pieces.map(({ parent, text }) => ({ parent: parent === null ? null : numbers.get(parent), text })),
    turns: turns.map((turn) => ({ id: turnIdOf(turn.key), ...turn, prompt: numbers.get(turn.promptHash) })),
    result,
    people: listPeople({ turns, result }),
  };
}

const longestTitle = 400;

export function exportPage(pack: AnyPack, stored: StoredRun, why: Section[] = []) {
  const { run, turns, result, entries } = stored;
  return present(pack, stored, (finished) => {
    const story = storyOf(pack, stored);
    return {
      run,
      title: cutText(subjectOf(pack, run) || `${run.manifest.pack} run ${run.id}`, longestTitle),
      summary: pack.summary,
      result,
      headline: headlineOf(pack, finished),
      turns,
      story,
      positions: listStands(pack, stored, story),
      sections: result ? listSections(pack, finished) : [],
      elapsedMs: findElapsed(entries),
      language: findLanguage(pack, finished),
      why,
    };
  });
}

const tones = {
  decided: "good",
  undecided: "warn",
  escalated: "warn",
  budget_exhausted: "warn",
  failed: "bad",
} as const;

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
  const { run, title, headline, story, positions } = page;
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
    })),
    end: [...(page.result?.notes.length ? [buildRulesSection(page)] : []), buildCostSection(page)],
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

const leading = 2;

function pickMainSections({ sections, why: [answer, ...changes], language }: ExportPage): Section[] {
  const title = frameOf(language).why.changes;
  const folded: Section[] = changes.length > 0 ? [{ kind: "group", title, folded: true, sections: changes }] : [];
  return [...sections.slice(0, leading), ...(answer ? [answer] : []), ...folded, ...sections.slice(leading)];
}

function buildDebateSection({ turns, story, language }: ExportPage): Section {
  const words = frameOf(language);
  const items = new Map(turns.map((turn) => [turnIdOf(turn.key), turn]));
  const sections = story.stages.map(({ title, turns: spoken }): Section => {
    const rows = spoken.flatMap((one) => [
      { label: nameTurn(one, items.get(one.turn), words), value: sayTurn(one, items.get(one.turn), words) },
      ...one.points.map((point) => describePoint(point, words)),
    ]);
    return { kind: "facts", title: `${title}, ${fillIn(words.turns, { turns: spoken.length })}`, rows };
  });
  return { kind: "group", title: words.debate, sections };
}

function nameTurn({ speaker, does }: StoryTurn, turn: Turn | undefined, { page }: FrameWords): string {
  const player = turn?.player ?? "";
  const person = player.replace(/^person\/(.*)$/, `${page.person} ($1)`).replace(/^person$/, page.person);
  const by = /^expert\b/.test(player) ? page.program : person;
  return [`${speaker} ${does}`, by].filter(Boolean).join(" · ");
}

function sayTurn({ says, points }: StoryTurn, turn: Turn | undefined, words: FrameWords): string {
  if (turn?.status === "abstained") return words.noReply;
  return says || points.length > 0 ? says : JSON.stringify(turn?.reply ?? "");
}

function describePoint({ name, text, tags = [], standing, status, change, repeats }: Point, { page }: FrameWords) {
  const about = [...tags, ...(standing ? [status ?? page.standings[standing]] : [])];
  const said = repeats ? page.kept : change ? `${change.before} → ${change.after}` : text;
  return { label: about.length > 0 ? `${name} (${about.join(" · ")})` : name, value: said };
}

export function buildRulesSection({ result, language }: Pick<ExportPage, "result" | "language">): Section {
  const words = frameOf(language);
  const steps = (result?.notes ?? []).map(({ type, round, data }) => ({
    label: words.notes[type] ?? type.replaceAll("_", " "),
    outcome: round > 0 ? fillIn(words.round, { round }) : "",
    detail: cutText(describeValue(data).replaceAll(/\s+/g, " "), longestGist),
  }));
  return { kind: "steps", title: words.rules, id: "rules", steps };
}

const longestGist = 400;

function formatQuorum({ quorum }: DebateResult, words: FrameWords): string {
  const { asked, answered, repaired, abstained } = quorum;
  return [
    fillIn(words.answered, { answered, asked }),
    ...(repaired > 0 ? [fillIn(words.repaired, { turns: repaired })] : []),
    ...(abstained > 0 ? [fillIn(words.abstained, { turns: abstained })] : []),
  ].join(", ");
}

function buildCostSection({ run, result, language, elapsedMs }: ExportPage): Section {
  const { cost: words, cast: castWord, seed: seedWord, spend } = frameOf(language);
  const { config, seed, cast, budget, parent } = run.manifest;
  const rows = [
    { label: words.cost, value: result ? describeSpend(result, spend) : words.notEnded },
    { label: words.time, value: elapsedMs === null ? words.notEnded : formatDuration(elapsedMs) },
    { label: castWord, value: cast },
    { label: seedWord, value: String(seed) },
    { label: words.budget, value: describeBudget(budget) || words.none },
    ...(parent ? [{ label: words.branched, value: `${parent.run}, ${words.at} ${parent.from}` }] : []),
  ];
  return {
    kind: "group",
    title: words.title,
    id: "cost",
    folded: true,
    sections: [
      { kind: "facts", title: "", rows },
      {
        kind: "group",
        title: words.whole,
        folded: true,
        sections: [{ kind: "code", title: "", text: stringify(config) }],
      },
    ],
  };
}

function describeBudget({ wallMs, ...limits }: Budget): string {
  return describeValue({ ...limits, ...(wallMs !== undefined && { time: formatDuration(wallMs) }) });
}
