import { fillIn, type FrameWords, frameOf } from "../../contract/frame-words.ts";
import type { PageRenderer, RunPage } from "../../contract/api/page.ts";
import type { Note } from "../../contract/result.ts";
import { turnIdOf } from "../../contract/turn.ts";
import type { Section } from "../../contract/view.ts";
import { formatDuration } from "../../text/format.ts";
import { describeSpend } from "../read-run.ts";
import { isRecorded } from "../show-run.ts";
import { buildCostSection, pickMainSections } from "./main-sections.ts";
import { type ExportPage, formatQuorum, gist } from "./export-page.ts";

/** A run as one HTML file that opens from disk: the viewer's own components, no script, no outside resource. */
export function exportHtml(page: ExportPage, { renderRun }: PageRenderer): string {
  const { run, title, headline, story, positions, pieces } = page;
  const words = frameOf(page.language);
  return renderRun({
    title,
    language: story.language ?? page.language,
    from: `Parley · ${run.manifest.pack} · ${run.createdAt.slice(0, 16).replace("T", " ")} UTC`,
    foot: `${page.language === "en" ? `${page.summary} ` : ""}${fillIn(words.written, { version: run.manifest.parley, run: run.id })}; ${fillIn(words.journal, { entries: run.entryCount })} ${run.headHash.slice(0, 16)}. parley verify ${run.id} ${words.checks}`,
    words,
    headline: page.sections[0]?.kind === "verdict" ? {} : headline,
    sections: pickMainSections(page),
    story,
    positions,
    turns: page.turns.map(({ attempts, prompt, ...turn }) => ({
      ...turn,
      id: turnIdOf(turn.key),
      attempts: attempts.map(({ raw: _raw, ...attempt }) => attempt),
      raw: attempts.map(({ raw }) => raw),
      prompt,
    })),
    end: [...buildRules(page.result?.notes ?? [], words), buildCostSection(page)],
    pieces,
    ...describeEnd(page, words),
  });
}

const tones = {
  decided: "good",
  undecided: "warn",
  escalated: "warn",
  budget_exhausted: "warn",
  failed: "bad",
} as const;

/** How it ended; or how a run that has not ended goes on. */
function describeEnd(
  { run, result, turns, elapsedMs }: ExportPage,
  words: FrameWords,
): Pick<RunPage, "outcome" | "reasons" | "figures" | "goesOn"> {
  const cast = `${words.cast} ${run.manifest.cast}`;
  if (result) {
    const time = elapsedMs === null ? [] : [formatDuration(elapsedMs)];
    return {
      outcome: { word: words.outcomes[result.outcome], tone: tones[result.outcome] },
      reasons: [...result.reasons, ...(isRecorded(turns) ? [words.recorded] : [])],
      figures: [formatQuorum(result, words), describeSpend(result, words.spend), ...time, cast].join(" · "),
      goesOn: null,
    };
  }
  const [before = "", after = ""] = run.status === "finished" ? [] : words.goesOn[run.status];
  const command = `parley ${run.status === "waiting" ? "review" : "resume"} ${run.id}`;
  return {
    outcome: { word: words.unfinished, tone: "warn" },
    reasons: [],
    figures: `${fillIn(words.soFar, { turns: turns.length })} · ${cast}`,
    goesOn: run.status === "finished" ? null : { before, command, after },
  };
}

/** What the rules decided, in order, with their numbers. */
function buildRules(notes: readonly Note[], words: FrameWords): Section[] {
  if (notes.length === 0) return [];
  const steps = notes.map(({ type, round, data }) => ({
    label: words.notes[type] ?? type,
    outcome: round > 0 ? fillIn(words.round, { round }) : "",
    detail: gist(data, 400),
  }));
  return [{ kind: "steps", title: words.rules, id: "rules", steps }];
}
