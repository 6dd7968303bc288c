import { applyJury, type Jury } from "../contract/jury.ts";
import { type LabelledBallot, type Labels, learnJury } from "./panel/jury.ts";
import { splitRows } from "./panel/votes.ts";
import { binomialTail, boundShare } from "./statistics/statistics.ts";
import { ParleyError } from "../contract/error.ts";
import type { AnyPack } from "../engine/pack.ts";
import { type BatchOptions, type CaseRow, runBatch } from "../runs/batch.ts";
import type { RunSetting } from "../runs/start.ts";
import type { StudyCase } from "./datasets/load-dataset.ts";
import type { Scorecard } from "./results/results.ts";
import { type Certificate, percent } from "../runs/certificate.ts";
import { version } from "../runs/read-run.ts";
import type { Section } from "../contract/view.ts";

export type Labelled = { confidence: number | null; right: boolean };

export type Chosen = { threshold: number | null; acted: number; wrong: number; bound: number | null };

/**
 * Chooses the lowest confidence above which at most `maxWrong` of the decisions are wrong, with `certainty` over the draw
 * of the labelled cases. Thresholds are tried from the strictest down by an exact binomial test, until one fails; such a
 * fixed sequence errs no more often than a single test. It starts at the most confident fifth, or where there are enough
 * cases to pass at all; only confidences are used to find that place.
 */
export function chooseThreshold(cases: readonly Labelled[], maxWrong: number, certainty = 0.95): Chosen {
  const sure = cases
    .filter((one): one is { confidence: number; right: boolean } => one.confidence !== null)
    .toSorted((a, b) => b.confidence - a.confidence);
  const least = Math.max(countNeeded(maxWrong, certainty), Math.ceil(sure.length / 5));
  let chosen: Chosen = { threshold: null, acted: 0, wrong: 0, bound: null };
  let wrong = 0;
  for (const [at, { confidence, right }] of sure.entries()) {
    if (!right) wrong += 1;
    const acted = at + 1;
    if (sure[acted]?.confidence === confidence || acted < least) continue;
    if (binomialTail(wrong, acted, maxWrong) > 1 - certainty) break;
    chosen = { threshold: confidence, acted, wrong, bound: boundShare(wrong, acted, certainty) };
  }
  return chosen;
}

export function countNeeded(maxWrong: number, certainty = 0.95): number {
  return Math.ceil(Math.log(1 - certainty) / Math.log(1 - maxWrong));
}

/** Labelled decisions of one arm, using the first seed of each case: several seeds are not several cases. */
export function labelStudy(scorecards: readonly Scorecard[], arm: string): Labelled[] {
  const cards = scorecards.filter((card) => card.arm === arm && card.right !== null);
  const first = [...Map.groupBy(cards, ({ case_id }) => case_id).values()].map((cardsOfCase) =>
    cardsOfCase.reduce((least, card) => (card.seed < least.seed ? card : least)),
  );
  return first.map(({ outcome, confidence, right }) => ({
    confidence: outcome === "decided" ? confidence : null,
    right: right === true,
  }));
}

export async function labelCases(
  setting: RunSetting,
  pack: AnyPack,
  cases: readonly StudyCase[],
  options: Pick<BatchOptions, "request" | "concurrency" | "onDone">,
): Promise<Labelled[]> {
  const { measure } = pack;
  if (!measure?.confidence)
    throw new ParleyError("bad_input", `the ${pack.name} pack states no confidence, so nothing can be certified`);
  const golden = cases.filter(({ gold }) => gold !== null);
  if (golden.length === 0) throw new ParleyError("bad_input", "no case has gold: certificates need labelled cases");
  const labelled: Labelled[] = [];
  for await (const { outcome, decision } of runBatch(setting, { pack, rows: listRows(golden), ...options })) {
    const one = golden[labelled.length];
    if (outcome === "error" || decision === null || !one) labelled.push({ confidence: null, right: false });
    else
      labelled.push({
        confidence: outcome === "decided" ? (measure.confidence(decision) ?? null) : null,
        right: (measure.score(decision, one.gold)[measure.primary] ?? 0) >= 1 - 1e-9,
      });
  }
  return labelled;
}

async function* listRows(cases: readonly StudyCase[]): AsyncGenerator<CaseRow> {
  for (const [index, { id, input }] of cases.entries()) yield { id, input, problem: null, line: index + 1 };
}

export type CertifyRequest = Omit<Certificate["made_with"], "parley"> & {
  pack: string;
  source: string;
  cases: readonly Labelled[];
  maxWrong: number;
  certainty: number;
  at: string;
};

