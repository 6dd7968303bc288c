import * as z from "zod";
import { sha256 } from "../engine/hash.ts";
import type { Embed } from "../engine/pack.ts";
import type { Player, TurnContext } from "../engine/player.ts";
import { buildRequest } from "../engine/prompt.ts";
import { defineRole } from "../engine/role.ts";
import { embedderName } from "../players/model-player.ts";
import type { Store } from "../store/store.ts";

const VectorsSchema = z.strictObject({ vectors: z.array(z.array(z.number())) });

const embedder = defineRole<readonly string[], z.infer<typeof VectorsSchema>>({
  name: embedderName,
  reply: VectorsSchema,
  prompt: (texts) => ({ instructions: "", blocks: [], own: texts.map((text) => ({ label: "TEXT", text })) }),
});

export function namesEmbedder(cast: string): boolean {
  return cast.split(",").some((part) => part.split("=")[0]?.trim() === embedderName);
}

export function openEmbed(player: Player, store: Store, call: Pick<TurnContext, "reserve" | "signal">): Embed {
  return {
    model: player.id,
    async embed(texts) {
      const hashes = texts.map((text) => sha256(text));
      const known = await store.getVectors(player.id, hashes);
      const missing = new Map(
        texts.map((text, at) => [hashes[at] ?? "", text] as const).filter(([hash]) => !known.has(hash)),
      );
      if (missing.size > 0) {
        const made = await askFor(player, [...missing.values()], call);
        const fresh = new Map(
          [...missing.keys()].map((hash, at) => [hash, Float32Array.from(made[at] ?? [])] as const),
        );
        await store.putVectors(player.id, fresh);
        for (const [hash, vector] of fresh) known.set(hash, vector);
      }
      return hashes.map((hash) => [...(known.get(hash) ?? [])]);
    },
  };
}

async function askFor(player: Player, texts: string[], call: Pick<TurnContext, "reserve" | "signal">) {
  const { prompt, rendered, requestHash } = buildRequest(embedder, texts);
  const key = { round: 0, step: "prepare", role: embedderName };
  const turn = { ...call, key, prompt, rendered, requestHash, seed: 0, repair: null, onText: () => undefined };
  const { reply } = await player.play(embedder, texts, turn);
  return VectorsSchema.parse("value" in reply ? reply.value : null).vectors;
}
