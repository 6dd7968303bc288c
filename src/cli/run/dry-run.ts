import type { AnyPack } from "../../engine/pack.ts";
import type { CaseRow } from "../../runs/batch/case-rows.ts";
import {
  estimateRun,
  noEstimate,
  type RoleEstimate,
  scaleEstimate,
  sumEstimates,
} from "../../runs/estimate/estimate-run.ts";
import { type EstimateRow, formatEstimate } from "../../runs/estimate/estimate-text.ts";
import type { RunRequest } from "../../runs/start/start-run.ts";
import type { UserConfig } from "../../runs/settings/user-config.ts";
import { formatCount } from "../../text/number-text.ts";
import type { RunOptions } from "../setting/options.ts";
import { loadUserConfig, makeRequest } from "../setting/setting.ts";
import type { Io } from "../terminal/io.ts";

/** Prints what one run would cost; makes no store and no call. */
export async function printDryRun(io: Io, options: RunOptions, pack: AnyPack, input: unknown): Promise<void> {
  const config = loadUserConfig(io, options);
  const request = { ...makeRequest(io, options, config, pack), input };
  printEstimate(io, options, request, listRows(await estimateRun(request, pickCastOptions(io, config), io.signal)), []);
}

/** How many cases of a file are played; the rest is reckoned from them. */
const mostPlayed = 25;

/** Prints what a file of cases would cost, from its first ones. */
export async function printBatchDryRun(
  io: Io,
  options: RunOptions,
  request: Omit<RunRequest, "input">,
  { rows, noun, config }: { rows: AsyncIterable<CaseRow>; noun: string; config: UserConfig },
): Promise<void> {
  const played: RoleEstimate[][] = [];
  let count = 0;
  let wrong = 0;
  for await (const row of rows) {
    const isReadable = row.problem === null && request.pack.input.safeParse(row.input).success;
    if (isReadable) count += 1;
    else wrong += 1;
    if (isReadable && played.length < mostPlayed)
      played.push(await estimateRun({ ...request, input: row.input }, pickCastOptions(io, config), io.signal));
  }
  const byRole = Map.groupBy(played.flat(), ({ role }) => role);
  const scaled = [...byRole.values()].map(([first, ...rest]) => ({
    ...(first as RoleEstimate),
    ...scaleEstimate(sumEstimates([first ?? noEstimate, ...rest]), count / Math.max(1, played.length)),
  }));
  const notes = [
    `${formatCount(count, "case")} (${noun})${count > played.length ? `, reckoned from the first ${played.length}` : ""}.`,
    ...(wrong > 0 ? [`${formatCount(wrong, "line")} cannot be read as a case.`] : []),
  ];
  printEstimate(io, options, request, listRows(scaled), notes);
}

function listRows(estimates: readonly RoleEstimate[]): EstimateRow[] {
  return estimates.map(({ role, ...rest }) => ({ ...rest, name: role }));
}

function printEstimate(
  io: Io,
  { json }: RunOptions,
  { budget = {} }: Pick<RunRequest, "budget">,
  rows: EstimateRow[],
  notes: string[],
): void {
  if (json) io.out(`${JSON.stringify({ dry_run: true, roles: rows, all: sumEstimates(rows), notes }, null, 2)}\n`);
  else io.out(formatEstimate(rows, budget, notes));
}

/** What the cast's addresses, settings and prices are taken from; no key is needed to reckon. */
export function pickCastOptions(io: Io, { endpoints, prices }: UserConfig) {
  return { env: io.env, endpoints, prices };
}
