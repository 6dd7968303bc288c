import { fillIn, frameOf, type FrameWords } from "../../contract/frame-words.ts";
import type { Point, ToldTurn } from "../../contract/story.ts";
import { describeToolCall, turnIdOf } from "../../contract/turn.ts";
import { fold, renderMarkdown } from "../../print/markdown/render-markdown.ts";
import { formatDuration } from "../../text/format.ts";
import { escapeMarkdown } from "../../text/layout.ts";
import { describeSpend } from "../read-run.ts";
import { isRecorded } from "../show-run.ts";
import { type ExportPage, formatQuorum, gist, type PagedTurn } from "./export-page.ts";
import { pickMainSections } from "./main-sections.ts";

/** A run as Markdown: the decision, what would change it, the debate in brief, the rules. */
export function exportMarkdown(page: ExportPage): string {
  const { run, title } = page;
  const words = frameOf(page.language);
  const parts = [
    `# ${escapeMarkdown(title)}`,
    `${run.manifest.pack} · ${words.run} \`${run.id}\` · ${run.createdAt.slice(0, 16).replace("T", " ")} UTC · ${words.cast} ${escapeMarkdown(run.manifest.cast)} · ${words.seed} ${run.manifest.seed}`,
    writeHead(page),
    renderMarkdown(pickMainSections(page)),
    writeDebate(page),
    writeRules(page),
    `<sub>${fillIn(words.written, { version: escapeMarkdown(run.manifest.parley), run: `\`${run.id}\`` })}; ${fillIn(words.journal, { entries: run.entryCount })} \`${run.headHash.slice(0, 16)}\`. \`parley verify ${run.id}\` ${words.checks}</sub>`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function writeHead({ run, result, headline, sections, elapsedMs, turns, language }: ExportPage): string {
  const words = frameOf(language);
  if (!result) {
    const [before, after] = run.status === "finished" ? ["", ""] : words.goesOn[run.status];
    const command = run.status === "waiting" ? "review" : "resume";
    return `**${words.unfinished}** · ${fillIn(words.soFar, { turns: turns.length })}; ${before}\`parley ${command} ${run.id}\`${after}`;
  }
  const shown = sections[0]?.kind === "verdict" ? [] : Object.entries(headline);
  const says = shown.map(([name, text]) => `- **${escapeMarkdown(name)}**: ${escapeMarkdown(text)}`);
  const time = elapsedMs === null ? "" : ` · ${formatDuration(elapsedMs)}`;
  return [
    `**${words.outcomes[result.outcome]}** · ${formatQuorum(result, words)} · ${describeSpend(result, words.spend)}${time}`,
    "",
    ...says,
    ...result.reasons.map((reason) => `- ${escapeMarkdown(reason)}`),
    ...(isRecorded(turns) ? [`- ${words.recorded}`] : []),
  ]
    .join("\n")
    .trimEnd();
}

/** The debate as the pack tells it, stage by stage; a turn that it leaves out is shown as it was said. */
function writeDebate({ turns, story, language }: ExportPage): string {
  if (turns.length === 0) return "";
  const words = frameOf(language);
  const items = new Map(turns.map((turn) => [turnIdOf(turn.key), turn]));
  const stages = story.stages.map(({ title, turns: told }) =>
    fold(
      `${title}, ${fillIn(words.turns, { turns: told.length })}`,
      told.map((one) => writeTurn(one, items.get(one.turn), words)).join("\n\n"),
    ),
  );
  return `## ${words.debate}\n\n${stages.join("\n\n")}`;
}

