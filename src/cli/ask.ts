import { resolve } from "node:path";
import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { narrowCast, parseCast, playerNameOf, readPlayers } from "../players/cast.ts";
import { withSettings } from "../runs/settings.ts";
import { pickPackSection } from "../runs/user-config.ts";
import { protocolNames, question } from "../packs/question/pack.ts";
import { defineCommand, flag, type Given, list, off, rare, text } from "./command.ts";
import type { Io } from "./io.ts";
import { promiseOptions, runOptions } from "./options.ts";
import { runCase } from "./run-case.ts";
import { loadUserConfig, pickCastOptions } from "./settings.ts";

const examples = `
Examples:
  parley ask "Why was the harbour bridge closed?" --docs reports/
  parley ask "Is tea older than coffee?" --cast openai/gpt-5-mini --budget usd=0.10 --beside
  parley ask "What is 17 * 24?" --number --cast openai/gpt-5-mini --protocol self_consistency --set samples=7
  parley ask "Should the city buy the bridge?" --protocol courtroom --cast anthropic/claude-sonnet-5,judge=person
  parley ask "Is tea older than coffee?" --panel openai/gpt-5-mini,anthropic/claude-haiku-4-5,google/gemini-2.5-flash
  parley ask "Which planet is largest?" --choice Mars --choice Jupiter --cast ollama/llama3.2 --config round-table.yaml`;

const options = {
  docs: list("<path>", "a file or folder to answer from (text, Markdown, PDF, DOCX, HTML, CSV…); can be repeated"),
  choice: list("<text>", "one of the choices of a multiple-choice question; can be repeated"),
  number: flag("the answer is a number"),
  protocol: text("<name>", `how it is debated: ${protocolNames.join(", ")}`),
  panel: text("<players>", "several models that answer independently, asked one by one until two agree"),
  beside: flag("also ask the same model for one plain answer, and show both with their costs"),
  ...runOptions,
  onlyDocs: rare(off("let players also answer from what they know, not from the documents alone")),
  jury: rare(text("<file>", "let learnt weights decide: a file that `parley study jury --out` wrote")),
  ...promiseOptions,
};
type AskOptions = Given<typeof options>;

/** `parley ask QUESTION` */
export function command(io: Io): Command {
  return defineCommand({
    name: "ask",
    about: "Debates a question: personas answer independently, read each other, and a vote or a judge decides.",
    arguments: { "<question>": "the question or topic" },
    options,
    examples,
    async action(asked, words: string) {
      const given = asked.panel === undefined ? asked : seatPanel(io, asked.panel, asked);
      const input = {
        question: words,
        docs: given.docs.length > 0 ? await (await import("./documents.ts")).readDocuments(io, given.docs) : [],
        ...(given.choice.length > 0 ? { choices: given.choice } : {}),
        ...(given.number ? { answer_type: "number" } : {}),
      };
      const set = [
        ...(given.protocol === undefined ? [] : [`protocol=${given.protocol}`]),
        ...(given.jury === undefined ? [] : [`jury=${await seatJury(io, given.jury, given)}`]),
        ...(given.onlyDocs ? [] : ["only_documents=false"]),
        ...given.set,
      ];
      await runCase(io, { ...given, set }, question, input);
    },
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
async function seatJury(io: Io, file: string, options: AskOptions): Promise<string> {
  const { readJury } = await import("../runs/certificate.ts");
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
