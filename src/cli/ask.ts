import { resolve } from "node:path";
import { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { narrowCast, parseCast, playerNameOf, readPlayers } from "../players/cast.ts";
import { readJury } from "../runs/jury-file.ts";
import { withSettings } from "../runs/settings.ts";
import { pickPackSection } from "../runs/user-config.ts";
import { protocolNames } from "../packs/question/index.ts";
import { question } from "../packs/question/pack.ts";
import { pickCastOptions } from "./dry-run.ts";
import type { Io } from "./io.ts";
import { type RunOptions, collect, withPromiseOptions, withRunOptions, rareOption } from "./options.ts";
import { runCase } from "./run-case.ts";
import { loadUserConfig } from "./settings.ts";

type AskOptions = RunOptions & {
  docs: string[];
  choice: string[];
  number?: boolean;
  protocol?: string;
  onlyDocs: boolean;
  beside?: boolean;
  jury?: string;
  panel?: string;
};

/** `parley ask QUESTION` */
export function command(io: Io): Command {
  const ask = new Command("ask")
    .description("Debates a question: personas answer independently, read each other, and a vote or a judge decides.")
    .argument("<question>", "the question or topic")
    .option(
      "--docs <path>",
      "a file or folder to answer from (text, Markdown, PDF, DOCX, HTML, CSV…); can be repeated",
      collect,
      [],
    )
    .option("--choice <text>", "one of the choices of a multiple-choice question; can be repeated", collect, [])
    .option("--number", "the answer is a number")
    .addOption(
      rareOption("--no-only-docs", "let players also answer from what they know, not from the documents alone"),
    )
    .option("--panel <players>", "several models that answer independently, asked one by one until two agree")
    .addOption(rareOption("--jury <file>", "let learnt weights decide: a file that `parley study jury --out` wrote"))
    .option("--beside", "also ask the same model for one plain answer, and show both with their costs")
    .option("--protocol <name>", `how it is debated: ${protocolNames.join(", ")}`);
  return withPromiseOptions(withRunOptions(ask))
    .addHelpText("after", examples)
    .action(async (text: string, given: AskOptions) => {
      const options = given.panel === undefined ? given : seatPanel(io, given.panel, given);
      const input = {
        question: text,
        docs: options.docs.length > 0 ? await (await import("./documents.ts")).readDocuments(io, options.docs) : [],
        ...(options.choice.length > 0 ? { choices: options.choice } : {}),
        ...(options.number ? { answer_type: "number" } : {}),
      };
      const set = [
        ...(options.protocol === undefined ? [] : [`protocol=${options.protocol}`]),
        ...(options.jury === undefined ? [] : [`jury=${seatJury(io, options.jury, options)}`]),
        ...(options.onlyDocs ? [] : ["only_documents=false"]),
        ...options.set,
      ];
      await runCase(io, { ...options, set }, question, input);
    });
}

/**
 * Each member of a panel as a speaker of its own. Where nothing says how they decide they are asked in order, which costs
 * about half of a vote; learnt weights need every voice.
 */
function seatPanel(io: Io, panel: string, options: AskOptions): AskOptions {
  const config = loadUserConfig(io, options);
  const players = readPlayers(panel, pickCastOptions(io, config));
  if (players.length < 2) throw new ParleyError("bad_input", "--panel: a panel has at least two members");
  const names = players.map(playerNameOf);
  if (new Set(names).size < names.length) throw new ParleyError("bad_input", "--panel: a member is listed twice");
  const keys = nameSeats(players.map((player) => ("model" in player ? player.model : player.kind)));
  const personas = Object.fromEntries(
    keys.map((key, at) => [key, { name: names[at], role: "a member of the panel", goal: "answer the question" }]),
  );
  const settings = withSettings(pickPackSection(config, question.name), []);
  const isTold = options.protocol !== undefined || "protocol" in settings;
  const protocol = options.jury === undefined ? "in_order" : "vote";
  const set = [
    `personas=${JSON.stringify(personas)}`,
    `order=${JSON.stringify(keys)}`,
    ...(isTold ? [] : [`protocol=${protocol}`]),
  ];
  const cast = [options.cast ?? config.cast ?? "expert", ...keys.map((key, at) => `${key}=${names[at]}`)].join(",");
  return { ...options, cast, set: [...set, ...options.set] };
}

/** Lower-case keys for the members, each its own. */
function nameSeats(models: readonly string[]): string[] {
  const keys: string[] = [];
  for (const model of models) {
    const plain =
      model
        .toLowerCase()
        .replaceAll(/[^a-z0-9_]+/g, "-")
        .replaceAll(/^[^a-z]+|-+$/g, "") || "member";
    keys.push(keys.includes(plain) ? `${plain}-${keys.length + 1}` : plain);
  }
  return keys;
}

/** A jury's weights for the speakers of this debate: by their own names, or by the models that play them. */
function seatJury(io: Io, file: string, options: AskOptions): string {
  const { weights, none } = readJury(resolve(io.cwd, file));
  const config = loadUserConfig(io, options);
  const settings = withSettings(pickPackSection(config, question.name), options.set);
  const names = question.roles(question.config.parse(settings)).map(({ name }) => name);
  const cast = options.cast ?? config.cast ?? "expert";
  const plan = parseCast(narrowCast(cast, names), names).roles;
  const seated = names.flatMap((name): [string, number][] => {
    const player = plan[name];
    const model = player && "model" in player ? player.model : "";
    const weight = weights[name] ?? weights[model];
    return weight === undefined ? [] : [[name, weight]];
  });
  if (seated.length === 0)
    throw new ParleyError(
      "bad_input",
      `the jury ${file} knows none of the speakers (${names.join(", ")}) nor who plays them; its seats are ${Object.keys(weights).join(", ")}`,
    );
  return JSON.stringify({ weights: Object.fromEntries(seated), none });
}

const examples = `
Examples:
  parley ask "Why was the harbour bridge closed?" --docs reports/
  parley ask "Is tea older than coffee?" --cast openai/gpt-5-mini --budget usd=0.10 --beside
  parley ask "What is 17 * 24?" --number --cast openai/gpt-5-mini --protocol self_consistency --set samples=7
  parley ask "Should the city buy the bridge?" --protocol courtroom --cast anthropic/claude-sonnet-5,judge=person
  parley ask "Is tea older than coffee?" --panel openai/gpt-5-mini,anthropic/claude-haiku-4-5,google/gemini-2.5-flash
  parley ask "Which planet is largest?" --choice Mars --choice Jupiter --cast ollama/llama3.2 --config round-table.yaml`;
