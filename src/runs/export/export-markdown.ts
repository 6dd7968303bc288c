import { turnIdOf } from "../../contract/turn.ts";
import { fold, renderMarkdown } from "../../print/markdown/render-markdown.ts";
import { formatDuration } from "../../text/duration.ts";
import { escapeMarkdown } from "../../text/markdown.ts";
import { type ExportPage, gist, type PagedTurn, formatQuorum, nameRound, roundsOf } from "./export-page.ts";
import { describeSpend } from "../record/spend-of.ts";
import { pickMainSections } from "./main-sections.ts";
import { writeValue } from "./markdown-value.ts";

/** A run as Markdown: the decision, what would change it, the debate in brief, the rules. */
export function exportMarkdown(page: ExportPage): string {
  const { run, title } = page;
  const parts = [
    `# ${escapeMarkdown(title)}`,
    `${run.manifest.pack} · run \`${run.id}\` · ${run.createdAt.slice(0, 16).replace("T", " ")} UTC · cast ${escapeMarkdown(run.manifest.cast)} · seed ${run.manifest.seed}`,
    writeHead(page),
    renderMarkdown(pickMainSections(page)),
    writeDebate(page),
    writeRules(page),
    `<sub>Written by Parley ${escapeMarkdown(run.manifest.parley)}; journal of ${run.entryCount} entries, head \`${run.headHash.slice(0, 16)}\`. \`parley verify ${run.id}\` checks it.</sub>`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function writeHead({ run, result, headline, elapsedMs, turns }: ExportPage): string {
  if (!result)
    return `**not finished** (${run.status}) · ${turns.length} turns so far; \`parley ${run.status === "waiting" ? "review" : "resume"} ${run.id}\` goes on`;
  const says = Object.entries(headline).map(([name, text]) => `- **${escapeMarkdown(name)}**: ${escapeMarkdown(text)}`);
  const time = elapsedMs === null ? "" : ` · ${formatDuration(elapsedMs)}`;
  return [
    `**${result.outcome.replaceAll("_", " ")}** · ${formatQuorum(result)} · ${describeSpend(result)}${time}`,
    "",
    ...says,
    ...result.reasons.map((reason) => `- ${escapeMarkdown(reason)}`),
  ]
    .join("\n")
    .trimEnd();
}

function writeDebate({ turns }: ExportPage): string {
  if (turns.length === 0) return "";
  const rounds = roundsOf(turns).map(({ round, turns: inside }) =>
    fold(`${nameRound(round)}, ${inside.length} turns`, inside.map(writeTurn).join("\n\n")),
  );
  return `## The debate\n\n${rounds.join("\n\n")}`;
}

function writeTurn({ key, player, status, reply, attempts }: PagedTurn): string {
  const problems = attempts.flatMap((attempt) => attempt.problems);
  const said = status === "abstained" ? ["- no valid reply"] : writeValue(reply);
  const wrong = problems.map(({ code, message }) => `- ⚠ ${escapeMarkdown(code)}: ${escapeMarkdown(message)}`);
  return [`**${escapeMarkdown(turnIdOf(key))}** · ${escapeMarkdown(player)} · ${status}`, "", ...said, ...wrong].join(
    "\n",
  );
}

function writeRules({ result }: ExportPage): string {
  const notes = result?.notes ?? [];
  if (notes.length === 0) return "";
  const items = notes.map(
    ({ type, round, data }) =>
      `1. **${escapeMarkdown(type.replaceAll("_", " "))}**${round > 0 ? ` (round ${round})` : ""} ${escapeMarkdown(gist(data, 400))}`,
  );
  return `## What the rules decided\n\n${items.join("\n")}`;
}
