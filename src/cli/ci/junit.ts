import type { Replayed } from "../../runs/regression/replay-recording.ts";
import { explainReplayed } from "./ci-text.ts";

/** The replays as JUnit XML, which pipelines draw: a flip is a failure, what could not be replayed an error. */
export function writeJunit(rows: readonly Replayed[]): string {
  const failures = rows.filter(({ status }) => status === "flipped").length;
  const errors = rows.filter(({ status }) => status === "needs_calls" || status === "refused").length;
  const head = `<testsuite name="parley ci" tests="${rows.length}" failures="${failures}" errors="${errors}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${rows.map(writeCase).join("\n")}\n</testsuite>\n`;
}

function writeCase(row: Replayed): string {
  const head = `  <testcase classname="${escapeXml(row.pack)}" name="${escapeXml(row.case ?? row.run)}"`;
  const tag = { flipped: "failure", needs_calls: "error", refused: "error", moved: null, same: null }[row.status];
  if (tag === null) return `${head}/>`;
  const lines = explainReplayed(row);
  return `${head}>\n    <${tag} message="${escapeXml(lines[0] ?? row.status)}">${escapeXml(lines.join("\n"))}</${tag}>\n  </testcase>`;
}

/** Text as XML can hold it: its marks escaped, characters that XML does not know left out. */
export function escapeXml(text: string): string {
  const known = text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "");
  return known.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
