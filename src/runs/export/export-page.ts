import type { DebateResult } from "../../contract/result.ts";
import type { Run } from "../../contract/run.ts";
import type { Turn } from "../../contract/turn.ts";
import type { Section } from "../../contract/view.ts";
import type { AnyPack } from "../../engine/pack.ts";
import type { Store } from "../../store/store.ts";
import type { StoredRun } from "../read-run.ts";

/** A turn with what was sent. */
export type PagedTurn = Turn & { prompt: string[] };

/** A run as a document: what Markdown and HTML are written from. */
export type ExportPage = {
  run: Run;
  summary: string;
  result: DebateResult | null;
  turns: PagedTurn[];
  sections: Section[];
};

/** Gathers a run's document; the pack says what its decision looks like. */
export async function exportPage(store: Store, pack: AnyPack, { run, turns, result }: StoredRun): Promise<ExportPage> {
  const journal = await store.journal(run.id);
  const paged = await Promise.all(
    turns.map(async (turn) => ({ ...turn, prompt: (await journal.prompt(turn.promptHash)) ?? [] })),
  );
  const { input, config } = run.manifest;
  return {
    run,
    summary: pack.summary,
    result,
    turns: paged,
    sections: result ? pack.view({ input, config, result, turns }) : [],
  };
}

/** The rounds of a run with their turns; turns outside any round are round 0. */
export function roundsOf(turns: readonly PagedTurn[]): { round: number; turns: PagedTurn[] }[] {
  return [...Map.groupBy(turns, (turn) => turn.key.round)].map(([round, inside]) => ({ round, turns: inside }));
}

/** What a run cost, in words. */
export function costText(result: DebateResult): string {
  const { calls, inputTokens, outputTokens, cachedTokens, costUsd } = result.usage;
  const tokens = inputTokens + outputTokens;
  if (tokens === 0) return `${calls} turns by embedded experts or people, free`;
  const price = costUsd === null ? "price unknown" : `$${costUsd.toFixed(4)}`;
  const cached = cachedTokens > 0 ? `, ${cachedTokens.toLocaleString("en")} cached` : "";
  return `${calls} calls, ${tokens.toLocaleString("en")} tokens${cached}, ${price}`;
}

/** What became of the turns, in words. */
export function quorumText(result: DebateResult): string {
  const { asked, answered, repaired, abstained } = result.quorum;
  return `${answered} of ${asked} turns answered, ${repaired} after a repair, ${abstained} abstained`;
}
