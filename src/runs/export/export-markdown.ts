import { turnIdOf } from "../../contract/turn.ts";
import { fold, renderMarkdown } from "../../print/markdown/render-markdown.ts";
import { formatDuration } from "../../text/duration.ts";
import { escapeMarkdown } from "../../text/markdown.ts";
import { type ExportPage, gist, type PagedTurn, formatQuorum, nameRound, roundsOf } from "./export-page.ts";
import { describeSpend } from "../record/spend-of.ts";
import { fillIn, type FrameWords, frameOf } from "../../contract/frame-words.ts";
import { pickMainSections } from "./main-sections.ts";
import { writeValue } from "./markdown-value.ts";

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

function writeHead({ run, result, headline, elapsedMs, turns, language }: ExportPage): string {
  const words = frameOf(language);
  if (!result) {
    const [before, after] = run.status === "finished" ? ["", ""] : words.goesOn[run.status];
    const command = run.status === "waiting" ? "review" : "resume";
    return `**${words.unfinished}** · ${fillIn(words.soFar, { turns: turns.length })}; ${before}\`parley ${command} ${run.id}\`${after}`;
  }
  const says = Object.entries(headline).map(([name, text]) => `- **${escapeMarkdown(name)}**: ${escapeMarkdown(text)}`);
  const time = elapsedMs === null ? "" : ` · ${formatDuration(elapsedMs)}`;
  return [
    `**${words.outcomes[result.outcome]}** · ${formatQuorum(result, words)} · ${describeSpend(result, words.spend)}${time}`,
    "",
    ...says,
    ...result.reasons.map((reason) => `- ${escapeMarkdown(reason)}`),
  ]
    .join("\n")
    .trimEnd();
}

function writeDebate({ turns, language }: ExportPage): string {
  if (turns.length === 0) return "";
  const words = frameOf(language);
  const rounds = roundsOf(turns).map(({ round, turns: inside }) =>
    fold(
      `${nameRound(round, words)}, ${fillIn(words.turns, { turns: inside.length })}`,
      inside.map((turn) => writeTurn(turn, words)).join("\n\n"),
    ),
  );
  return `## ${words.debate}\n\n${rounds.join("\n\n")}`;
}

function writeTurn({ key, player, status, reply, attempts }: PagedTurn, words: FrameWords): string {
  const problems = attempts.flatMap((attempt) => attempt.problems);
  const said = status === "abstained" ? [`- ${words.noReply}`] : writeValue(reply);
  const wrong = problems.map(({ code, message }) => `- ⚠ ${escapeMarkdown(code)}: ${escapeMarkdown(message)}`);
  return [
    `**${escapeMarkdown(turnIdOf(key))}** · ${escapeMarkdown(player)} · ${words.statuses[status]}`,
    "",
    ...said,
    ...wrong,
  ].join("\n");
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
