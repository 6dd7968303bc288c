/** A bare script that makes one structured call: what a process needs at least before its first call. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, Output } from "ai";
import * as z from "zod";

const provider = createOpenAICompatible({
  name: "bench",
  baseURL: process.argv[2] ?? "",
  supportsStructuredOutputs: true,
});
const schema = z.strictObject({
  answer: z.string().nullable(),
  reasoning: z.string(),
  confidence: z.number(),
  quotes: z.array(z.strictObject({ source: z.string(), quote: z.string() })),
});
await generateText({
  model: provider.chatModel("m"),
  prompt: process.argv[3] ?? "",
  output: Output.object({ schema }),
});
