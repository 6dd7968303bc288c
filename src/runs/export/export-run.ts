import { stringify } from "yaml";
import type { Budget } from "../../contract/budget.ts";
import type { exportFormats } from "../../contract/api/index.ts";
import type { PageRenderer, RunPage } from "../../contract/api/page.ts";
import { ParleyError } from "../../contract/error.ts";
import { fillIn, type FrameWords, frameOf } from "../../contract/frame-words.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Run } from "../../contract/run.ts";
import type { Point, StoryTurn } from "../../contract/story.ts";
import { describeProblem, type Turn, turnIdOf } from "../../contract/turn.ts";
import type { Section } from "../../contract/view.ts";
import { describeSpend, sumUsage } from "../../engine/budget.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { renderMarkdown } from "../../print/markdown/render-markdown.ts";
import { loadPageRenderer } from "../../print/viewer-build.ts";
import type { Store } from "../../store/store.ts";
import { cutText, formatDuration, countText, formatUsd } from "../../text/format.ts";
import { escapeMarkdown } from "../../text/layout.ts";
import { collectPieces } from "../proof.ts";
import { findElapsed, type StoredRun } from "../read-run.ts";
import {
  adviseLimits,
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
  const sections = story.stages.map(
    ({ title, turns: spoken }): Section => ({
      kind: "group",
      title: `${title}, ${fillIn(words.turns, { turns: spoken.length })}`,
      folded: true,
      sections: spoken.map((one) => buildTurnSection(one, items.get(one.turn), words)),
    }),
  );
  return { kind: "group", title: words.debate, sections };
}

function buildTurnSection(storyTurn: StoryTurn, turn: Turn | undefined, words: FrameWords): Section {
  const { speaker, does, says, points } = storyTurn;
  const isSaid = says !== "" || points.length > 0 || turn?.status === "abstained";
  const rows = points.map((point) => describePoint(point, words));
  const by = turn ? [namePlayer(turn.player, words), words.statuses[turn.status]] : [];
  return {
    kind: "group",
    title: [`${speaker} ${does}`, ...by].join(" · "),
    sections: [
      { kind: "text", title: "", text: turn?.status === "abstained" ? words.noReply : says },
      { kind: "facts", title: "", rows },
      ...(isSaid || !turn ? [] : [{ kind: "code", title: "", text: JSON.stringify(turn.reply, null, 2) } as const]),
      { kind: "list", title: "", items: turn ? listTroubles(turn, words) : [] },
    ],
  };
}

function describePoint({ name, text, tags = [], standing, status, change, repeats }: Point, { page }: FrameWords) {
  const about = [...tags, ...(standing ? [status ?? page.standings[standing]] : [])];
  const said = repeats ? page.kept : change ? `${change.before} → ${change.after}` : text;
  return { label: about.length > 0 ? `${name} (${about.join(" · ")})` : name, value: said };
}

function namePlayer(player: string, { page }: FrameWords): string {
  if (/^expert\b/.test(player)) return page.program;
  return player.replace(/^person\/(.*)$/, `${page.person} ($1)`).replace(/^person$/, page.person);
}

function listTroubles({ attempts }: Turn, { page }: FrameWords): string[] {
  return attempts.flatMap(({ problems, mends = [], overruled }) => [
    ...(overruled ? [fillIn(page.letStand, { name: overruled.by, why: overruled.why })] : []),
    ...problems.map((problem) => `⚠ ${problem.code}: ${describeProblem(problem)}`),
    ...mends.map((mend) => `${page.mended}: ${mend}`),
  ]);
}

export function buildRulesSection({ result, language }: Pick<ExportPage, "result" | "language">): Section {
  const words = frameOf(language);
  const steps = (result?.notes ?? []).map(({ type, round, data }) => ({
    label: words.notes[type] ?? type.replaceAll("_", " "),
    outcome: round > 0 ? fillIn(words.round, { round }) : "",
    detail: gist(data),
  }));
  return { kind: "steps", title: words.rules, id: "rules", steps };
}

const longestGist = 400;

