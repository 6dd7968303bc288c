import { commands } from "./commands.ts";

/** The help of `parley` itself, written without loading any command. */
export function writeTopHelp(color: boolean): string {
  const bold = (text: string): string => (color ? `\u001B[1m${text}\u001B[22m` : text);
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${bold(name.padEnd(width))}  ${summary}`);
  return `Parley runs structured debates between agents and turns them into decisions that can be checked.

${bold("Usage")}  parley COMMAND [OPTIONS]

${bold("Commands")}
${rows.join("\n")}

${bold("Start here")}
  parley demo                                     every pack, offline, no key
  parley ask "Why was the bridge closed?" --docs notes/
  parley ask "Is P equal to NP?" --cast openai/gpt-5-mini --budget usd=0.10

Every command explains itself: parley COMMAND --help
Exit codes: 0 ok, 1 failed, 2 bad input, 3 undecided or escalated, 4 budget exhausted;
129, 130 and 143 stopped by a hang-up, Ctrl-C or a termination, 141 nobody reads the output.
`;
}