/** Makes a certificate; its threshold is missing when none keeps the promise. */
export function makeCertificate({
  pack,
  source,
  cases,
  maxWrong,
  certainty,
  at,
  ...made
}: CertifyRequest): Certificate {
  const { threshold, ...found } = chooseThreshold(cases, maxWrong, certainty);
  return {
    format: "parley-certificate",
    version: 1,
    pack,
    promise: { max_wrong: maxWrong, certainty },
    act_above: threshold,
    found_on: { source, cases: cases.length, ...found },
    made_with: { parley: version, ...made },
    made_at: at,
  };
}

export function buildCertificateSections(certificate: Certificate): Section[] {
  const { promise, act_above, found_on, made_with, pack } = certificate;
  const coverage = found_on.acted / Math.max(1, found_on.cases);
  const bound =
    found_on.bound === null ? "" : `; at most ${percent(found_on.bound)}, with ${percent(promise.certainty)} certainty`;
  const answer =
    act_above === null
      ? `No: no confidence keeps wrong decisions under ${percent(promise.max_wrong)} on these cases`
      : `Yes, where the stated confidence is ${Number(act_above.toFixed(3))} or more: ${percent(coverage)} of the cases`;
  return [
    {
      kind: "verdict",
      title: `May the ${pack} pack act by itself?`,
      answer,
      tone: act_above === null ? "bad" : "good",
      points: listPoints(certificate),
    },
    {
      kind: "facts",
      title: "Based on",
      rows: [
        { label: "labelled cases", value: `${found_on.cases} (${found_on.source})` },
        ...(act_above === null
          ? []
          : [{ label: "acted on", value: `${found_on.acted}, ${found_on.wrong} of them wrong${bound}` }]),
        { label: "decided with", value: `${made_with.cast ?? "unknown cast"}, Parley ${made_with.parley}` },
      ],
    },
  ];
}

function listPoints({ promise: { max_wrong, certainty }, act_above }: Certificate): string[] {
  if (act_above === null)
    return [
      `To promise this it takes at least ${countNeeded(max_wrong, certainty)} decisions without an error among the most confident; more labelled cases, a better cast or a looser promise may do.`,
    ];
  return [
    `Promise: of the decisions acted on at most ${percent(max_wrong)} are wrong, with ${percent(certainty)} certainty over the random choice of labelled cases. Everything else goes to a person.`,
    "It holds for cases drawn like the labelled ones, decided with the same cast and settings. Another model, other settings, other texts shift it: label some of them and certify again.",
  ];
}

export type PanelCertificate = {
  way: "agreement" | "learnt weights";
  cases: Labelled[];
  chosen: Chosen;
  jury: Pick<Jury, "weights" | "none"> | null;
};

/**
 * Looks for a threshold on a panel's votes: on how many agree, and on their learnt weights. Weights are learnt on one
 * half of the cases and the threshold chosen on the other.
 */
export function certifyPanel(
  { ballots, members }: Labels,
  maxWrong: number,
  options: { certainty?: number; jury?: Jury; seed?: number } = {},
): PanelCertificate[] {
  const certainty = options.certainty ?? 0.95;
  const even = Object.fromEntries(members.map((member) => [member, 1]));
  const agreement = ballots.map((one) => labelBallot(one, { weights: even, none: null }, members.length));
  const parts = splitRows(ballots, options.seed ?? 3, 2);
  const isTrain = (i: number): boolean => options.jury === undefined && parts[i] === 0;
  const jury = options.jury ?? learnJury(ballots.filter((_, i) => isTrain(i)));
  const learnt = ballots.filter((_, i) => !isTrain(i)).map((one) => labelBallot(one, jury, null));
  return [
    { way: "agreement", cases: agreement, chosen: chooseThreshold(agreement, maxWrong, certainty), jury: null },
    { way: "learnt weights", cases: learnt, chosen: chooseThreshold(learnt, maxWrong, certainty), jury },
  ];
}

export function labelBallot(
  ballot: LabelledBallot,
  jury: Pick<Jury, "weights" | "none">,
  panel: number | null,
): Labelled {
  const { answer, confidence } = applyJury(jury, ballot, ballot.answers);
  const agreed = ballot.votes.filter((one) => one.answer === answer).length;
  return {
    confidence: answer === null ? null : panel === null ? confidence : agreed / Math.max(1, panel),
    right: answer === ballot.gold,
  };
}
