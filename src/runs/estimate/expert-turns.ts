import type { Player, TurnContext } from "../../engine/player.ts";
import type { AnyRole } from "../../engine/role.ts";
import { runDebate } from "../../engine/run-debate.ts";
import { expertPlayer } from "../../players/offline/expert-player.ts";
import { makeManifest, type RunRequest } from "../start/start-run.ts";

/** A turn as the experts' debate asks for it, with what the expert replied. */
export type ExpertTurn = Pick<TurnContext, "key" | "prompt" | "rendered" | "seed"> & {
  role: AnyRole;
  input: unknown;
  reply: string;
};

/** The debate of a case as the built-in programs hold it, without a store and without a call: what a model would be asked. */
export async function playExpertTurns(request: RunRequest, signal?: AbortSignal): Promise<ExpertTurn[]> {
  const { pack } = request;
  const { input, config, seed } = makeManifest({ ...request, cast: "expert" });
  const taken: ExpertTurn[] = [];
  const expert = expertPlayer(pack.roles(config));
  const player: Player = {
    ...expert,
    async play(role, seen, turn) {
      const { key, prompt, rendered } = turn;
      const asked: ExpertTurn = { key, role, input: seen, prompt, rendered, seed: turn.seed, reply: "" };
      taken.push(asked);
      const played = await expert.play(role, seen, turn);
      asked.reply = "value" in played.reply ? JSON.stringify(played.reply.value ?? null) : played.reply.text;
      return played;
    },
  };
  await runDebate({ pack, input, config, cast: () => player, seed, ...(signal ? { signal } : {}) });
  return taken;
}