function writeTurn({ speaker, does, says, points }: ToldTurn, turn: PagedTurn | undefined, words: FrameWords): string {
  const head = [
    `**${escapeMarkdown(speaker)}** ${escapeMarkdown(does)}`,
    ...(turn ? [escapeMarkdown(namePlayer(turn.player, words)), words.statuses[turn.status]] : []),
  ];
  const isTold = says !== "" || points.length > 0;
  const said = turn?.status === "abstained" ? [words.noReply] : [escapeMarkdown(says)];
  const wrong = turn?.attempts.flatMap(({ problems, mends = [], tools = [], overruled }) => [
    ...(overruled
      ? [`- ${escapeMarkdown(fillIn(words.page.letStand, { name: overruled.by, why: overruled.why }))}`]
      : []),
    ...problems.map(({ code, message }) => `- ⚠ ${escapeMarkdown(code)}: ${escapeMarkdown(message)}`),
    ...mends.map((mend) => `- ${words.page.mended}: ${escapeMarkdown(mend)}`),
    ...tools.map((tool) => `- ${words.page.calledTool}: ${escapeMarkdown(describeToolCall(tool))}`),
  ]);
  const list = isTold || !turn ? points.map((point) => writePoint(point, words)) : writeValue(turn.reply);
  return [head.join(" · "), said.join(""), [...list, ...(wrong ?? [])].join("\n")].filter(Boolean).join("\n\n");
}

/** A program and a person are said to be one, a model has its name. */
function namePlayer(player: string, { page }: FrameWords): string {
  const [kind] = /^\w+/.exec(player) ?? [];
  return kind === "expert"
    ? page.program
    : kind === "person"
      ? player.replace(/^person\/(.*)$/, `${page.person} ($1)`).replace(/^person$/, page.person)
      : player;
}

function writePoint({ name, text, tags = [], standing, status, change, repeats }: Point, { page }: FrameWords): string {
  const about = [...tags, ...(standing ? [status ?? page.standings[standing]] : [])].map(escapeMarkdown);
  const said = repeats ? page.kept : change ? `${change.before} → ${change.after}` : text;
  return `- **${escapeMarkdown(name)}**${about.length > 0 ? ` (${about.join(" · ")})` : ""} ${escapeMarkdown(said)}`;
}

function writeRules({ result, language }: ExportPage): string {
  const words = frameOf(language);
  const notes = result?.notes ?? [];
  if (notes.length === 0) return "";
  const items = notes.map(
    ({ type, round, data }) =>
      `1. **${escapeMarkdown(words.notes[type] ?? type.replaceAll("_", " "))}**${round > 0 ? ` (${fillIn(words.round, { round })})` : ""} ${escapeMarkdown(gist(data, 400))}`,
  );
  return `## ${words.rules}\n\n${items.join("\n")}`;
}

/** Any JSON value as a list, `depth` deep: short values on their key's line. */
function writeValue(value: unknown, depth = 0): string[] {
  const indent = "  ".repeat(depth);
  if (Array.isArray(value)) return value.flatMap((item, index) => writeItem(String(index + 1), item, indent, depth));
  if (value !== null && typeof value === "object")
    return Object.entries(value)
      .filter(([, inner]) => !isEmpty(inner))
      .flatMap(([key, inner]) => writeItem(key.replaceAll("_", " "), inner, indent, depth));
  return [`${indent}- ${writeScalar(value)}`];
}

function writeItem(name: string, value: unknown, indent: string, depth: number): string[] {
  const head = `${indent}- **${escapeMarkdown(name)}**`;
  if (value === null || typeof value !== "object") return [`${head} ${writeScalar(value)}`];
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== "object"))
    return [`${head} ${value.map(writeScalar).join(" · ")}`];
  const pairs = Object.entries(value);
  if (!Array.isArray(value) && pairs.length <= 4 && pairs.every(([, inner]) => isShort(inner)))
    return [
      `${head} ${pairs.map(([key, inner]) => `${escapeMarkdown(key.replaceAll("_", " "))} ${writeScalar(inner)}`).join(" · ")}`,
    ];
  return [head, ...writeValue(value, depth + 1)];
}

function isShort(value: unknown): boolean {
  return value === null || (typeof value !== "object" && writeScalar(value).length <= 40);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function writeScalar(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return String(Number(value.toFixed(3)));
  if (typeof value === "boolean") return value ? "yes" : "no";
  return escapeMarkdown(typeof value === "string" ? value : JSON.stringify(value)) || "(empty)";
}
