import * as z from "zod";

/** Vectors, one for each text and all of one length. */
export const EmbeddingSchema = z.strictObject({ vectors: z.array(z.array(z.number())) });
export type Embedding = z.infer<typeof EmbeddingSchema>;
