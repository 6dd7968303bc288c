import type { Command } from "commander";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { loadPack } from "../packs/registry.ts";
import { readJury } from "../runs/certificate.ts";
import { replaceFile } from "../store/replace-file.ts";
import {
  buildCertificateSections,
  certifyPanel,
  DatasetSchema,
  labelCases,
  labelStudy,
  loadDataset,
  makeCertificate,
  makeJury,
  readStudyFolder,
} from "../studies/index.ts";
import { defineCommand, type Given, parsed, rare, required, text, withDefault } from "./command.ts";
import type { Io } from "./io.ts";
import { parseConcurrency, parseShare, runOptions } from "./options.ts";
import { makeRequest } from "./settings.ts";
import { withRuns } from "./stores.ts";
import { hasVotes, locateRows, readLabels } from "./study-panel.ts";

const { dryRun: _, out: __, ...debateOptions } = runOptions;

const options = {
  maxWrong: required(parsed("<share>", "the largest share of wrong decisions to accept, e.g. 5% or 0.05", parseShare)),
  pack: text("<name>", "for a file: the pack that decides its cases"),
  panel: text("<names>", "for rows of votes or judgments: only these members"),
  jury: text("<file>", "for rows of votes or judgments: decide by this jury, learnt on other cases"),
  ...debateOptions,
  concurrency: rare(withDefault(parsed("<number>", "cases at once", parseConcurrency), 4)),
};
type Options = Given<typeof options>;

/** The probability that the promise holds, over the random draw of labelled cases. */
const certainty = 0.95;

export function createCertifyCommand(io: Io): Command {
  return defineCommand({
    name: "certify",
    arguments: { "<labelled>": "the folder of a study that has run, or a file of labelled cases" },
    options,
    async action(given, target: string) {
      const path = locateRows(io, target);
      const basis = existsSync(join(path, "manifest.json"))
        ? readStudyCases(path, target)
        : hasVotes(path)
          ? chooseByVotes(io, path, target, given)
          : await decideFile(io, path, given);
      const at = new Date().toISOString();
      const certificate = makeCertificate({ certainty, ...basis, source: target, maxWrong: given.maxWrong, at });
      const file = `${certificate.pack}.certificate.json`;
      replaceFile(resolve(io.cwd, file), `${JSON.stringify(certificate, null, 2)}\n`);
      if (given.json) io.jsonLines([certificate]);
      else io.show(buildCertificateSections(certificate));
      io.err(`wrote ${file}\n`);
      if (certificate.act_above === null) io.exit.code = 3;
    },
  });
}

type Basis = Omit<Parameters<typeof makeCertificate>[0], "source" | "maxWrong" | "at" | "certainty"> & {
  certainty?: number;
};

function readStudyCases(path: string, source: string): Basis {
  const { manifest, scorecards } = readStudyFolder(path);
  const arm = manifest.arms.find(({ kind }) => kind === "reference");
  const cases = arm ? labelStudy(scorecards, arm.name) : [];
  if (!arm || cases.length === 0)
    throw new ParleyError("bad_input", `${source}: no run of the arm ${arm?.name} was scored against gold`);
  return { pack: manifest.pack, cases, cast: arm.cast, config: arm.settings };
}

/** From a panel's votes: by learnt weights if they keep the promise, else by agreement. */
function chooseByVotes(io: Io, path: string, source: string, given: Options): Basis {
  const labels = readLabels(path, given.panel);
  const jury = given.jury === undefined ? undefined : readJury(resolve(io.cwd, given.jury));
  if (jury && resolve(io.cwd, jury.learnt_on.source) === resolve(io.cwd, source))
    throw new ParleyError(
      "bad_input",
      `--jury ${given.jury}: it was learnt from ${source}, so its results on these cases prove nothing; certify it on others, or leave --jury out (half of the cases then train a jury and the other half certify it)`,
    );
  // The better of two methods is taken, so each has to be twice as certain.
  const each = 1 - (1 - certainty) / 2;
  const found = certifyPanel(labels, given.maxWrong, { certainty: each, ...(jury ? { jury } : {}) });
  for (const { way, chosen, cases } of found)
    io.err(
      chosen.threshold === null
        ? `By ${way} no certificate can be given.\n`
        : `By ${way}: ${chosen.acted} of ${cases.length} cases, ${chosen.wrong} of them wrong.\n`,
    );
  const share = ({ chosen, cases }: (typeof found)[number]): number => chosen.acted / Math.max(1, cases.length);
  const best = found.reduce((one, other) => (share(other) > share(one) ? other : one));
  if (best.jury && !jury && best.chosen.threshold !== null) {
    const file = "question.jury.json";
    const made = makeJury(labels, best.jury, source, new Date().toISOString());
    replaceFile(resolve(io.cwd, file), `${JSON.stringify(made, null, 2)}\n`);
    io.err(`wrote ${file}: the certificate holds for decisions by this jury\n`);
  }
  const config = { decided_by: best.way, panel: labels.members, jury: given.jury ?? null };
  return { pack: "question", cases: best.cases, certainty: each, cast: null, config };
}

async function decideFile(io: Io, path: string, given: Options): Promise<Basis> {
  if (given.pack === undefined) throw new ParleyError("bad_input", "a file of labelled cases needs --pack NAME");
  const pack = await loadPack(given.pack);
  const { cases } = await loadDataset(DatasetSchema.parse({ path }), pack, io.cwd);
  return withRuns(io, given, async ({ config: user, setting, progress }) => {
    const request = makeRequest(io, { ...given, maxWrong: undefined }, user, pack);
    let done = 0;
    const labelled = await labelCases(setting, pack, cases, {
      request,
      concurrency: given.concurrency,
      onDone: () => progress.line(`${(done += 1)} of ${cases.length} cases`),
    });
    return { pack: pack.name, cases: labelled, cast: request.cast, config: request.config };
  });
}
