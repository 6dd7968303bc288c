import type { FinalOutput } from "../schemas/final-output.ts";

/** Where an output lost an aspect that was given other words: one aspect is one aspect through all stages (sentiment spec §5 and §9). */
export function findIdentityProblems(output: FinalOutput): string[] {
  return [...findNameProblems(output), ...findLostFlips(output), ...findLostOverrides(output)];
}

/** In an adopted result an aspect stands under the words it was last given, and not under its earlier ones too. */
function findNameProblems({ meta, correction_applied_log: log, final_result }: FinalOutput): string[] {
  if (meta.adopt_decision !== "adopted") return [];
  const rated = final_result.final_tuples.map((tuple) => tuple.aspect_ref);
  const stands = new Set([...rated, ...final_result.mentions]);
  return listRenames(log).flatMap(({ from, to }) => {
    const earlier = from.filter((name) => name !== to && stands.has(name));
    if (earlier.length > 0) return [`"${earlier.join('", "')}" stands although its span was revised to "${to}"`];
    return stands.has(to) ? [] : [`the span revised to "${to}" is logged as applied and is not in the result`];
  });
}

/** The applied changes of spans that nothing took back, a chain of changes as one. */
function listRenames(log: FinalOutput["correction_applied_log"]): { from: string[]; to: string }[] {
  return chainRenames(log).filter(({ from, to }) => !isGone(log, [...from, to]));
}

function chainRenames(log: FinalOutput["correction_applied_log"]): { from: string[]; to: string }[] {
  const renames: { from: string[]; to: string }[] = [];
  for (const { applied, target_aspect, resulting_term } of log) {
    if (!applied || resulting_term === null) continue;
    const known = renames.find(({ from, to }) => to === target_aspect || from.includes(target_aspect));
    if (!known) renames.push({ from: [target_aspect], to: resulting_term });
    else Object.assign(known, { from: [...known.from, known.to], to: resulting_term });
  }
  return renames;
}

/** Every name that this aspect had. */
function listNames(log: FinalOutput["correction_applied_log"], aspect: string): string[] {
  const known = chainRenames(log).find(({ from, to }) => to === aspect || from.includes(aspect));
  return known ? [...known.from, known.to] : [aspect];
}

/** True when the aspect was dropped, or its change taken back. */
function isGone(log: FinalOutput["correction_applied_log"], names: readonly string[]): boolean {
  return log.some(
    (one) =>
      names.includes(one.target_aspect) &&
      ((one.applied && one.proposal_type.startsWith("DROP")) ||
        (one.resulting_term !== null && one.reason === "reverted_unsupported")),
  );
}

/** A polarity that could not be changed for want of a sentiment, although Stage 1 has one and nobody dropped it. */
function findLostFlips({ correction_applied_log: log, final_result }: FinalOutput): string[] {
  return log
    .filter((one) => one.reason === "no_sentiment" && !isGone(log, listNames(log, one.target_aspect)))
    .filter((one) =>
      final_result.stage1_tuples.some((tuple) => listNames(log, one.target_aspect).includes(tuple.aspect_ref)),
    )
    .map((one) => `${one.proposal_type} found no sentiment of "${one.target_aspect}", which Stage 1 has`);
}

/** An override that adds what Stage 1 has already. */
function findLostOverrides({ override_gate, correction_applied_log: log, final_result }: FinalOutput): string[] {
  return override_gate
    .filter((one) => one.override_action === "debate_override_add" && !isGone(log, listNames(log, one.aspect)))
    .filter((one) => final_result.stage1_tuples.some((tuple) => tuple.aspect_ref === one.aspect))
    .map((one) => `the override adds "${one.aspect}", which Stage 1 has`);
}
