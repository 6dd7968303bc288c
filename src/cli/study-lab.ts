import { Command } from "commander";
import { resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { renderTerminal } from "../print/terminal/render-terminal.ts";
import { replaceFile } from "../store/replace-file.ts";
import { buildLabSections, labArms, makeLabCases, readAxis, runLab, spanGrid, writePage } from "../studies/index.ts";
import { suggestName } from "../text/similar.ts";
import type { Io } from "./io.ts";
import { collect, parseCount, parseInteger } from "./options.ts";

type Options = {
  speakers: string[];
  arms?: string;
  cases: number;
  seed: number;
  out?: string;
  json?: boolean;
};

const about = `
Speakers of known quality answer questions whose right answer is known, so that a protocol can be tried before a model is
paid. Settings of --speakers, each with one value or several (the grid of all is tried):
  accuracy, spread, calibration, correlation, stubbornness, insight, conformity, follow (majority or peer), abstention

Examples:
  parley study lab
  parley study lab --speakers accuracy=0.55,0.7 --speakers conformity=0,0.8
  parley study lab --speakers correlation=0,0.9 --arms single,vote --out lab.html`;

const head = {
  title: "When does a debate pay?",
  from: "lab",
  intro: "Speakers of known quality on questions whose answer is known.",
};

/** `parley study lab` */
export function createLabCommand(io: Io): Command {
  return new Command("lab")
    .description("Tries protocols on speakers of known quality: accuracy against cost for debate, vote and single.")
    .option("--speakers <setting=values>", "what the speakers are like; can be repeated", collect, [])
    .option("--arms <names>", `which of ${labArms.map(({ name }) => name).join(", ")}`)
    .option("--cases <number>", "questions", parseCount, 300)
    .option("--seed <number>", "seed of all random choices", parseInteger, 0)
    .option("--out <file>", "write the report as HTML")
    .option("--json", "print every point as JSON Lines")
    .addHelpText("after", about)
    .action(async (options: Options) => {
      const arms = pickArms(options.arms);
      const kinds = spanGrid(options.speakers.map(readAxis));
      const cases = makeLabCases(options.cases, 4, options.seed);
      const total = arms.length * kinds.length * cases.length;
      let done = 0;
      const points = await runLab(arms, kinds, cases, {
        signal: io.signal,
        onCase() {
          done += 1;
          if (io.live && done % 50 === 0) io.draw(`${done} of ${total} debates`);
        },
      });
      if (io.live) io.draw("");
      const sections = buildLabSections(points);
      if (options.out !== undefined) replaceFile(resolve(io.cwd, options.out), await writePage(head, sections));
      if (options.json)
        for (const point of points)
          io.out(`${JSON.stringify({ ...point, right: undefined, confidences: undefined })}\n`);
      else io.painted(renderTerminal(sections, io));
    });
}

function pickArms(names: string | undefined) {
  if (names === undefined) return labArms;
  const known = labArms.map(({ name }) => name);
  return names.split(",").map((name) => {
    const arm = labArms.find((one) => one.name === name.trim());
    if (!arm)
      throw new ParleyError("bad_input", `--arms: unknown arm "${name.trim()}"${suggestName(name.trim(), known)}`);
    return arm;
  });
}
