import { createRandom, deriveSeed } from "../../text/random.ts";

/** A question of the lab: nothing to know about it but which of its choices is right. */
export type LabCase = { input: { id: string; question: string; choices: string[] }; truth: string; seed: number };

const letters = "ABCDEFGHIJ";

/** Makes questions whose right answer is drawn by lot. */
export function makeLabCases(count: number, choices: number, seed: number): LabCase[] {
  return Array.from({ length: count }, (_, index) => {
    const own = deriveSeed(`${seed}\n${index}`);
    const truth = letters[Math.floor(createRandom(own)() * choices)] ?? "A";
    const texts = Array.from({ length: choices }, (_unused, at) => `answer ${letters[at]}`);
    return {
      input: { id: `lab-${seed}-${index}`, question: `Question ${index + 1}?`, choices: texts },
      truth,
      seed: own,
    };
  });
}
