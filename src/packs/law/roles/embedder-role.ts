import { defineRole, type Role } from "../../../engine/role.ts";
import { prompts } from "../prompts/read-prompts.ts";
import { reject } from "../rules/checks/check.ts";
import type { EmbedderInput } from "../rules/role-inputs.ts";
import { type Embedding, EmbeddingSchema } from "../schemas/embedding.ts";

/** Gives the vectors that `stability.metric: semantic` compares (law spec §4.3): of the configured embedding model, or of the expert. */
export function createEmbedder(embedText: (text: string) => number[]): Role<EmbedderInput, Embedding> {
  return defineRole<EmbedderInput, Embedding>({
    name: "embedder",
    reply: EmbeddingSchema,
    prompt: ({ texts }) => ({
      instructions: prompts["embedder.md"] ?? "",
      blocks: [],
      own: [{ label: "TEXTS", json: texts }],
    }),
    check: ({ vectors }, { texts }) =>
      vectors.length === texts.length &&
      vectors.every((vector) => vector.length === vectors[0]?.length && vector.length > 0)
        ? []
        : [reject("wrong_vectors", `${texts.length} vectors of one length are expected`, ["vectors"])],
    expert: ({ texts }) => ({ vectors: texts.map(embedText) }),
    embeds: ({ texts }) => texts,
  });
}
