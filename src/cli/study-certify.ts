import { Command } from "commander";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { loadPack } from "../packs/registry.ts";
import { renderTerminal } from "../print/terminal/render-terminal.ts";
import { type Certificate, readJury } from "../runs/certificate.ts";
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
import { suggestName } from "../text/similar.ts";
import type { Io } from "./io.ts";
import { type RunOptions, parseConcurrency, parseShare, rareOption, withRunOptions } from "./options.ts";
import { makeRequest, makeRunSetting } from "./settings.ts";
import { withNewStore } from "./stores.ts";
import { hasVotes, locateRows, readLabels } from "./study-panel.ts";

type Options = RunOptions & {
  maxWrong: number;
  certainty: number;
  arm?: string;
  of?: string;
  concurrency: number;
  panel?: string;
  jury?: string;
};

const examples = `
Examples:
  parley study certify out/my-study --max-wrong 5%                    from the scored runs of a study
  parley study certify labelled.jsonl --of law --max-wrong 0.1        decides the labelled cases first
  parley study certify mmlu-pro --panel a,b,c --max-wrong 10%         from recorded votes of a panel
  parley law "…" --certificate law.certificate.json             then: acts only where the promise holds
  parley redecide . --certificate law.certificate.json          what it would have done with recorded runs

Rows of a labelled file are {id, input, gold}, as \`parley review export\` writes them.
Exit codes: 0 there is a threshold that keeps the promise, 3 there is none.`;

/** `parley study certify STUDY|LABELLED` */
export function createCertifyCommand(io: Io): Command {
  return withRunOptions(
    new Command("certify").description(
      "Finds, from labelled cases, the confidence above which decisions are safe to act on, and writes a certificate.",
    ),
  )
    .argument("<labelled>", "the folder of a study that has run, or a file of labelled cases")
    .requiredOption(
      "--max-wrong <share>",
      "of the decisions acted on, how many may be wrong, e.g. 5% or 0.05",
      parseShare,
    )
    .addOption(
      rareOption("--certainty <share>", "confidence level of that promise").argParser(parseShare).default(0.95),
    )
    .option("--arm <name>", "the arm of the study (default: the one that all are compared with)")
    .option("--of <pack>", "for a file: the pack that decides its cases")
    .option("--panel <names>", "for rows of votes or judgments: only these members or seats")
    .option("--jury <file>", "for rows of votes or judgments: decide by this jury, learnt on other cases")
    .addOption(rareOption("--concurrency <number>", "cases at once").argParser(parseConcurrency).default(4))
    .addHelpText("after", examples)
    .action(async (target: string, options: Options) => {
      const path = locateRows(io, target);
      if (!existsSync(path))
        throw new ParleyError("bad_input", `${target} does not exist; name a study's folder or a file`);
      const isStudy = existsSync(join(path, "manifest.json"));
      const certificate = isStudy
        ? certifyStudy(path, target, options)
        : hasVotes(path)
          ? certifyVotes(io, path, target, options)
          : await certifyFile(io, path, target, options);
      const file = options.out ?? `${certificate.pack}.certificate.json`;
      replaceFile(resolve(io.cwd, file), `${JSON.stringify(certificate, null, 2)}\n`);
      if (options.json) io.out(`${JSON.stringify(certificate)}\n`);
      else io.painted(renderTerminal(buildCertificateSections(certificate), io));
      io.err(`wrote ${file}\n`);
      if (certificate.act_above === null) io.exit.code = 3;
    });
}

function certifyStudy(path: string, source: string, { arm: name, maxWrong, certainty }: Options): Certificate {
  const { manifest, scorecards } = readStudyFolder(path);
  const names = manifest.arms.map((one) => one.name);
  const arm = manifest.arms.find((one) => (name === undefined ? one.kind === "reference" : one.name === name));
  if (!arm)
    throw new ParleyError(
      "bad_input",
      `the study has no arm "${name ?? "reference"}"${suggestName(name ?? "", names)}`,
    );
  const cases = labelStudy(scorecards, arm.name);
  if (cases.length === 0)
    throw new ParleyError("bad_input", `${source}: no run of the arm ${arm.name} was scored against gold`);
  const { pack } = manifest;
  const at = new Date().toISOString();
  return makeCertificate({ pack, source, cases, maxWrong, certainty, cast: arm.cast, config: arm.settings, at });
}

/** From the votes of a panel: by learnt weights where they keep the promise, by agreement where only that does. */
function certifyVotes(io: Io, path: string, source: string, options: Options): Certificate {
  const { maxWrong } = options;
  // The better of two ways is taken, so each has to be twice as certain.
  const certainty = 1 - (1 - options.certainty) / 2;
  const labels = readLabels(path, options.panel);
  const jury = options.jury === undefined ? undefined : readJury(resolve(io.cwd, options.jury));
  if (jury && resolve(io.cwd, jury.learnt_on.source) === resolve(io.cwd, source))
    throw new ParleyError(
      "bad_input",
      `--jury ${options.jury}: it was learnt from ${source}, so what it knows of these cases shows nothing; certify it on others, or leave --jury out (one half then teaches, the other certifies)`,
    );
  const found = certifyPanel(labels, maxWrong, { certainty, ...(jury ? { jury } : {}) });
  for (const { way, chosen, cases } of found)
    io.err(
      chosen.threshold === null
        ? `By ${way} no certificate can be given.\n`
        : `By ${way}: ${chosen.acted} of ${cases.length} cases, ${chosen.wrong} of them wrong.\n`,
    );
  const share = ({ chosen, cases }: (typeof found)[number]): number => chosen.acted / Math.max(1, cases.length);
  const best = found.reduce((one, other) => (share(other) > share(one) ? other : one));
  const at = new Date().toISOString();
  if (best.jury && !jury && best.chosen.threshold !== null) {
    const file = "question.jury.json";
    const made = makeJury(labels, best.jury, source, at);
    replaceFile(resolve(io.cwd, file), `${JSON.stringify(made, null, 2)}\n`);
    io.err(`wrote ${file}: the certificate holds for decisions by this jury\n`);
  }
  const config = { decided_by: best.way, panel: labels.seats, jury: options.jury ?? null };
  return makeCertificate({ pack: "question", source, cases: best.cases, maxWrong, certainty, cast: null, config, at });
}

async function certifyFile(io: Io, path: string, source: string, options: Options): Promise<Certificate> {
  if (options.of === undefined) throw new ParleyError("bad_input", "a file of labelled cases needs --of PACK");
  const pack = await loadPack(options.of);
  const { cases } = await loadDataset(DatasetSchema.parse({ path }), pack, io.cwd);
  let found: Certificate | null = null;
  await withNewStore(io, options, async (store, config) => {
    const request = makeRequest(io, { ...options, maxWrong: undefined }, config, pack);
    const setting = makeRunSetting(io, store, config);
    let done = 0;
    const labelled = await labelCases(setting, pack, cases, {
      request,
      concurrency: options.concurrency,
      onDone: () => void (io.live && io.draw(`${(done += 1)} of ${cases.length} cases`)),
    });
    if (io.live) io.draw("");
    const { maxWrong, certainty } = options;
    const at = new Date().toISOString();
    found = makeCertificate({
      pack: pack.name,
      source,
      cases: labelled,
      maxWrong,
      certainty,
      cast: request.cast,
      config: request.config,
      at,
    });
  });
  if (found === null) throw new ParleyError("bad_input", `${source}: nothing was decided`);
  return found;
}
