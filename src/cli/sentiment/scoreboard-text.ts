import type { Warning } from "../../engine/pack.ts";

type Rates = Record<string, number | null>;

const qualityRows: [string, string][] = [
  ["tuple F1 (micro)", "tuple_f1"],
  ["tuple precision", "tuple_precision"],
  ["tuple recall", "tuple_recall"],
  ["tuple F1 (macro)", "tuple_f1_macro"],
  ["explicit tuples only F1", "explicit_tuple_f1"],
  ["aspect term F1", "aspect_term_f1"],
];

/** Metrics and warnings as text (sentiment spec §10). */
export function formatScoreboard(rates: Rates, warnings: readonly Warning[]): string {
  const sections = [quality(rates), single(rates), ...(warnings.length > 0 ? [formatWarnings(warnings)] : [])];
  return `${sections.filter((part) => part !== "").join("\n\n")}\n`;
}

function quality(rates: Rates): string {
  if (rates.tuple_f1_final === undefined) return "";
  const header = row("", ["Stage 1", "Stage 2", "final"]);
  const rows = qualityRows.map(([label, name]) =>
    row(
      label,
      ["stage1", "stage2", "final"].map((stage) => share(rates[`${name}_${stage}`])),
    ),
  );
  const transitions = `the debate fixed ${show(rates.n_fix)}, broke ${show(rates.n_break)}, kept ${show(rates.n_keep)} right; net gain ${share(rates.net_gain)}`;
  const polarity = `polarity on found aspects: accuracy ${share(rates.polarity_accuracy)}, macro-F1 ${share(rates.polarity_macro_f1)}`;
  const which = "tuple F1: exact term and polarity; a gold tuple without a term takes any unused tuple of its polarity";
  return [header, ...rows, which, "", polarity, transitions].join("\n");
}

function single(rates: Rates): string {
  const names = Object.keys(rates).filter((name) =>
    /^(debate_|adoption_rate|polarity_conflict|aspect_halluc)/.test(name),
  );
  return names.map((name) => row(name, [show(rates[name])], 52)).join("\n");
}

function formatWarnings(warnings: readonly Warning[]): string {
  return warnings
    .map(
      ({ level, metric, value, tip }) =>
        `${level === "high" ? "HIGH" : "warning"}: ${metric} is ${show(value)}. ${tip}`,
    )
    .join("\n");
}

function row(label: string, values: readonly string[], width = 28): string {
  return [label.padEnd(width), ...values.map((value) => value.padStart(9))].join("").trimEnd();
}

function share(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toFixed(3);
}

function show(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) ? String(value) : value.toFixed(3);
}
