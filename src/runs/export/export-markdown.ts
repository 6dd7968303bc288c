import { turnId } from "../../contract/turn.ts";
import type { Section } from "../../contract/view.ts";
import { titleOf } from "./export-html.ts";
import { costText, type ExportPage, quorumText, roundsOf } from "./export-page.ts";

/** A run as Markdown: the decision, the debate in brief, the rules, the cost. */
export function exportMarkdown(page: ExportPage): string {
  const { run, result, sections, turns } = page;
  const lines = [
    `# ${plain(titleOf(page))}`,
    "",
    `${run.manifest.pack} · run \`${run.id}\` · cast ${plain(run.manifest.cast)} · seed ${run.manifest.seed}`,
    "",
  ];
  if (!result) return `${[...lines, "Not finished."].join("\n")}\n`;
  lines.push(
    `**${result.outcome.replaceAll("_", " ")}** · ${quorumText(result)} · ${costText(result)}`,
    ...result.reasons.map((reason) => `- ${plain(reason)}`),
    "",
  );
  for (const section of sections) lines.push(...sectionLines(section), "");
  lines.push("## The debate", "");
  for (const { round, turns: inside } of roundsOf(turns)) {
    lines.push(round === 0 ? "### Outside the rounds" : `### Round ${round}`, "");
    for (const turn of inside)
      lines.push(
        `**${plain(turnId(turn.key))}** · ${plain(turn.player)} · ${turn.status}`,
        "",
        fenced(JSON.stringify(turn.reply, null, 2), "json"),
        "",
      );
  }
  if (result.notes.length > 0) {
    lines.push("## What the rules decided", "");
    for (const { type, round, data } of result.notes)
      lines.push(
        `- **${plain(type)}**${round > 0 ? ` (round ${round})` : ""} \`${JSON.stringify(data).replaceAll("`", "'")}\``,
      );
  }
  return `${lines.join("\n")}\n`;
}

type Of<K extends Section["kind"]> = Extract<Section, { kind: K }>;

const bodies: { [K in Section["kind"]]: (section: Of<K>) => string[] } = {
  facts: ({ rows }) => rows.map(({ label, value }) => `- **${plain(label)}**: ${plain(value)}`),
  text: ({ text }) => [plain(text)],
  table: ({ columns, rows }) => [row(columns), row(columns.map(() => "---")), ...rows.map(row)],
  highlight: ({ text, marks }) => [
    `> ${plain(text)}`,
    "",
    ...marks.map(({ start, end, label }) => `- “${plain(text.slice(start, end))}” — ${plain(label)}`),
  ],
  lines: ({ lines }) =>
    lines.map(({ ref, text }) => `- \`${ref.replaceAll(/[`\s\u0000-\u001F\u202A-\u202E]+/g, " ")}\` ${plain(text)}`),
  steps: ({ steps }) =>
    steps.map(({ label, outcome, detail, numbers }) => {
      const figures = Object.entries(numbers ?? {}).map(([name, value]) => `${name} ${Number(value.toFixed(3))}`);
      return `1. **${plain(label)}** ${plain(outcome)} ${plain(detail)}${figures.length > 0 ? ` (${figures.join(", ")})` : ""}`;
    }),
  cards: ({ cards }) =>
    cards.map(
      ({ title, subtitle, body }) => `- **${plain(title)}**${subtitle ? ` (${plain(subtitle)})` : ""}: ${plain(body)}`,
    ),
  series: ({ points }) => points.map(({ label, value }) => `- ${plain(label)}: ${Number(value.toFixed(3))}`),
};

function sectionLines(section: Section): string[] {
  return [`## ${plain(section.title)}`, "", ...(bodies[section.kind] as (section: Section) => string[])(section)];
}

function row(cells: string[]): string {
  return `| ${cells.map((cell) => plain(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

/** Text that cannot open a tag, a link or a heading of its own. */
function plain(text: string): string {
  return text
    .replaceAll(/[<>]/g, (character) => (character === "<" ? "&lt;" : "&gt;"))
    .replaceAll(/([[\]*_`\\])/g, "\\$1")
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(/[\u0000-\u001F\u007F\u202A-\u202E\u2066-\u2069]/g, "");
}

function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
