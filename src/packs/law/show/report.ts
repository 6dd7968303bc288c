import type { ReportStyle } from "../../../engine/pack.ts";
import type { LawFinished } from "./law-finished.ts";
import type { LawDecision } from "../schemas/decision.ts";
import { labelsOf } from "./labels.ts";
import {
  convergenceLine,
  critiqueStories,
  derivedOf,
  escalationLines,
  isQuotedIn,
  type NamedClaim,
  sourceName,
  sourcesOf,
  faultsOf,
} from "./story.ts";

type Page = { decision: LawDecision; width: number; bold(text: string): string; dim(text: string): string };

/** The report in a terminal: the answer with both readings, claims with sources and their text, critiques, how and why it ended. */
export function report({ result }: LawFinished, style: ReportStyle): string {
  const { decision, outcome, reasons } = result;
  const paint = (code: number) => (text: string) => (style.color ? `\u001B[${code}m${text}\u001B[0m` : text);
  if (!decision) return `${outcome}: ${reasons.join("; ")}\n`;
  const page: Page = { decision, width: Math.max(40, Math.min(style.width, 110)), bold: paint(1), dim: paint(2) };
  const sections = [heading(page), answer(page), claims(page), agreement(page), critiques(page), ending(page)];
  return `${sections.flat().join("\n")}\n`;
}

function heading({ decision, width, bold }: Page): string[] {
  const labels = labelsOf(decision);
  const { route, position } = decision;
  return [
    ...wrap(decision.query, width).map(bold),
    "",
    ...wrap(`${labels.position} ${position}: ${labels.positions[position]}`, width),
    `${labels.route}: ${route.label}${route.out_of_scope ? ", out_of_scope" : ""}`,
    "",
  ];
}

function answer({ decision, width, bold }: Page): string[] {
  const labels = labelsOf(decision);
  const lines = decision.answer
    .split("\n")
    .flatMap((line) => (line.startsWith("- ") ? hang("  - ", line.slice(2), width) : wrap(line, width)));
  const list = (title: string, items: string[]): string[] =>
    items.length === 0 ? [] : ["", bold(title), ...items.flatMap((item) => hang("  - ", item, width))];
  return [
    bold(labels.answer),
    ...lines,
    ...list(labels.reasons, decision.reasons),
    ...list(labels.regimes, decision.applicable_regimes),
    ...list(labels.dissent, decision.dissent === null ? [] : [decision.dissent]),
    "",
  ];
}

function claims(page: Page): string[] {
  const { decision, bold } = page;
  if (decision.claims.length === 0) return [];
  return [bold(labelsOf(decision).claims), ...decision.claims.flatMap((claim) => claimLines(page, claim)), ""];
}

function claimLines({ decision, width, dim }: Page, claim: NamedClaim): string[] {
  const labels = labelsOf(decision);
  const sources = sourcesOf(decision, claim).flatMap((source) => {
    const text = isQuotedIn(source, claim) ? "" : `: ${source.statement}`;
    return [
      ...hang("      ↳ ", `${sourceName(decision, source)}${text}`, width),
      ...hang("        ", source.source, width).map(dim),
    ];
  });
  const derived = derivedOf(decision, claim);
  const assuming = claim.assumptions.flatMap((one) => hang("      ", `${labels.assumptions}: ${one}`, width));
  return [
    ...hang("  ", `${claim.claim} (${labels.confidence} ${claim.confidence.toFixed(2)}) ${claim.statement}`, width),
    ...assuming,
    ...sources,
    ...(derived === "" ? [] : hang("      ↳ ", `${labels.derived}: ${derived}`, width).map(dim)),
  ];
}

function agreement({ decision, width, bold }: Page): string[] {
  const labels = labelsOf(decision);
  const { summary } = decision;
  if (!summary) return [];
  const names = (items: { claim: string }[]): string => items.map(({ claim }) => claim).join(", ") || "–";
  return [
    ...hang(bold(`${labels.agreed} `), names(summary.agreed_claims), width),
    ...hang(bold(`${labels.disputed} `), names(summary.disputed_claims), width),
    ...decision.rejected_claims.flatMap(({ claim, why }) => hang(`  ${labels.rejected} `, `${claim}: ${why}`, width)),
    "",
  ];
}

function critiques({ decision, width, bold }: Page): string[] {
  const labels = labelsOf(decision);
  if (!decision.summary) return [];
  const stories = critiqueStories(decision);
  const lines = stories.flatMap(({ name, on, critique, status, reply }) => [
    ...hang("  ", `${name} → ${on} · ${critique.issue_type} ${critique.severity} · ${labels.status[status]}`, width),
    ...hang("      ", critique.description, width),
    ...(reply ? hang("      ", `${labels.response} (${reply.response}): ${reply.reason}`, width) : []),
  ]);
  return [bold(labels.critiques), ...(lines.length > 0 ? lines : [`  ${labels.noCritiques}`]), ""];
}

function ending({ decision, width, bold, dim }: Page): string[] {
  const labels = labelsOf(decision);
  const faults = faultsOf(decision);
  return [
    ...(decision.summary ? hang(bold(`${labels.convergence} `), convergenceLine(decision), width) : []),
    ...escalationLines(decision).flatMap((line) => hang(bold(`${labels.escalation} `), line, width)),
    ...faults.flatMap(({ round, speaker, code, message }) =>
      hang(bold(`${labels.faults} `), `${round}/${speaker} ${code}: ${message}`, width),
    ),
    ...(decision.answer.includes(decision.disclaimer) ? [] : ["", ...wrap(decision.disclaimer, width).map(dim)]),
  ];
}

/** Text broken at spaces to fit a width. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

/** Wrapped text whose first line has a lead and whose others are indented as far. */
function hang(lead: string, text: string, width: number): string[] {
  // oxlint-disable-next-line no-control-regex
  const shown = lead.replaceAll(/\u001B\[\d+m/g, "").length;
  return wrap(text, width - shown).map((line, index) =>
    index === 0 ? `${lead}${line}` : `${" ".repeat(shown)}${line}`,
  );
}
