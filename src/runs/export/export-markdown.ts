import { turnId } from "../../contract/turn.ts";
import type { Section } from "../../contract/view.ts";
import { costText, durationText, type ExportPage, gist, quorumText, roundsOf } from "./export-page.ts";
import { leverText, nothingWouldChange } from "../what-would-change.ts";
import { roundName } from "./html-turns.ts";
import { lines, plain, row, valueLines } from "../../text/markdown.ts";

/** A run as Markdown: the decision, what would change it, the debate in brief, the rules, the cost. */
export function exportMarkdown(page: ExportPage): string {
  const { run, title, sections } = page;
  const own = sections.map(sectionText).filter(Boolean);
  const parts = [
    `# ${plain(title)}`,
    `${run.manifest.pack} · run \`${run.id}\` · ${run.createdAt.slice(0, 16).replace("T", " ")} UTC · cast ${plain(run.manifest.cast)} · seed ${run.manifest.seed}`,
    headText(page),
    ...own.slice(0, 2),
    changeText(page),
    ...own.slice(2),
    debateText(page),
    rulesText(page),
    `<sub>Written by Parley ${plain(run.manifest.parley)}; journal of ${run.entryCount} entries, head \`${run.headHash.slice(0, 16)}\`. \`parley verify ${run.id}\` checks it.</sub>`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function headText({ run, result, headline, elapsedMs, turns }: ExportPage): string {
  if (!result)
    return `**not finished** (${run.status}) · ${turns.length} turns so far; \`parley ${run.status === "waiting" ? "review" : "resume"} ${run.id}\` goes on`;
  const says = Object.entries(headline).map(([name, text]) => `- **${plain(name)}**: ${plain(text)}`);
  const time = elapsedMs === null ? "" : ` · ${durationText(elapsedMs)}`;
  return [
    `**${result.outcome.replaceAll("_", " ")}** · ${quorumText(result)} · ${costText(result)}${time}`,
    "",
    ...says,
    ...result.reasons.map((reason) => `- ${plain(reason)}`),
  ]
    .join("\n")
    .trimEnd();
}

function changeText({ change }: ExportPage): string {
  if (change === null) return "";
  const levers = change.levers.map((lever) => {
    const flips = lever.flips.map(
      ({ name, before, after }) => `${plain(name)}: ${plain(before)} → **${plain(after)}**`,
    );
    return `- ${plain(leverText(lever))}: ${flips.join("; ")}`;
  });
  const body = levers.length === 0 ? nothingWouldChange(change) : levers.join("\n");
  return `## What would change it\n\n${body}`;
}

function debateText({ turns }: ExportPage): string {
  if (turns.length === 0) return "";
  const rounds = roundsOf(turns).map(({ round, turns: inside }) => {
    const parts = inside.map((turn) => {
      const problems = turn.attempts.flatMap((attempt) => attempt.problems);
      const head = `**${plain(turnId(turn.key))}** · ${plain(turn.player)} · ${turn.status}`;
      const reply = turn.status === "abstained" ? ["- no valid reply"] : valueLines(turn.reply);
      const wrong = problems.map(({ code, message }) => `- ⚠ ${plain(code)}: ${plain(message)}`);
      return [head, "", ...reply, ...wrong].join("\n");
    });
    const name = roundName(round);
    return `<details><summary><b>${name}</b>, ${inside.length} turns</summary>\n\n${parts.join("\n\n")}\n\n</details>`;
  });
  return `## The debate\n\n${rounds.join("\n\n")}`;
}

function rulesText({ result }: ExportPage): string {
  const notes = result?.notes ?? [];
  if (notes.length === 0) return "";
  const items = notes.map(
    ({ type, round, data }) =>
      `1. **${plain(type.replaceAll("_", " "))}**${round > 0 ? ` (round ${round})` : ""} ${plain(gist(data, 400))}`,
  );
  return `## What the rules decided\n\n${items.join("\n")}`;
}

type Of<K extends Section["kind"]> = Extract<Section, { kind: K }>;

const bodies: { [K in Section["kind"]]: (section: Of<K>) => string[] } = {
  facts: ({ rows }) =>
    rows.map(({ label, value }) => (label === "" ? `- ${plain(value)}` : `- **${plain(label)}**: ${plain(value)}`)),
  text: ({ text }) => [lines(text)],
  table: ({ columns, rows }) =>
    rows.length === 0 ? [] : [row(columns), `|${columns.map(() => " --- |").join("")}`, ...rows.map(row)],
  highlight: ({ text, marks }) => [
    ...text.split("\n").map((line) => `> ${plain(line)}`.trimEnd()),
    "",
    ...marks.map(({ start, end, label }) => `- “${plain(text.slice(start, end))}” — ${plain(label)}`),
  ],
  lines: ({ lines: quoted }) => quoted.map(({ ref, text }) => `- **${plain(ref)}** ${plain(text)}`),
  steps: ({ steps }) =>
    steps.map(({ label, outcome, detail, numbers }) => {
      const figures = Object.entries(numbers ?? {}).map(([name, value]) => `${name} ${Number(value.toFixed(3))}`);
      const shown = figures.length > 0 ? ` (${plain(figures.join(", "))})` : "";
      return `1. **${plain(label)}** ${plain(outcome)} ${plain(detail)}`.trimEnd() + shown;
    }),
  cards: ({ cards }) =>
    cards.map(
      ({ title, subtitle, body }) => `- **${plain(title)}**${subtitle ? ` (${plain(subtitle)})` : ""}: ${plain(body)}`,
    ),
  series: ({ points }) => points.map(({ label, value }) => `- ${plain(label)}: ${Number(value.toFixed(3))}`),
};

function sectionText(section: Section): string {
  const body = (bodies[section.kind] as (section: Section) => string[])(section);
  return body.length === 0 ? "" : `## ${plain(section.title)}\n\n${body.join("\n")}`;
}
