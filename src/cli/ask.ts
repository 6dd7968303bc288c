import { resolve } from "node:path";
import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { narrowCast, parseCast, playerNameOf, readPlayers } from "../players/cast.ts";
import { checkValue, pickPackSection, type UserConfig, withSettings } from "../runs/settings.ts";
import { protocolNames, question } from "../packs/question/pack.ts";
import { defineCommand, flag, type Given, list, rare, text } from "./command.ts";
import { type Io, requireQuestion } from "./io.ts";
import { promiseOptions, runOptions } from "./options.ts";
import { runCase } from "./run-case.ts";
import { loadUserConfig, pickCastOptions } from "./settings.ts";

const options = {
  docs: list("<path>", "a file or folder to answer from (text, Markdown, PDF, DOCX, HTML, CSV…); can be repeated"),
  choice: list("<text>", "one of the choices of a multiple-choice question; can be repeated"),
  number: flag("the answer is a number"),
  protocol: text("<name>", `how it is debated: ${protocolNames.join(", ")}`),
  panel: text("<players>", "several models that answer independently, asked one by one until two agree"),
  beside: flag("also ask the same model for one plain answer, and show both with their costs"),
  ...runOptions,
  jury: rare(text("<file>", "let learnt weights decide: a file that `parley study jury --out` wrote")),
  ...promiseOptions,
};
type AskOptions = Given<typeof options>;

export function command(io: Io): Command {
  return defineCommand({
    name: "ask",
    arguments: { "<question>": "the question or topic" },
    options,
    async action({ protocol, panel, ...asked }, words: string) {
      requireQuestion(io, words, question.name);
      const set = [...(protocol === undefined ? [] : [`protocol=${protocol}`]), ...asked.set];
      const config = loadUserConfig(io, asked);
      const given = panel === undefined ? { ...asked, set } : castPanel(io, config, panel, { ...asked, set });
      const input = {
        question: words,
        docs: given.docs.length > 0 ? await (await import("./documents.ts")).readDocuments(io, given.docs) : [],
        ...(given.choice.length > 0 ? { choices: given.choice } : {}),
        ...(given.number ? { answer_type: "number" } : {}),
      };
      if (given.jury !== undefined) given.set.push(`jury=${await castJury(io, config, given.jury, given)}`);
      await runCase(io, given, question, input);
    },
  });
}

type Asked = Pick<AskOptions, "cast" | "set">;

function listRoles(config: UserConfig, set: readonly string[]): string[] {
  const settings = withSettings(pickPackSection(config, question.name), set);
  return question.roles(checkValue(question.config, settings, "config", "bad_config")).map(({ name }) => name);
}

/** Makes each panel member a speaker, asked in order unless a protocol is set; learnt weights need every vote. */
function castPanel<O extends Asked & { jury?: string }>(io: Io, config: UserConfig, panel: string, given: O): O {
  const players = readPlayers(panel, pickCastOptions(io, config));
  if (players.length < 2) throw new ParleyError("bad_input", "--panel: a panel has at least two members");
  const names = players.map(playerNameOf);
  if (new Set(names).size < names.length) throw new ParleyError("bad_input", "--panel: a member is listed twice");
  const keys = nameMembers(players.map((player) => ("model" in player ? player.model : player.kind)));
  const personas = Object.fromEntries(
    keys.map((key, at) => [key, { name: names[at], role: "a member of the panel", goal: "answer the question" }]),
  );
  const isChosen = "protocol" in withSettings(pickPackSection(config, question.name), given.set);
  const set = [
    `personas=${JSON.stringify(personas)}`,
    `order=${JSON.stringify(keys)}`,
    ...(isChosen ? [] : [`protocol=${given.jury === undefined ? "in_order" : "vote"}`]),
    ...given.set,
  ];
  const hasOthers = listRoles(config, set).some((role) => !keys.includes(role));
  const others = hasOthers ? [given.cast ?? config.cast ?? "expert"] : [];
  return { ...given, cast: [...others, ...keys.map((key, at) => `${key}=${names[at]}`)].join(","), set };
}

function nameMembers(models: readonly string[]): string[] {
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

async function castJury(io: Io, config: UserConfig, file: string, given: Asked): Promise<string> {
  const { readJury } = await import("../runs/certificate.ts");
  const { weights, none } = readJury(resolve(io.cwd, file));
  const names = listRoles(config, given.set);
  const plan = parseCast(narrowCast(given.cast ?? config.cast ?? "expert", names), names).roles;
  const known = names.flatMap((name): [string, number][] => {
    const player = plan[name];
    const weight = weights[name] ?? weights[player && "model" in player ? player.model : ""];
    return weight === undefined ? [] : [[name, weight]];
  });
  if (known.length === 0)
    throw new ParleyError(
      "bad_input",
      `the jury ${file} knows none of the speakers (${names.join(", ")}) or their players; its members are ${Object.keys(weights).join(", ")}`,
    );
  return JSON.stringify({ weights: Object.fromEntries(known), none });
}
