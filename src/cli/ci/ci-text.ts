import type { Replayed } from "../../runs/regression/replay-recording.ts";
import { shortenText } from "../../text/short-text.ts";

/** What is wrong with a replay, line by line: the flips first, then the rules that did it. */
export function explainReplayed({ status, flips, rules, asked, why }: Replayed): string[] {
  if (status === "refused") return [`cannot be replayed: ${why}`];
  if (status === "needs_calls") return [`${why} (--calls allow makes it)`];
  const because =
    rules.length > 0 ? rules.slice(0, 4).map((rule) => `by ${shortenText(rule, 160)}`) : ["by what the turns now say"];
  const more = rules.length > 4 ? [`and ${rules.length - 4} more rules decided otherwise`] : [];
  const anew = asked.length > 0 ? [`asked anew: ${asked.join(", ")}`] : [];
  return [
    ...flips.map(({ name, before, after }) => `${name}: ${shortenText(before, 90)} → ${shortenText(after, 90)}`),
    ...because,
    ...more,
    ...anew,
  ];
}

/** The replays in words: only what a reader must look at, then the sums. */
export function writeCiText(rows: readonly Replayed[]): string {
  const shown = rows.filter(({ status }) => status !== "same" && status !== "moved");
  const lines = shown.flatMap((row) => [
    `${row.status === "flipped" ? "FLIPPED" : "NOT REPLAYED"}  ${row.run}  ${row.pack}${row.case === null ? "" : `  ${row.case}`}`,
    ...explainReplayed(row).map((line) => `  ${line}`),
  ]);
  return `${[...lines, ...(lines.length > 0 ? [""] : []), sumUp(rows)].join("\n")}\n`;
}

function sumUp(rows: readonly Replayed[]): string {
  const count = (status: Replayed["status"]) => rows.filter((row) => row.status === status).length;
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const parts = [
    `${rows.length} runs replayed`,
    `${count("flipped")} flipped`,
    ...(count("moved") > 0 ? [`${count("moved")} differ in reasons or numbers only`] : []),
    ...(count("needs_calls") > 0 ? [`${count("needs_calls")} need calls`] : []),
    ...(count("refused") > 0 ? [`${count("refused")} cannot be replayed`] : []),
    calls === 0 ? "no call was made" : `${calls} calls`,
  ];
  return parts.join(" · ");
}
