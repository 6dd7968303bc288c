import * as z from "zod";
import type { PromptLanguage } from "../contract/prompt.ts";
import type { Problem } from "../contract/turn.ts";

/** How what is wrong with a reply is told to whoever gave it, in one language. */
const english = {
  noAnswer: () => "the player has no answer",
  tooLong: (length: number, most: number) => `the reply has ${length} characters; at most ${most} are read`,
  severalReplies: (count: number) => `${count} different replies in one; give exactly one JSON object`,
  repeatedKey: () => "this key is given twice; give it once",
  empty: () => "the reply is empty",
  noJson: (excerpt: string) => `no JSON in the reply: ${excerpt}`,
  brokenJson: (fault: string) => `no whole JSON object in the reply: ${fault}`,
  repeatsPrompt: () => "the reply repeats the prompt",
  repeatsInstructions: () => "this text repeats the instructions",
  repeatsExample: () => "this text is taken from the example, which is of another case",
  placeholder: (text: string) => `"${text}" is a placeholder, not content`,
  cut: () => "the reply was cut off at the output limit; answer more briefly",
  cutAt: (limit: number, reasoning: number) =>
    `the reply was cut off at ${limit} tokens${reasoning > 0 ? ` (${reasoning} of them reasoning)` : ""}; answer more briefly`,
  missing: (write: string) => `missing; write ${write}`,
  refused: (excerpt: string) => `the model refused: ${excerpt}`,
  withheld: (excerpt: string) => `the provider withheld the reply: ${excerpt}`,
  oversize: (length: number) => `the reply was too large and was cut after ${length} characters; answer more briefly`,
  reasoningOnly: () => "the model reasoned and then said nothing; give the JSON object as the reply itself",
};

export type ProblemWords = typeof english;

const indonesian: ProblemWords = {
  noAnswer: () => "pemain ini tidak punya jawaban",
  tooLong: (length, most) => `balasan ini ${length} huruf; paling banyak ${most} yang dibaca`,
  severalReplies: (count) => `${count} balasan yang berbeda sekaligus; berikan tepat satu objek JSON`,
  repeatedKey: () => "kunci ini diberikan dua kali; berikan sekali saja",
  empty: () => "balasannya kosong",
  noJson: (excerpt) => `tidak ada JSON dalam balasan: ${excerpt}`,
  brokenJson: (fault) => `tidak ada objek JSON yang utuh dalam balasan${placeOf(fault, " (rusak pada huruf ke-", ")")}`,
  repeatsPrompt: () => "balasan ini mengulang petunjuknya",
  repeatsInstructions: () => "teks ini mengulang petunjuknya",
  repeatsExample: () => "teks ini diambil dari contoh, yang menyangkut perkara lain",
  placeholder: (text) => `"${text}" hanya isian contoh, bukan isi`,
  cut: () => "balasan terpotong pada batas keluaran; jawablah lebih ringkas",
  cutAt: (limit, reasoning) =>
    `balasan terpotong pada ${limit} token${reasoning > 0 ? ` (${reasoning} di antaranya penalaran)` : ""}; jawablah lebih ringkas`,
  missing: (write) => `belum ada; tulis ${write}`,
  refused: (excerpt) => `model menolak: ${excerpt}`,
  withheld: (excerpt) => `penyedia menahan balasannya: ${excerpt}`,
  oversize: (length) => `balasan terlalu besar dan dipotong setelah ${length} huruf; jawablah lebih ringkas`,
  reasoningOnly: () => "model bernalar lalu tidak berkata apa-apa; berikan objek JSON itu sebagai balasan",
};

