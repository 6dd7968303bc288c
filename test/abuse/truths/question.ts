import { isText, lie, type Loose, loosely, type Truth } from "./truth.ts";

export const question: Truth[] = [
  {
    has: ["quotes"],
    lies: ({ answer, reasoning, quotes }, { question: asked }) => [
      ...answerLies(answer, asked),
      ...lie(isText(reasoning), "reasons with nothing"),
      ...quotes.flatMap(({ source, quote }: Loose) => {
        const document = asked.docs.find(({ id }: Loose) => id === source);
        return lie(isText(quote) && plain(document?.text ?? "").includes(plain(quote)), `quotes "${quote}"`);
      }),
    ],
  },
  {
    has: ["groups"],
    lies: ({ groups }, { answers }) => {
      const numbers = groups.flat().toSorted((a: number, b: number) => a - b);
      return lie(
        numbers.join() === answers.map((_: string, at: number) => at + 1).join(),
        "leaves out an answer, or counts it twice",
      );
    },
  },
  {
    has: ["winner"],
    lies: ({ answer, winner }, { question: asked, history }) => [
      ...answerLies(answer, asked),
      ...lie(winner === null || winner <= (history.at(-1)?.speeches.length ?? 0), `follows answer ${winner}`),
      ...lie(
        winner === null ||
          !asked.choices ||
          (history.at(-1)?.speeches[winner - 1]?.answer === null) === (answer === null),
        "follows another answer than it gives",
      ),
    ],
  },
];

function answerLies(answer: string | null, { answer_type, choices }: Loose): string[] {
  if (answer === null) return [];
  if (answer_type === "number")
    return lie(
      /\d/.test(answer) ||
        /\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|half)\b/i.test(answer),
      `"${answer}" is no number`,
    );
  if (!choices) return lie(/[\p{L}\p{N}]/u.test(answer), "an answer without a word");
  const words = (text: string): string =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+|\b(?:the|an?)\b/gu, "");
  const names = choices.flatMap((text: string, at: number) => {
    const letter = String.fromCharCode(97 + at);
    return [words(text), letter, letter + words(text)];
  });
  return lie(names.includes(words(answer)) || words(answer) === "", `"${answer}" is none of the choices`);
}

/** Capitals make no other quotation. */
const plain = (text: string): string => loosely(text).toLowerCase();
