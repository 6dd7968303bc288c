import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QuestionSchema } from "../case.ts";
import { question as pack } from "../pack.ts";
import { QuestionConfigSchema } from "../config.ts";
import { selectMaterial } from "../../../knowledge/documents/index.ts";
import { checkQuotes } from "../rules/check-reply.ts";

const words = "mill river wheel bread ferry toll bridge crack winter steel council order".split(" ");
const sentence = fc
  .tuple(fc.array(fc.constantFrom(...words), { minLength: 3, maxLength: 9 }), fc.integer({ min: 1, max: 900 }))
  .map(([some, number]) => `The ${some.join(" ")} number ${number}.`);
const documents = fc.array(fc.array(sentence, { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 6 });

/** A speech that quotes one thing. */
const quoting = (source: string, quote: string) => ({
  reasoning: "r",
  quotes: [{ source, quote }],
  answer: "a",
  short_answer: null,
  confidence: 1,
});

describe("what is shown of documents", () => {
  it("all that is shown can be quoted, nothing else can, and no sentence is shown twice", () => {
    fc.assert(
      fc.property(
        documents,
        fc.integer({ min: 500, max: 3000 }),
        fc.integer({ min: 1, max: 10 }),
        (texts, characters, passages) => {
          const docs = texts.map((sentences, index) => ({ id: `${index}.txt`, text: sentences.join(" ") }));
          const material = selectMaterial(docs, "Which mill has a wheel?", { characters, passages });
          expect(material.passages.length).toBeGreaterThan(0);
          for (const { source, text } of material.passages)
            expect(checkQuotes(quoting(source, text), material)).toEqual([]);
          for (const { source, text } of material.sentences)
            expect(checkQuotes(quoting(source, text), material)).toEqual([]);
          expect(new Set(material.sentences).size).toBe(material.sentences.length);
          for (const [index, sentences] of texts.entries())
            for (const one of sentences) {
              const isShown = material.passages.some(
                ({ source, text }) => source === `${index}.txt` && text.includes(one),
              );
              expect(checkQuotes(quoting(`${index}.txt`, one), material)).toHaveLength(isShown ? 0 : 1);
            }
        },
      ),
    );
  });

  it("a folder that fits is given whole with its dates, a larger one by passages with the list of files, never nothing", () => {
    const [role] = pack.roles(QuestionConfigSchema.parse({}));
    const labels = (text: string, limit: number) => {
      const input = QuestionSchema.parse({
        question: "What is said of zebras?",
        docs: [
          { id: "a.md", text: "# Rules\nDate: 3 May 2024\n\nThe gate is shut." },
          { id: "b.md", text },
        ],
      });
      const reading = { characters: limit, passages: 4 };
      const manner = { only_documents: undefined, anonymous: true, anti_conformity: false };
      return (
        role?.prompt({ question: input, reading, speakers: {}, manner, history: [], own: null, task: "opening" })
          .blocks ?? []
      );
    };
    const whole = labels("The mill is old.", 500);
    expect(whole.map(({ label }) => label)).toEqual([
      "QUESTION",
      "ANSWER TYPE",
      "ANSWER FROM",
      "DOCUMENT 1",
      "DOCUMENT 2",
      "SPEAKERS",
    ]);
    expect(whole[3]).toMatchObject({ json: { source: "a.md", date: "2024-05-03" } });
    const parts = labels("The mill is old. ".repeat(200), 500).map(({ label }) => label);
    expect(parts).toEqual(expect.arrayContaining(["FILES", "PASSAGE 1"]));
  });

  it("contradicting statements are shown as such, with the later one", () => {
    const docs = [
      { id: "old.md", text: "Date: 12 January 2024\n\nThe daily meal allowance is 45 euros." },
      { id: "new.md", text: "Date: 2 March 2026\n\nFrom April the daily meal allowance is 62 euros." },
    ];
    const { contradictions } = selectMaterial(docs, "What is the meal allowance?", { characters: 9000, passages: 6 });
    expect(contradictions).toMatchObject([{ about: "values" }]);
    const [found] = contradictions;
    expect(found?.later === "a" ? found.a.source : found?.b.source).toBe("new.md");
  });
});
