/** Open doubts after a debate, and reasons to leave a case undecided. */
import type { DebateOutput, PatchDebate, Tuple } from "../schemas/debate.ts";
import type { CaseTurns } from "../schemas/inputs.ts";
import type { FinalOutput } from "../schemas/output.ts";
import type { Polarity } from "../schemas/stage1.ts";
import { matchStage1 } from "./matcher.ts";
import { findQuote, listPlaces, listQuoted, overlaps } from "./text.ts";
import { findLastWord, isEvaluative, keepStated } from "./tuples.ts";

function askWitness({ material }: Pick<CaseTurns, "material">, aspect: string): Polarity | null {
  const places = listPlaces(material.text, aspect);
  const said = material.witness.aspects.filter((one) => places.some((place) => overlaps(place, one)));
  const polarities = new Set(said.map((one) => one.polarity));
  return polarities.size === 1 ? ([...polarities][0] ?? null) : null;
}

export function listOpenDoubts(turns: CaseTurns, final_tuples: readonly Tuple[]): string[] {
  const { material, debate, stage1 } = turns;
  const final = new Map(final_tuples.map((tuple) => [tuple.aspect_ref, tuple.polarity]));
  const patch = debate?.style === "patch" ? debate : null;
  const name = (aspect: string) => (aspect === "" ? "the text as a whole" : `"${aspect}"`);
  const unquoted = debate === null ? [] : [...final.keys()].filter((aspect) => isUnquoted(turns, debate, aspect));
  const overruled = patch === null ? [] : listAgreed(patch, [...final.keys()]);
  const reader = `An offline reading (${material.witness.reader})`;
  const disputed = [...new Set(stage1.aspects.map((aspect) => aspect.term))].flatMap((term): string[] => {
    const read = askWitness(turns, term);
    const own = final.get(term) ?? "neutral";
    return read === null || read === "neutral" || read === own ? [] : [`${reader} calls "${term}" ${read}.`];
  });
  /** An aspect within another is the same thing by two names. */
  const torn = [...final.keys()].filter((aspect) =>
    final_tuples.some((one) => one.polarity !== final.get(aspect) && isWithin(material.text, aspect, one.aspect_ref)),
  );
  const isMissed = final.size === 0 && disputed.length === 0 && material.witness.opinions.length > 0;
  return [
    ...(material.is_foreign ? ["The text is neither Korean nor English, and was read as English."] : []),
    ...(patch?.summary?.unresolved_conflicts ?? []).map((conflict) => `The judge leaves open: ${conflict}`),
    ...torn.map((aspect) => `More than one polarity stands for ${name(aspect)}.`),
    ...unquoted.map((aspect) => `No speaker quoted the text for ${name(aspect)}.`),
    ...overruled
      .filter(({ aspect, polarity }) => final.get(aspect) !== polarity)
      .map(
        ({ aspect, polarity }) => `All speakers call ${name(aspect)} ${polarity}; it stands as ${final.get(aspect)}.`,
      ),
    ...disputed,
    ...(isMissed ? [`${reader} finds an opinion in the text, but nothing was rated.`] : []),
    ...(material.refused_episodes > 0
      ? [`${material.refused_episodes} episodes of memory contain words of this text and were left out.`]
      : []),
  ];
}

function isWithin(text: string, aspect: string, other: string): boolean {
  if (aspect === other) return true;
  const places = listPlaces(text, other);
  return listPlaces(text, aspect).some((one) => places.some((place) => overlaps(one, place)));
}

function isUnquoted({ material, stage1 }: CaseTurns, { style, rounds }: DebateOutput, aspect: string): boolean {
  if (style === "patch") {
    const words = listLastWords(rounds, aspect);
    return words.length > 0 && words.every(({ edit }) => edit.evidence === null);
  }
  const matcher = matchStage1(material, stage1);
  const about = rounds
    .flatMap(({ turns }) => turns)
    .filter(({ message, key_points }) => matcher.named([message, ...key_points].join("\n")).includes(aspect));
  const points = about.flatMap(({ key_points }) => key_points.flatMap((point) => [point, ...listQuoted(point)]));
  return about.length > 0 && !points.some((point) => point.trim() !== "" && findQuote(material.text, point) !== null);
}

function listLastWords(rounds: PatchDebate["rounds"], aspect: string) {
  const turns = rounds.flatMap((round) => round.turns);
  const speakers = new Set(turns.map((turn) => turn.speaker));
  return [...speakers].flatMap((speaker) => findLastWord(turns, speaker, aspect) ?? []);
}

function listAgreed({ rounds }: PatchDebate, aspects: readonly string[]): { aspect: string; polarity: Polarity }[] {
  return aspects.flatMap((aspect) => {
    const words = listLastWords(rounds, aspect).flatMap(({ vote }) => vote.polarity ?? []);
    const [polarity] = words;
    return polarity && words.length >= 2 && new Set(words).size === 1 ? [{ aspect, polarity }] : [];
  });
}

/** Why the case is undecided although everybody answered; empty if it is decided. */
export function findUnsettled(turns: CaseTurns, output: FinalOutput): string[] {
  const { stage1, strikes, material } = turns;
  const stage1Strikes = strikes.filter(({ speaker }) => speaker === "ate" || speaker === "atsa");
  const lost = stage1Strikes.some(({ code }) => code === "aspect_not_substring" || code === "sentiment_without_aspect");
  const reasons: string[] = [];
  if (lost && stage1.aspect_sentiments.length === 0) reasons.push("all that Stage 1 found was struck");
  const { final_result } = output;
  const evaluated = keepStated(stage1.aspect_sentiments).filter((one) => isEvaluative(material, one));
  if (evaluated.length > 0 && final_result.final_tuples.length === 0) reasons.push("every aspect was dropped");
  return [...reasons, ...findUnsettledJudge(turns, final_result.final_tuples)];
}

/**
 * A judge that settles nothing, or contradicts all speakers on everything, has not judged the debate; nor has one
 * whose word alone upholds something that all speakers deny.
 */
function findUnsettledJudge({ material, stage1, debate }: CaseTurns, final: readonly Tuple[]): string[] {
  if (debate?.style !== "patch" || debate.summary === null) return [];
  const { unresolved_conflicts, final_tuples } = debate.summary;
  const matcher = matchStage1(material, stage1);
  const rated = [...new Set(keepStated(stage1.aspect_sentiments).map((one) => one.aspect_ref))];
  const open = new Set(unresolved_conflicts.flatMap((conflict) => matcher.named(conflict)));
  const isOpen =
    unresolved_conflicts.length > 0 && (final_tuples.length === 0 || rated.every((aspect) => open.has(aspect)));
  if (isOpen && rated.length > 0) return ["the judge could not settle any aspect"];
  const agreed = listAgreed(debate, rated);
  const said = new Map(final_tuples.map((tuple) => [tuple.aspect_ref, tuple.polarity]));
  const against = agreed.filter(({ aspect, polarity }) => said.has(aspect) && said.get(aspect) !== polarity);
  if (against.length > 0 && against.length === agreed.length) return ["the judge contradicts all speakers"];
  const stands = agreed.filter(
    ({ aspect, polarity }) =>
      said.get(aspect) !== polarity && final.some((one) => one.aspect_ref === aspect && one.polarity !== polarity),
  );
  return stands.map(({ aspect }) => `all speakers and the judge contradict each other on "${aspect}"`);
}
