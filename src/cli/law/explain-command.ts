import { Command } from "commander";
import type { Io } from "../terminal/io.ts";
import { explain, writeExplanation } from "../../knowledge/law/index.ts";

/** `parley law explain QUESTION` */
export function createExplainCommand(io: Io): Command {
  return new Command("explain")
    .description(
      "Shows what the rules make of a question: its facts, each conclusion with its proof, unknowns, contradictions.",
    )
    .argument("<question>", "the question, in Indonesian or English")
    .option("--json", "print it as JSON")
    .action((question: string, { json }: { json?: boolean }) => {
      const explanation = explain(question);
      io.out(json ? `${JSON.stringify(explanation, null, 2)}\n` : writeExplanation(explanation));
    });
}
