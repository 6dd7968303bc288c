import { type Answer, type ChatRequest, textOfRequest } from "./model-server-answer.ts";

/**
 * What a player must make of it: `text` that the engine can judge, a reply that is `withheld` (asking again would pay for the
 * same), an HTTP answer that may be tried again (`retry`),
 * or a clear failure of the endpoint (`fails`).
 */
export type Consequence = "text" | "withheld" | "retry" | "fails";

/** One way in which a model or its endpoint goes wrong; `good` is what would have been right. */
export type Misbehaviour = {
  name: string;
  consequence: Consequence;
  answer(good: string, request: ChatRequest): Answer;
};

const html = "<!doctype html><html><head><title>502 Bad Gateway</title></head><body>Bad gateway</body></html>";

/** Everything the loopback server can do wrong; tests iterate over all of them. */
export const misbehaviours: readonly Misbehaviour[] = [
  ...textTroubles(),
  ...refusedRequests(),
  ...brokenTransport(),
  ...brokenCompletions(),
];

/** The misbehaviour of this name. */
export function misbehaviour(name: string): Misbehaviour {
  const found = misbehaviours.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`no misbehaviour "${name}"; there are ${misbehaviours.map((one) => one.name).join(", ")}`);
  }
  return found;
}

function textTroubles(): Misbehaviour[] {
  return [
    text("malformed_json", (good) => ({ content: `${good.slice(0, -1)},, "oops` })),
    text("prose_around_json", (good) => ({
      content: `Sure! Here is my answer:\n\n\`\`\`json\n${good}\n\`\`\`\n\nLet me know if {anything} is unclear.`,
    })),
    text("two_json_objects", (good) => ({ content: `${good}\n${JSON.stringify(changed(good, wrongType))}` })),
    text("two_valid_objects", (good) => ({ content: `${good}\n${JSON.stringify(changed(good, otherValue))}` })),
    text("missing_fields", (good) => ({ value: withoutFirstKey(good) })),
    text("wrong_types", (good) => ({ value: changed(good, wrongType) })),
    text("schema_echoed", (_, request) => ({
      value: request.response_format?.json_schema?.schema ?? { type: "object" },
    })),
    text("placeholders_echoed", (good) => ({ value: changed(good, placeholder) })),
    text("empty_content", () => ({ content: "" })),
    text("null_content", () => ({ content: null })),
    { name: "refusal", consequence: "withheld", answer: () => ({ refusal: "I'm sorry, I can't help with that." }) },
    {
      name: "refusal_in_text",
      consequence: "withheld",
      answer: () => ({ content: "I'm sorry, but I can't help with that request." }),
    },
    text("truncated", (good) => ({ content: good.slice(0, Math.ceil(good.length / 2)), finishReason: "length" })),
    text("thinking_aloud", (good) => ({ content: `<think>Maybe {"a": 1}? No.</think>\n${good}` })),
    text("thinking_a_draft", (good) => ({
      content: `<think>First: ${JSON.stringify(changed(good, otherValue))} No.</think>\n\`\`\`json\n${good}\n\`\`\``,
    })),
    text("thinking_untagged", (good) => ({
      content: `Perhaps ${JSON.stringify(changed(good, otherValue))}?\n</think>\n\n${good}`,
    })),
    text("reasoning_only", (good) => ({ content: "", reasoning: `I would answer ${good}` })),
    text("tool_call", (good) => ({
      content: null,
      toolCall: { name: "reply", arguments: good },
      finishReason: "tool_calls",
    })),
    text("tool_call_in_text", (good) => ({
      content: `<tool_call>\n{"name": "reply", "arguments": ${good}}\n</tool_call>`,
    })),
    text("json_in_string", (good) => ({ content: JSON.stringify(good) })),
    text("array_around", (good) => ({ content: `[${good}]` })),
    text("prompt_echoed", (_, request) => ({ content: textOfRequest(request) })),
    text("wrong_content_type", (good) => ({ content: good, contentType: "text/plain" })),
    text("no_usage", (good) => ({ content: good, usage: null })),
    text("slow", (good) => ({ content: good, latencyMs: 40 })),
  ];
}

function refusedRequests(): Misbehaviour[] {
  return [
    refused("rate_limited", 429),
    refused("rate_limited_with_retry_after", 429, () => ({ "retry-after": "1" })),
    refused("rate_limited_until_date", 429, () => ({ "retry-after": new Date(Date.now() + 2000).toUTCString() })),
    refused("server_error", 500),
    refused("overloaded", 503, () => ({ "retry-after": "1" })),
    { name: "html_error", consequence: "retry", answer: () => rawHtml(502) },
    { name: "reset_before_headers", consequence: "retry", answer: () => ({ stop: { how: "reset", at: "headers" } }) },
  ];
}

function brokenTransport(): Misbehaviour[] {
  return [
    fails("hang", (content) => ({ content, stop: { how: "hang", at: "headers" } })),
    fails("hang_mid_body", (content) => ({ content, stop: { how: "hang", at: "body" } })),
    fails("reset_mid_body", (content) => ({ content, stop: { how: "reset", at: "body" } })),
    fails("html", () => rawHtml(200)),
    fails("empty_body", () => ({ raw: { status: 200, body: "" } })),
  ];
}

function brokenCompletions(): Misbehaviour[] {
  return [
    fails("wrong_role", (content) => ({ content, role: "user" })),
    fails("no_choices", () => ({ raw: { status: 200, body: '{"id":"x","object":"chat.completion","choices":[]}' } })),
    fails("error_with_status_200", () => ({ raw: { status: 200, body: errorBody("the upstream model is gone") } })),
    fails("bad_request", () => ({ raw: { status: 400, body: errorBody("messages: too many") } })),
    fails("unauthorised", () => ({ raw: { status: 401, body: errorBody("invalid key") } })),
    fails("unknown_model", () => ({ raw: { status: 404, body: errorBody("no such model") } })),
  ];
}

function text(name: string, answer: Misbehaviour["answer"]): Misbehaviour {
  return { name, consequence: "text", answer };
}

function fails(name: string, answer: Misbehaviour["answer"]): Misbehaviour {
  return { name, consequence: "fails", answer };
}

function refused(name: string, status: number, headers: () => Record<string, string> = () => ({})): Misbehaviour {
  const body = errorBody(`status ${status}`);
  return { name, consequence: "retry", answer: () => ({ raw: { status, headers: headers(), body } }) };
}

function rawHtml(status: number): Answer {
  return { raw: { status, headers: { "content-type": "text/html" }, body: html } };
}

function errorBody(message: string): string {
  return JSON.stringify({ error: { message, type: "loopback_error", code: null } });
}

function withoutFirstKey(good: string): unknown {
  const entries = Object.entries(parsed(good));
  return Object.fromEntries(entries.slice(1));
}

function changed(good: string, change: (value: unknown) => unknown): unknown {
  return Object.fromEntries(Object.entries(parsed(good)).map(([key, value]) => [key, change(value)]));
}

function wrongType(value: unknown): unknown {
  return typeof value === "string" ? { text: value } : `"${JSON.stringify(value)}"`;
}

function otherValue(value: unknown): unknown {
  return typeof value === "string" ? `${value} or not` : value;
}

function placeholder(value: unknown): unknown {
  return typeof value === "string" ? "string" : value;
}

function parsed(good: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(good);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { answer: value };
  } catch {
    return { answer: good };
  }
}
