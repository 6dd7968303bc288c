import type { Turn } from "../../src/contract/turn.ts";
import { noUsage } from "../../src/contract/budget.ts";
import type { AnyFinished } from "../../src/engine/pack.ts";
import type { Player, Repair } from "../../src/engine/player.ts";
import { runDebate } from "../../src/engine/run-debate.ts";
import { loadPack } from "../../src/packs/registry.ts";
import { expertPlayer } from "../../src/players/offline-players.ts";
import { makeManifest } from "../../src/runs/start.ts";

/** A debate in which one role does what the injection in the case told it to; everybody else is the expert. */
export type Obedience = {
  pack: string;
  input: unknown;
  config?: unknown;
  role: string;
  /** What the role replies, at its first try and at the repair: text, or a change of what the expert would have said. */
  // oxlint-disable-next-line typescript/no-explicit-any
  obeys: string | ((expert: any) => unknown);
};

export type Obeyed = { finished: AnyFinished; turn: Turn; repairs: Repair[] };

/** Plays the debate; `turn` is the first one of the role that obeyed. */
export async function obey({ pack: name, input: given, config: settings, role: obedient, obeys }: Obedience) {
  const pack = await loadPack(name);
  const { input, config } = makeManifest({ pack, input: given, config: settings, cast: "expert" });
  const expert = expertPlayer();
  const repairs: Repair[] = [];
  const player: Player = {
    id: "obedient",
    async play(role, seen, turn) {
      if (turn.repair) repairs.push(turn.repair);
      const said =
        typeof obeys === "string" ? obeys : JSON.stringify(obeys(structuredClone(await role.expert?.(seen))));
      return { reply: { text: said }, usage: { ...noUsage, calls: 1 }, finish: "stop" };
    },
  };
  const cast = (role: string): Player => (role === obedient ? player : expert);
  const finished: AnyFinished = await runDebate({ pack, input, config, cast, seed: 7 });
  const turn = finished.turns.find(({ key }) => key.role === obedient);
  if (!turn) throw new Error(`${obedient} was never asked`);
  return { finished, turn, repairs };
}

/** A decision as text, without what it records as struck. */
export function decided({ result }: AnyFinished): string {
  const records = new Set(["struck", "strikes", "faults", "problems"]);
  return JSON.stringify(result.decision, (key, value: unknown) => (records.has(key) ? undefined : value));
}
