/** Words that only one of the languages has and that hardly a sentence of it does without. */
const telling: Record<"en" | "id" | "ko", RegExp> = {
  en: /(?<![\p{L}_])(?:the|is|are|was|were|which|and|not|of|or|must|give|this|that|there|with|from|does|has|have|been|an|it|its|no|at|than|for|by)(?![\p{L}_])/giu,
  id: /(?<![\p{L}_])(?:yang|tidak|dan|ini|itu|bukan|atau|dengan|ada|adalah|untuk|dari|oleh|harus|sudah|belum|masih)(?![\p{L}_])/giu,
  ko: /\p{Script=Hangul}+/gu,
};

/** The words of other languages in a text of one; what it quotes, and names in code, is left out. */
export function listStrayWords(text: string, language: "en" | "id" | "ko"): string[] {
  const plain = text.replaceAll(/"[^"\n]*"|`[^`\n]*`/g, " ");
  const others = (Object.keys(telling) as (keyof typeof telling)[]).filter((one) => one !== language);
  return others.flatMap((one) => [...plain.matchAll(telling[one])].map(([word]) => word));
}
