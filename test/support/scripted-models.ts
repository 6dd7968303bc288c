import type { SampledTurn } from "../abuse/sampled-turns.ts";
import { type Answer, type ChatRequest, countTokens, textOfRequest } from "./model-server-answer.ts";

/** A model of one temper: what it answers whenever it is asked, told the right reply. It never does better when asked again. */
export type ScriptedModel = {
  letter: string;
  name: string;
  answer(reply: object, request: ChatRequest, turn: SampledTurn): Answer;
};

/** The tempers that every role of every pack is tried with. */
export const scriptedModels: readonly ScriptedModel[] = [
  { letter: "a", name: "is perfect", answer: (reply) => ({ value: reply }) },
  { letter: "b", name: "wraps JSON in prose", answer: (reply) => ({ content: wrapInProse(reply) }) },
  { letter: "c", name: "is cut off", answer: cutOff },
  { letter: "d", name: "refuses", answer: () => ({ refusal: "I'm sorry, I can't help with that." }) },
  {
    letter: "d2",
    name: "refuses in plain words",
    answer: () => ({ content: "I'm sorry, but I can't help with that." }),
  },
  { letter: "e", name: "answers in another language", answer: answerInKorean },
  { letter: "f", name: "changes spaces and quotation marks", answer: changeQuotes },
  { letter: "g", name: "is one off in spans and lines", answer: (reply) => ({ value: mapLeaves(reply, addOne) }) },
];

function wrapInProse(reply: object): string {
  return `Certainly! Here is my reply:\n\n\`\`\`json\n${JSON.stringify(reply, null, 2)}\n\`\`\`\n\nTell me if {anything} is unclear.`;
}

/** Answers as far as the output limit goes. */
function cutOff(reply: object, request: ChatRequest): Answer {
  const text = JSON.stringify(reply);
  const limit = request.max_tokens ?? request.max_completion_tokens ?? Infinity;
  if (countTokens(text) <= limit) return { content: text };
  const usage = { prompt: countTokens(textOfRequest(request)), completion: limit };
  return { content: text.slice(0, limit * 4), finishReason: "length", usage };
}

/** Puts its own words, not those it was shown or may choose from, into Korean. */
function answerInKorean(reply: object, request: ChatRequest): Answer {
  const shown = textOfRequest(request) + JSON.stringify(request.response_format ?? null);
  const value = mapLeaves(reply, (leaf) =>
    typeof leaf === "string" && /\s/.test(leaf) && !isShown(leaf, shown)
      ? "자료에 근거하여 이렇게 판단했습니다. 이유는 위에 적힌 내용과 같습니다."
      : leaf,
  );
  return { content: `물론입니다. 답변은 다음과 같습니다.\n${JSON.stringify(value)}` };
}

/** Quotes what it was shown as word processors do: curly marks, no-break and doubled spaces. */
function changeQuotes(reply: object, request: ChatRequest): Answer {
  const shown = textOfRequest(request);
  const value = mapLeaves(reply, (leaf) =>
    typeof leaf === "string" && /\s/.test(leaf) && isShown(leaf, shown)
      ? leaf
          .replace(" ", "\u00A0")
          .replace(/ (?=\S+$)/, "  ")
          .replaceAll(/"([^"]*)"/g, "“$1”")
          .replaceAll("'", "’")
      : leaf,
  );
  return { value };
}

function isShown(text: string, shown: string): boolean {
  return shown.includes(text) || shown.includes(JSON.stringify(text).slice(1, -1));
}

const countedKeys = new Set(["start", "end", "ref"]);

function addOne(leaf: unknown, key: string): unknown {
  return typeof leaf === "number" && countedKeys.has(key) ? leaf + 1 : leaf;
}

function mapLeaves(value: unknown, change: (leaf: unknown, key: string) => unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, change, key));
  if (typeof value !== "object" || value === null) return change(value, key);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapLeaves(item, change, name)]));
}
