import type { Command } from "commander";
import { renderTerminal } from "../print/terminal/render-terminal.ts";
import { replaceFile } from "../store/replace-file.ts";
import { buildLabSections, labArms, makeLabCases, readAxis, runLab, spanGrid, writePage } from "../studies/index.ts";
import { defineCommand, flag, parsed, text, withDefault } from "./command.ts";
import { type Io, resolveOut } from "./io.ts";
import { parseCount, parseInteger } from "./options.ts";
import { createProgress } from "./progress.ts";

const examples = `
Speakers of known quality answer questions whose right answer is known, so that a protocol can be tried before a model is
paid. Settings, each with one value or several (the grid of all is tried):
  accuracy, spread, calibration, correlation, stubbornness, insight, conformity, follow (majority or peer), abstention

Examples:
  parley study lab
  parley study lab accuracy=0.55,0.7 conformity=0,0.8 --out lab.html`;

const head = {
  title: "When does a debate pay?",
  from: "lab",
  intro: "Speakers of known quality on questions whose answer is known.",
};

export function createLabCommand(io: Io): Command {
  return defineCommand({
    name: "lab",
    about:
      "Simulates speakers whose accuracy you set, and compares debate, vote and single answers by accuracy and cost.",
    arguments: { "[settings...]": "settings of the speakers, e.g. accuracy=0.55,0.7" },
    options: {
      limit: withDefault(parsed("<number>", "questions", parseCount), 300),
      seed: withDefault(parsed("<number>", "seed for all random choices", parseInteger), 0),
      out: text("<file>", "write the report as HTML"),
      json: flag("print every point as JSON Lines"),
    },
    examples,
    async action({ limit, seed, out, json }, settings: string[]) {
      const kinds = spanGrid(settings.map(readAxis));
      const cases = makeLabCases(limit, 4, seed);
      const total = labArms.length * kinds.length * cases.length;
      const progress = createProgress(io);
      let done = 0;
      progress.watch(() => `${done} of ${total} debates`);
      const points = await runLab(kinds, cases, { signal: io.signal, onCase: () => void (done += 1) });
      progress.clear();
      const sections = buildLabSections(points);
      if (out !== undefined) replaceFile(resolveOut(io, { out }), await writePage(head, sections));
      if (json) io.jsonLines(points.map((point) => ({ ...point, right: undefined, confidences: undefined })));
      else io.painted(renderTerminal(sections, io));
    },
  });
}
