import { setTimeout as sleep } from "node:timers/promises";
import { MockLanguageModelV4 } from "ai/test";
import { replyTo } from "./debate-case.ts";

type Generate = Extract<NonNullable<ConstructorParameters<typeof MockLanguageModelV4>[0]>["doGenerate"], Function>;
type Message = Parameters<Generate>[0]["prompt"][number];

/** The AI SDK's own test model, answering the bench debate after `latencyMs`; with 0 it answers at once. */
export function mockModel(latencyMs: number): MockLanguageModelV4 {
  const model: MockLanguageModelV4 = new MockLanguageModelV4({
    async doGenerate({ prompt }) {
      // The mock keeps every call for assertions; a benchmark must not hold them.
      model.doGenerateCalls.length = 0;
      const text = textOf(prompt.at(-1));
      if (latencyMs > 0) await sleep(latencyMs);
      return {
        content: [{ type: "text", text: replyTo(text) }],
        finishReason: { unified: "stop", raw: "stop" },
        usage: {
          inputTokens: { total: 900, noCache: 900, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 150, text: 150, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
  return model;
}

function textOf(message: Message | undefined): string {
  if (message?.role !== "user") throw new Error("the bench model answers a user's message");
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