function gist(data: unknown): string {
  if (data === null || typeof data !== "object") return String(data);
  const parts = Object.entries(data).flatMap(([key, value]) => {
    const text = gistOf(value);
    return text === null || /_id$|hash$/.test(key) ? [] : [`${key.replaceAll("_", " ")} ${text}`];
  });
  return cutText(parts.join(" · "), longestGist);
}

function gistOf(value: unknown): string | null {
  if (typeof value === "number") return String(Number(value.toFixed(3)));
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? null : `${value.length}`;
  if (typeof value !== "string" || value === "") return null;
  return cutText(value.replaceAll(/\s+/g, " "), 90);
}

function formatQuorum({ quorum }: DebateResult, words: FrameWords): string {
  const { asked, answered, repaired, abstained } = quorum;
  return [
    fillIn(words.answered, { answered, asked }),
    ...(repaired > 0 ? [fillIn(words.repaired, { turns: repaired })] : []),
    ...(abstained > 0 ? [fillIn(words.abstained, { turns: abstained })] : []),
  ].join(", ");
}

type CostWords = FrameWords["cost"];

function buildCostSection({ run, result, turns, language, elapsedMs }: ExportPage): Section {
  const { cost: words, cast: castWord, seed: seedWord, spend } = frameOf(language);
  const { config, given, seed, cast, budget, parent } = run.manifest;
  const { promptTokens } = result ?? {};
  const isReused = promptTokens && promptTokens.total > 0 && (result?.usage.inputTokens ?? 0) > 0;
  const share = isReused ? Math.round((100 * promptTokens.prefix) / promptTokens.total) : 0;
  const rows = [
    { label: words.cost, value: result ? describeSpend(result, spend) : words.notEnded },
    ...adviseLimits(turns).map((value) => ({ label: words.cutOff, value })),
    { label: words.time, value: elapsedMs === null ? words.notEnded : formatDuration(elapsedMs) },
    { label: castWord, value: cast },
    { label: seedWord, value: String(seed) },
    { label: words.budget, value: formatBudget(budget, words) },
    ...(parent ? [{ label: words.branched, value: `${parent.run}, ${words.at} ${parent.from}` }] : []),
    ...(isReused ? [{ label: words.reuse, value: fillIn(words.reused, { share }) }] : []),
  ];
  return {
    kind: "group",
    title: words.title,
    id: "cost",
    folded: true,
    sections: [
      { kind: "facts", title: "", rows },
      buildRolesTable(turns, words),
      buildSettingsSection(words.given, given),
      buildSettingsSection(words.whole, config),
    ],
  };
}

function formatBudget({ calls, tokens, usd, wallMs }: Budget, words: CostWords): string {
  const limits = [
    ...(calls === undefined ? [] : [`${countText(calls)} ${words.calls}`]),
    ...(tokens === undefined ? [] : [`${countText(tokens)} ${words.tokens}`]),
    ...(usd === undefined ? [] : [`$${usd}`]),
    ...(wallMs === undefined ? [] : [formatDuration(wallMs)]),
  ];
  return limits.join(", ") || words.none;
}

function buildSettingsSection(title: string, settings: unknown): Section {
  const text = Object.keys(settings ?? {}).length === 0 ? "" : stringify(settings);
  return { kind: "group", title, folded: true, sections: [{ kind: "code", title: "", text }] };
}

function buildRolesTable(turns: readonly Turn[], words: CostWords): Section {
  const groups = Map.groupBy(turns, (turn) => `${turn.key.role}\n${turn.player}`);
  const rows = [...groups].map(([key, group]) => [...key.split("\n"), ...computeFigures(group, words)]);
  const columns = [words.role, words.player, ...words.figures.map((name) => ({ name, numeric: true }))];
  return { kind: "table", title: "", note: words.byRole, columns, rows };
}

function computeFigures(turns: readonly Turn[], words: CostWords): string[] {
  const { calls, inputTokens, cachedTokens, outputTokens, costUsd } = sumUsage(turns.map((turn) => turn.usage));
  const ms = turns.flatMap(({ attempts }) => attempts).reduce((sum, { durationMs }) => sum + durationMs, 0);
  return [
    ...[turns.length, calls, inputTokens, cachedTokens, outputTokens].map(countText),
    costUsd === null ? words.unknown : formatUsd(costUsd),
    formatDuration(ms),
  ];
}
