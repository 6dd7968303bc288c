import * as z from "zod";
import { defineRole } from "../../../engine/role.ts";
import { rejected } from "../checks/check.ts";
import { embedText } from "../experts/embed-text.ts";
import { prompts } from "../prompts.ts";

export type EmbedderInput = { texts: string[] };

const EmbeddingSchema = z.strictObject({ vectors: z.array(z.array(z.number())) });
export type Embedding = z.infer<typeof EmbeddingSchema>;

/** Gives the vectors that `stability.metric: semantic` compares (law spec §4): the configured embedding model, or stems weighted in a vector space. */
export const embedder = defineRole<EmbedderInput, Embedding>({
  name: "embedder",
  reply: EmbeddingSchema,
  prompt: ({ texts }) => ({ instructions: prompts["embedder.md"], blocks: [], own: [{ label: "TEKS", json: texts }] }),
  check: ({ vectors }, { texts }) =>
    vectors.length === texts.length &&
    vectors.every((vector) => vector.length === vectors[0]?.length && vector.length > 0)
      ? []
      : [rejected("wrong_vectors", `${texts.length} vectors of one length are expected`, ["vectors"])],
  expert: ({ texts }) => ({ vectors: texts.map(embedText) }),
  embeds: ({ texts }) => texts,
});
