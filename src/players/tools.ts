import type { ToolSet } from "ai";
import type { ToolUse } from "../engine/player.ts";
import type { CallOptions, Messages } from "./providers.ts";

export type ToolCall = { id: string; name: string; input: string };

export async function describeTools(tools: ToolSet): Promise<NonNullable<CallOptions["tools"]>> {
  const { asSchema } = await import("ai");
  return Promise.all(
    Object.entries(tools).map(async ([name, { description, inputSchema }]) => ({
      type: "function" as const,
      name,
      ...(typeof description === "string" ? { description } : {}),
      inputSchema: await asSchema(inputSchema).jsonSchema,
    })),
  );
}

/** Runs the model's tool calls; null when there are none, so the reply is its answer. */
export async function runTools(
  tools: ToolSet,
  calls: readonly ToolCall[],
  signal: AbortSignal,
): Promise<{ used: ToolUse[]; messages: Messages } | null> {
  const own = calls.filter(({ name }) => tools[name]?.execute !== undefined);
  if (own.length === 0) return null;
  const used = await Promise.all(own.map((call) => runTool(tools, call, signal)));
  const asked = own.map(({ id, name }, at) => ({
    type: "tool-call" as const,
    toolCallId: id,
    toolName: name,
    input: used[at]?.input,
  }));
  const answered = own.map(({ id, name }, at) => ({
    type: "tool-result" as const,
    toolCallId: id,
    toolName: name,
    output: { type: "json" as const, value: (used[at]?.output ?? null) as never },
  }));
  return {
    used,
    messages: [
      { role: "assistant", content: asked },
      { role: "tool", content: answered },
    ],
  };
}

/** Runs one tool. Errors go back to the model and into the journal. */
async function runTool(tools: ToolSet, { id, name, input: text }: ToolCall, signal: AbortSignal): Promise<ToolUse> {
  try {
    const { asSchema } = await import("ai");
    const tool = tools[name];
    const given: unknown = JSON.parse(text === "" ? "{}" : text);
    const checked = await asSchema(tool?.inputSchema).validate?.(given);
    if (checked?.success === false) return { name, input: given, output: { error: checked.error.message } };
    const options = { toolCallId: id, messages: [], abortSignal: signal, context: undefined };
    const output: unknown = await tool?.execute?.(checked?.value ?? given, options as never);
    return { name, input: given, output: toJson(output) };
  } catch (error) {
    return { name, input: text, output: { error: (error as Error).message } };
  }
}

function toJson(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}
