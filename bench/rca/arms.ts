/** The arms of the benchmark: the debate, its ablations and control arms, all with the expert cast, and the baselines. */
import { type RootCauseDecision } from "../../src/packs/root-cause/index.ts";
import type { Incident } from "../../src/knowledge/incidents/index.ts";
import type { ParsedLog } from "../../src/knowledge/logs/index.ts";
import { rootCause } from "../../src/packs/root-cause/pack.ts";
import { runDebate } from "../../src/engine/run-debate.ts";
import { expertPlayer } from "../../src/players/offline-players.ts";

/** Config patches by arm. */
export const arms: Record<string, Record<string, unknown>> = {
  debate: {},
  "debate, one round": { max_rounds: 1 },
  "debate, no graph": { knowledge: { enabled: false } },
  "single: log_focused": { protocol: "single", reasoner: "log_focused" },
  "single: kg_focused": { protocol: "single", reasoner: "kg_focused" },
  "single: hybrid": { protocol: "single", reasoner: "hybrid" },
  "vote, no debate": { protocol: "vote" },
};

export type Played = { decision: RootCauseDecision | null; quotes: { shown: number; wrong: number } };

/** Runs one arm on one log, and throws when an expert does: an answer that a bug prevented is no abstention. `incidents` are further past incidents, `knowledge` what must not be matched on. */
export async function playArm(
  arm: string,
  log: ParsedLog,
  incidents: Incident[],
  knowledge: Record<string, unknown>,
): Promise<Played> {
  const patch = arms[arm] ?? {};
  const config = rootCause.config.parse({
    ...patch,
    knowledge: { ...knowledge, ...(patch.knowledge as object | undefined) },
  });
  const input = { ...log, incidents };
  const finished = await runDebate({
    pack: rootCause,
    input,
    config,
    cast: () => expertPlayer(),
    seed: 1,
  });
  const { outcome, reasons } = finished.result;
  if (outcome === "failed") throw new Error(`${arm}: ${reasons.join("; ")}`);
  const quotes = listChecks(finished).filter(({ check }) => check === "quotes exist");
  return {
    decision: finished.result.decision,
    quotes: { shown: quotes.length, wrong: quotes.filter(({ ok }) => !ok).length },
  };
}

type Checked = Parameters<typeof rootCause.sections>[0];

function listChecks(finished: Checked) {
  return rootCause.sections(finished).flatMap((section) => (section.kind === "checks" ? section.findings : []));
}
