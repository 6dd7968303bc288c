import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { turnIdOf } from "../../../src/contract/turn.ts";
import { noUsage } from "../../../src/contract/budget.ts";
import type { Player } from "../../../src/engine/player.ts";
import { loadPack } from "../../../src/packs/registry.ts";
import { expertPlayer } from "../../../src/players/offline-players.ts";
import { branchRun } from "../../../src/runs/branch.ts";
import { castOfStrings } from "../../../src/runs/cast.ts";
import { readRun } from "../../../src/runs/read-run.ts";
import { ruleOnRun } from "../../../src/runs/review.ts";
import { type CastOf, continueRun, type RunSetting, startRun } from "../../../src/runs/start.ts";
import { sqliteStore } from "../../../src/store/sqlite.ts";
import type { Store } from "../../../src/store/store.ts";
import { newFolder } from "../cli.ts";

/** Told the name of each turn that is played. */
type OnCall = (turn: string) => void;

/** The expert's answers as a paid model would give them: as text, after a call that is written down first. */
export function paidExpert(onCall: OnCall = () => undefined): Player {
  const expert = expertPlayer();
  return {
    id: "paid/expert",
    async play(role, input, turn) {
      const worst = { calls: 1, tokens: 200, usd: 0.01 };
      const reservation = await turn.reserve(worst);
      onCall(turnIdOf(turn.key));
      const played = await expert.play(role, input, { ...turn, reserve: async () => ({ settle: () => undefined }) });
      reservation.settle({ calls: 1, tokens: 20, usd: 0.001 });
      const text = "value" in played.reply ? JSON.stringify(played.reply.value) : played.reply.text;
      const usage = { ...noUsage, calls: 1, inputTokens: 15, outputTokens: 5, costUsd: 0.001 };
      return { reply: { text }, usage, finish: "stop" };
    },
  };
}

/** Casts as the command line has them, and `paid` for the paid expert in every seat. */
export function castsWith(store: Store, onCall?: OnCall): CastOf {
  const strings = castOfStrings(store, { env: {} });
  return async (text, roles, budget) => {
    if (text === "paid") return () => paidExpert(onCall);
    const cast = await strings(text, roles, budget);
    return (name) => formatCount(cast(name), onCall);
  };
}

function formatCount(player: Player, onCall?: OnCall): Player {
  return {
    id: player.id,
    play: (role, input, turn) => {
      onCall?.(turnIdOf(turn.key));
      return player.play(role, input, turn);
    },
  };
}

/** A run of the fixture: what it is called, of which pack, and under which id. */
export type Sample = { name: string; pack: string; id: string };
export type Fixture = { folder: string; file: string; samples: Sample[] };

const docs = [
  { id: "a.txt", text: "The mill was built in 1874 by Ida Holm. It burned down in 1901. The river turned its wheel." },
  { id: "b.txt", text: "Ida Holm sold the mill because the railway took away its trade." },
];
export const millQuestion = { question: "Why did Ida Holm sell the mill?", docs };

/** A closed store with runs of every pack: whole, branched, resumed, out of budget, waiting, half done, settled by a person. */
export async function buildFixture(): Promise<Fixture> {
  const folder = newFolder();
  const file = join(folder, "parley.db");
  const store = sqliteStore(file);
  const samples: Sample[] = [];
  try {
    await fill({ store, castOf: castsWith(store) }, (name, pack, id) => void samples.push({ name, pack, id }));
  } finally {
    await store.close();
  }
  for (const end of ["-wal", "-shm"]) if (existsSync(`${file}${end}`)) rmSync(`${file}${end}`);
  return { folder, file, samples };
}

type Add = (name: string, pack: string, id: string) => void;

async function fill(setting: RunSetting, add: Add): Promise<void> {
  const { store } = setting;
  const started = async (name: string, of: string, example: number, more: object): Promise<string> => {
    const pack = await loadPack(of);
    const { input, config } = pack.examples[example] as { input: unknown; config?: unknown };
    const { runId } = await startRun(setting, { pack, input, config, cast: "expert", ...more });
    add(name, of, runId);
    return runId;
  };
  const question = await loadPack("question");
  const court = { input: millQuestion, config: { protocol: "courtroom" } };
  await started("a courtroom", "question", 0, court);
  const paid = await started("a paid round table", "question", 0, { input: millQuestion, cast: "paid", caseId: "c-1" });
  const branch = await branchRun(setting, question, await readRun(store, paid), {
    from: "round-1",
    settings: ["protocol=vote"],
    cast: "paid",
  });
  add("a branch", "question", branch.runId);
  const cut = await started("out of budget", "question", 0, { ...court, cast: "paid", budget: { calls: 3 } });
  const resumed = await started("resumed with more", "question", 0, {
    ...court,
    cast: "paid",
    budget: { calls: 2 },
    caseId: "c-2",
  });
  await continueRun(setting, question, resumed, { budget: { calls: 50 } });
  await startRun(setting, { pack: question, ...court, cast: "expert,judge=person" }).catch(() => undefined);
  add("waiting for a person", "question", (await store.list({ status: "waiting" }))[0]?.id ?? cut);
  await started("sentiment in patches", "sentiment", 0, { cast: "paid" });
  await started("sentiment by stances", "sentiment", 2, {});
  await started("a root cause", "root-cause", 0, { config: { max_rounds: 1 } });
  const law = await started("settled by a person", "law", 0, { cast: "paid", config: { rounds: 1, act_above: 1 } });
  await ruleOnRun(store, law, { verdict: "upheld", ruling: "It stands.", reviewer: "judge" });
}