const korean: ProblemWords = {
  noAnswer: () => "답이 없습니다",
  tooLong: (length, most) => `답변이 ${length}자입니다. 최대 ${most}자까지만 읽습니다`,
  severalReplies: (count) => `서로 다른 답변이 ${count}개입니다. JSON 객체 하나만 주십시오`,
  repeatedKey: () => "이 키가 두 번 나옵니다. 한 번만 쓰십시오",
  empty: () => "답변이 비어 있습니다",
  noJson: (excerpt) => `답변에 JSON이 없습니다: ${excerpt}`,
  brokenJson: (fault) => `답변에 온전한 JSON 객체가 없습니다${placeOf(fault, " (", "번째 글자에서 깨짐)")}`,
  repeatsPrompt: () => "답변이 지시문을 되풀이합니다",
  repeatsInstructions: () => "이 글은 지시문을 되풀이합니다",
  repeatsExample: () => "이 글은 다른 사례인 예시에서 가져온 것입니다",
  placeholder: (text) => `"${text}"은(는) 내용이 아니라 자리 표시입니다`,
  cut: () => "답변이 출력 한도에서 잘렸습니다. 더 짧게 답하십시오",
  cutAt: (limit, reasoning) =>
    `답변이 ${limit} 토큰에서 잘렸습니다${reasoning > 0 ? ` (그중 추론 ${reasoning})` : ""}. 더 짧게 답하십시오`,
  missing: (write) => `없습니다. ${write} 형식으로 쓰십시오`,
  refused: (excerpt) => `모델이 거절했습니다: ${excerpt}`,
  withheld: (excerpt) => `제공자가 답변을 내주지 않았습니다: ${excerpt}`,
  oversize: (length) => `답변이 너무 커서 ${length}자 뒤에서 잘렸습니다. 더 짧게 답하십시오`,
  reasoningOnly: () => "모델이 추론만 하고 답하지 않았습니다. JSON 객체를 답변으로 주십시오",
};

/** The place in what a JSON parser says, which has words of one language only. */
function placeOf(fault: string, before: string, after: string): string {
  const place = /\d+/.exec(fault)?.[0];
  return place === undefined ? "" : `${before}${place}${after}`;
}

const words: Record<PromptLanguage, ProblemWords> = { en: english, id: indonesian, ko: korean };

/** The words for problems in the language of a prompt. */
export function problemWords(language: PromptLanguage = "en"): ProblemWords {
  return words[language];
}

const locales = { id: z.locales.id().localeError, ko: z.locales.ko().localeError };

/** How a schema is to say what is wrong with a value, in the language of a prompt. */
export function localeOf(language: PromptLanguage): Parameters<z.ZodType["safeParse"]>[1] {
  return language === "en" ? {} : { error: locales[language] };
}

/** What schemas say in words of their own, for which their locale has none: `params.limit` of a refinement names it. */
const limits: Record<string, Record<Exclude<PromptLanguage, "en">, (most: number) => string>> = {
  empty: { id: () => "tidak boleh kosong", ko: () => "비어 있으면 안 됩니다" },
  characters: { id: (most) => `lebih panjang dari ${most} huruf`, ko: (most) => `${most}자보다 깁니다` },
  items: { id: (most) => `lebih dari ${most} butir`, ko: (most) => `${most}개보다 많습니다` },
};

/** What a schema found wrong, in the language of a prompt; its own English words where nothing else is known. */
export function sayIssue(issue: z.core.$ZodIssue, language: PromptLanguage): string {
  const { limit = "", most = 0 } = issue.code === "custom" ? ((issue.params ?? {}) as Limit) : {};
  return language === "en" ? issue.message : (limits[limit]?.[language](most) ?? issue.message);
}

type Limit = { limit?: string; most?: number };

/** What is to be written at a place of a JSON schema, as short as it can be said in any language. */
export function expectAt(schema: Record<string, unknown>, path: readonly (string | number)[]): string {
  const node = path.reduce<Record<string, unknown>>((at, key) => {
    const open = pickShape(at);
    const inner =
      typeof key === "number" ? open.items : (open.properties as Record<string, unknown> | undefined)?.[key];
    return (inner ?? {}) as Record<string, unknown>;
  }, schema);
  return describeShape(pickShape(node));
}

/** Of a shape that may be null, the shape. */
function pickShape(node: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(node.type)) return { ...node, type: node.type.find((type) => type !== "null") as unknown };
  const branches = (node.anyOf ?? node.oneOf) as Record<string, unknown>[] | undefined;
  return branches?.find(({ type }) => type !== "null") ?? node;
}

function describeShape(node: Record<string, unknown>): string {
  if (Array.isArray(node.enum)) return node.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.type === "array") return "`[]`";
  if (node.type === "object") return "`{…}`";
  if (node.type === "string") return '`"…"`';
  if (node.type === "boolean") return "`true` | `false`";
  if (node.type !== "number" && node.type !== "integer") return "JSON";
  const [from, to] = [node.minimum, node.maximum].map(Number).filter((limit) => Math.abs(limit) < 1e9);
  return to === undefined ? "`0`" : `\`${from}\` … \`${to}\``;
}

/** A problem with the field that it is about. */
export function describeProblem({ path, message }: Pick<Problem, "path" | "message">): string {
  return path === undefined || path.length === 0 ? message : `\`${path.join(".")}\`: ${message}`;
}
