/** Bytes that a debate leaves in the store, a turn, as it gets longer: prompts repeat all that was said, stored once. */
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { question as pack } from "../../src/packs/question/pack.ts";
import { startRun } from "../../src/runs/start/start-run.ts";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { question } from "./debate-case.ts";
import { type Figure, figureOf, progress, report } from "./figure.ts";
import { mockModel } from "./mock-model.ts";
import { castOfPlayer, playerOfModel } from "./parley-debate.ts";
import { withFolder } from "./with-folder.ts";

const lengths = [8, 32, 128];

type Size = { rounds: number; turns: number; bytes: number; promptTokens: number };

async function sizeOf(folder: string, rounds: number): Promise<Size> {
  progress(`storage, ${rounds} rounds`);
  const file = `${folder}/${rounds}.db`;
  const store = sqliteStore(file);
  const castOf = castOfPlayer(playerOfModel(mockModel(0)));
  const request = { pack, input: { question }, config: { max_rounds: rounds }, cast: "bench/mock" };
  const { finished } = await startRun({ store, castOf }, request);
  await store.close();
  // Free pages and half-filled ones are SQLite's own; what counts is what the run needs.
  new DatabaseSync(file).exec("VACUUM");
  const { turns, result } = finished;
  return { rounds, turns: turns.length, bytes: statSync(file).size, promptTokens: result.promptTokens.total };
}

async function measure(): Promise<Figure[]> {
  const sizes = await withFolder(async (folder) => {
    const all: Size[] = [];
    for (const rounds of lengths) all.push(await sizeOf(folder, rounds));
    return all;
  });
  const [short, , long] = sizes as [Size, Size, Size];
  const perTurn = ({ bytes, turns }: Size): number => bytes / turns;
  const sent = ({ promptTokens, turns }: Size): number => Math.round(promptTokens / turns);
  return [
    figureOf("bytes stored a turn, 128 rounds / 8 rounds", [perTurn(long) / perTurn(short)], {
      unit: "×",
      target: { atMost: 1.1 },
      note: sizes.map((size) => `${size.rounds} rounds: ${Math.round(perTurn(size))} bytes`).join(", "),
    }),
    figureOf("  tokens sent a turn, 128 rounds / 8 rounds", [sent(long) / sent(short)], {
      unit: "×",
      target: null,
      note: sizes.map((size) => `${size.rounds} rounds: ${sent(size)} tokens`).join(", "),
    }),
  ];
}

report(await measure());
