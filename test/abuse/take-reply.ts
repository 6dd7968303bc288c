import type { Turn } from "../../src/contract/turn.ts";
import { noUsage } from "../../src/contract/budget.ts";
import { createMeter } from "../../src/engine/budget.ts";
import type { Player } from "../../src/engine/player.ts";
import { buildRequest, type Request } from "../../src/engine/prompt.ts";
import { takeTurn } from "../../src/engine/turn.ts";
import type { SampledTurn } from "./sampled-turns.ts";

const table = {
  writer: { write: async () => undefined, add: () => undefined, done: async () => undefined },
  meter: createMeter({}, () => 0),
  signal: new AbortController().signal,
  seedOf: () => 7,
  elapsedMs: () => 0,
  onText: () => undefined,
};
const requests = new WeakMap<SampledTurn, Request>();

/** Sends a text through the very path that a model's reply takes: reading, schema, smells, check, salvage, conclusion. */
export function takeReply(sample: SampledTurn, text: string): Promise<Turn> {
  const { role, input, round } = sample;
  const request = requests.get(sample) ?? buildRequest(role, input);
  requests.set(sample, request);
  const player: Player = {
    id: "model",
    play: async () => ({ reply: { text }, usage: noUsage, finish: "stop", final: true }),
  };
  const key = { round, step: role.name, role: role.name };
  return takeTurn(table, { key, place: 0, role, input, player, request, recorded: [] });
}
