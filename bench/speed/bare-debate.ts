import { generateText, type LanguageModel, Output } from "ai";
import {
  defaultPersonas,
  type Judgement,
  JudgementSchema,
  prompts,
  type Speech,
  SpeechSchema,
} from "../../src/packs/question/index.ts";
import { newQuestion, persona, speakers } from "./debate-case.ts";

const personas = Object.fromEntries(speakers.map((speaker) => [speaker, defaultPersonas[speaker]]));

/** How many calls a debate may have in flight. */
export type Pace = "parallel" | "sequential";

/** Hears of each answer as it comes: the floor of what can be recorded of a debate. */
export type Record = (round: number, speaker: string, answer: Speech | Judgement) => void;

/** The debate as a plain loop over the AI SDK: the same calls, nothing checked, limited or repaired. */
export async function bareDebate(model: LanguageModel, pace: Pace, record: Record = () => {}): Promise<Judgement> {
  let history = `[QUESTION]\n${newQuestion()}\n[SPEAKERS]\n${JSON.stringify(personas)}\n`;
  for (let round = 1; round <= 3; round += 1) {
    const asked = history;
    const say = async (speaker: string): Promise<Speech> => {
      const speech = await speak(model, `${asked}${task(round)}\n${persona}${JSON.stringify({ key: speaker })}\n`);
      record(round, speaker, speech);
      return speech;
    };
    const speeches = pace === "parallel" ? await Promise.all(speakers.map(say)) : await oneByOne(speakers, say);
    for (const [index, speech] of speeches.entries())
      history += `[ROUND ${round} ANSWER ${index + 1}]\n${JSON.stringify(speech)}\n`;
  }
  const { output } = await generateText({
    model,
    instructions: prompts["instructions.md"],
    prompt: `${history}[TASK]\n${prompts["judge.md"]}`,
    output: Output.object({ schema: JudgementSchema }),
    maxRetries: 0,
  });
  record(4, "judge", output);
  return output;
}

async function speak(model: LanguageModel, prompt: string): Promise<Speech> {
  const { output } = await generateText({
    model,
    instructions: prompts["instructions.md"],
    prompt,
    output: Output.object({ schema: SpeechSchema }),
    maxRetries: 0,
  });
  return output;
}

function task(round: number): string {
  return `[TASK]\n${round === 1 ? "opening" : "revision"}`;
}

async function oneByOne<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
