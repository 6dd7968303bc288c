import type { ReasonerInput } from "../roles/roles.ts";
import { checkEvidence } from "../rules/evidence.ts";
import type { Reviewed } from "../rules/round.ts";
import { agree } from "../rules/stop.ts";
import { type Hypothesis, idPrefixes, type SalvagedReply } from "../schemas/hypothesis.ts";
import { rubric } from "../schemas/judgement.ts";
import { propose, roundConfidence } from "./propose.ts";

type Stated = SalvagedReply["hypotheses"][number];

const hopeless = 25;
const mostKept = 2;

/** Responds to the judge: moves its confidence toward the score, gives up hopeless hypotheses, adopts preferred ones. */
export function refine(input: ReasonerInput): SalvagedReply | null {
  const best = Math.max(...input.own.map(({ evaluation }) => evaluation?.judge_score ?? 0));
  const kept = input.own.filter(({ evaluation }) => (evaluation?.judge_score ?? best) > best - hopeless);
  if (kept.length === 0) return propose(input);
  const refined = kept
    .toSorted((a, b) => (b.evaluation?.judge_score ?? 0) - (a.evaluation?.judge_score ?? 0))
    .slice(0, mostKept)
    .map(answer);
  const [favourite] = input.others.toSorted((a, b) => b.judge_score - a.judge_score);
  const isBetter = favourite !== undefined && favourite.judge_score > best;
  const adopted = isBetter ? takeOver(favourite.hypothesis, refined, input) : null;
  const twin = adopted && refined.find((own) => agree(readBack(own), favourite?.hypothesis ?? readBack(own), 0.5));
  return { hypotheses: [...(adopted ? [adopted] : []), ...refined.filter((own) => own !== twin)], fewer_reason: null };
}

function answer({ hypothesis, evaluation }: Reviewed): Stated {
  const { struck: _struck, mended: _mended, from: _from, changes_made: _changes, ...stated } = hypothesis;
  const share = evaluation ? evaluation.confidence_calibration / rubric.confidence_calibration : 1;
  const moved =
    evaluation && share < 0.8
      ? roundConfidence((hypothesis.confidence + evaluation.judge_score / 100) / 2)
      : hypothesis.confidence;
  const changes =
    moved === hypothesis.confidence
      ? "nothing: the material holds no further answer to the judge"
      : `confidence ${hypothesis.confidence} → ${moved}`;
  return { ...stated, confidence: moved, changes_made: changes, from: null };
}

function takeOver(favourite: Hypothesis, refined: readonly Stated[], input: ReasonerInput): Stated | null {
  const quoted = [...input.own, ...input.others].flatMap(({ hypothesis }) => hypothesis.evidence);
  const citable = favourite.evidence.filter(
    (item) => checkEvidence(item, input.material, { reasoner: input.reasoner, quoted }) === null,
  );
  if (citable.length === 0) return null;
  const { struck: _struck, mended: _mended, ...stated } = favourite;
  const used = new Set([...refined.map(({ id }) => id), ...input.own.map(({ hypothesis }) => hypothesis.id)]);
  let next = 1;
  while (used.has(`${idPrefixes[input.reasoner]}_${next}`)) next += 1;
  return {
    ...stated,
    id: `${idPrefixes[input.reasoner]}_${next}`,
    evidence: citable,
    changes_made: `taken over from ${favourite.id}, which the judge preferred`,
    from: [favourite.id],
  };
}

function readBack({ changes_made: _changes, from: _from, ...stated }: Stated): Hypothesis {
  return stated;
}
