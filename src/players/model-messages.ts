import { readFileSync } from "node:fs";
import { type PromptLanguage, promptLanguages } from "../contract/prompt.ts";
import type { Repair, TurnContext } from "../engine/player.ts";
import { describeProblem } from "../engine/problem-words.ts";
import { renderBlock } from "../engine/prompt.ts";
import type { Messages, Traits } from "./providers.ts";

/** What the players add to a role's prompt, in one language. */
type Additions = { replyFormat: string; repairOpening: string; repairClosing: string } & Marks;

type Marks = { problems: string; empty: string; leftOut(count: number): string };

const marks: Record<PromptLanguage, Marks> = {
  en: { problems: "PROBLEMS", empty: "(empty)", leftOut: (count) => `… ${count} characters left out …` },
  id: { problems: "MASALAH", empty: "(kosong)", leftOut: (count) => `… ${count} huruf dilewati …` },
  ko: { problems: "문제", empty: "(비어 있음)", leftOut: (count) => `… ${count}자 생략 …` },
};

const additions = Object.fromEntries(promptLanguages.map((language) => [language, readAdditions(language)])) as Record<
  PromptLanguage,
  Additions
>;

/** Messages with the bytes of text they hold. */
export type SizedMessages = { messages: Messages; bytes: number };

/** The prompt as messages: instructions, shared blocks, own blocks, and in a repair the last reply and its problems. */
export function buildMessages(
  { prompt, rendered, repair }: Pick<TurnContext, "prompt" | "rendered" | "repair">,
  traits: Traits,
  schemaText: string,
): SizedMessages {
  const { system, shared, own } = rendered;
  const added = additions[prompt.language ?? "en"];
  const format = traits.schemaInPrompt ? [`${added.replyFormat}\n${schemaText}\n`] : [];
  const parts = [...shared, ...own, ...format];
  const messages: Messages =
    parts.length === 0
      ? [{ role: "user", content: [{ type: "text", text: system }] }]
      : [
          { role: "system", content: system },
          { role: "user", content: contentOf(parts, shared.length, traits) },
        ];
  if (repair !== null) messages.push(...repairMessages(repair, added));
  return { messages, bytes: countBytes(messages) };
}

/** Tokens are never more than bytes, plus what a chat template adds around each message. */
function countBytes(messages: Messages): number {
  let bytes = 0;
  for (const { content } of messages) {
    bytes += templateBytes;
    if (typeof content === "string") bytes += Buffer.byteLength(content);
    else for (const part of content) if (part.type === "text") bytes += Buffer.byteLength(part.text);
  }
  return bytes;
}

const templateBytes = 64;

type UserContent = Extract<Messages[number], { role: "user" }>["content"];

function contentOf(parts: string[], sharedCount: number, traits: Traits): UserContent {
  if (traits.cacheHint === null) return [{ type: "text", text: parts.join("\n") }];
  return parts.map((text, index) => ({
    type: "text",
    text,
    ...(index === sharedCount - 1 && traits.cacheHint !== null ? { providerOptions: traits.cacheHint } : {}),
  }));
}

function repairMessages({ raw, problems }: Repair, added: Additions): Messages {
  const { repairOpening, repairClosing } = added;
  const list = renderBlock({
    label: added.problems,
    text: problems.map((problem) => `- ${describeProblem(problem)}`).join("\n"),
  });
  return [
    { role: "assistant", content: [{ type: "text", text: quoteReply(raw, added) }] },
    { role: "user", content: [{ type: "text", text: `${repairOpening}\n${list}\n${repairClosing}` }] },
  ];
}

/** Providers refuse an empty assistant message, and chat templates two user messages in a row. Of a long reply its head and tail will do. */
function quoteReply(raw: string, { empty, leftOut }: Marks): string {
  if (raw.trim() === "") return empty;
  const left = raw.length - quotedHead - quotedTail;
  if (left <= 0) return raw;
  const [head, tail] = [raw.slice(0, quotedHead).toWellFormed(), raw.slice(-quotedTail).toWellFormed()];
  return `${head}\n${leftOut(left)}\n${tail}`;
}

const quotedHead = 6_000;
const quotedTail = 2_000;

function readAdditions(language: PromptLanguage): Additions {
  const read = (name: string): string => readPrompt(language === "en" ? name : `${name}.${language}`);
  const texts = { replyFormat: read("reply-format"), repairOpening: read("repair"), repairClosing: read("repair-end") };
  return { ...texts, ...marks[language] };
}

function readPrompt(name: string): string {
  return readFileSync(new URL(`./prompts/${name}.md`, import.meta.url), "utf8").trim();
}
