import { escapePattern } from "../../../text/format.ts";
import type { Problem } from "../../../contract/turn.ts";
import {
  type Hypothesis,
  idPrefixes,
  leastHypotheses,
  mostHypotheses,
  type ReasonerName,
  type SalvagedReply,
  type StatedHypothesis,
} from "../schemas/hypothesis.ts";
import type { Material } from "../schemas/material.ts";
import { compareWording, coverWords } from "./compare-wording.ts";
import { checkEvidence, findLine, keyRef, type Reader } from "./evidence.ts";
import { shareComponent } from "./stop.ts";

/** For checking a reply: the material, the speaker's last hypotheses, and those of others that it saw. */
export type Before = {
  reasoner: ReasonerName;
  round: number;
  material: Material;
  own: readonly Hypothesis[];
  others: readonly Hypothesis[];
};

/** Checks that a reply is grounded and complete (root-cause spec §4.2). */
export function checkHypotheses(reply: SalvagedReply, before: Before): Problem[] {
  return [
    ...checkNumber(reply, before),
    ...reply.hypotheses.flatMap((one, index) => checkOne(one, index, reply, before)),
  ];
}

function checkNumber({ hypotheses, fewer_reason }: SalvagedReply, { round }: Before): Problem[] {
  const count = hypotheses.length;
  if (count === 0) return [reject("no_hypothesis", "give at least one hypothesis", ["hypotheses"])];
  if (count > mostHypotheses)
    return [salvage("too_many", `${count} hypotheses; give at most ${mostHypotheses}`, ["hypotheses"])];
  if (round > 1 || count >= leastHypotheses || fewer_reason?.trim()) return [];
  return [
    reject("too_few", `${count} hypotheses; give ${leastHypotheses} to ${mostHypotheses}, or say why there are fewer`, [
      "fewer_reason",
    ]),
  ];
}

function checkOne(one: StatedHypothesis, index: number, { hypotheses }: SalvagedReply, before: Before): Problem[] {
  const at = (...rest: (string | number)[]) => ["hypotheses", index, ...rest];
  const { id, from, evidence, affected_components, causal_path, suggested_resolution } = one;
  const prefix = idPrefixes[before.reasoner];
  const problems: Problem[] = [];
  if (hypotheses.findIndex((other) => other.id === id) !== index)
    problems.push(salvage("wrong_id", `the id "${id}" is used twice`, at("id")));
  else if (!new RegExp(`^${prefix}_\\d{1,6}$`).test(id))
    problems.push(salvage("wrong_id", `"${id}" must be ${prefix}_ and a number`, at("id")));
  if (hypotheses.slice(0, index).some((other) => isSame(other, one)))
    problems.push(salvage("duplicate", "the same hypothesis was given already", at()));
  const earlier = before.own.find((own) => own.id === id);
  if (earlier && isOtherCause(earlier, one))
    problems.push(salvage("other_cause", `${id} was another cause before; a new cause gets a new id`, at("id")));
  const known = new Set([...before.own, ...before.others].map((shown) => shown.id));
  for (const [place, parent] of (from ?? []).entries())
    if (!known.has(parent))
      problems.push(salvage("unknown_parent", `no hypothesis "${parent}" was shown`, at("from", place)));
  const copied = before.others.find((other) => isSame(other, one));
  if (copied && !from?.includes(copied.id))
    problems.push(salvage("copied", `this is ${copied.id}; name it in from`, at("from")));
  const reader: Reader = {
    reasoner: before.reasoner,
    quoted: [...before.own, ...before.others].flatMap((shown) => shown.evidence),
  };
  const cited = new Set<string>();
  for (const [place, item] of evidence.entries()) {
    const wrong = checkEvidence(item, before.material, reader);
    const key = `${item.kind} ${keyRef(item.ref)}`;
    if (wrong) problems.push(salvage(wrong.code, wrong.message, at("evidence", place)));
    else if (cited.has(key))
      problems.push(salvage("cited_twice", `${item.ref} is cited again and counts once`, at("evidence", place)));
    else cited.add(key);
  }
  for (const [place, name] of affected_components.entries())
    if (!isNamed(name, before.material))
      problems.push(
        salvage("unknown_component", `"${name}" is not named in what was shown`, at("affected_components", place)),
      );
  if (contradictsTime(causal_path, one, before.material))
    problems.push(salvage("against_time", "the causal path goes against the times of its lines", at("causal_path")));
  if (markSteps(suggested_resolution, before.material).join("\n") !== suggested_resolution.join("\n"))
    problems.push(
      salvage("unchecked_step", "a step can do harm; it is marked and put last", at("suggested_resolution")),
    );
  return problems;
}

function reject(code: string, message: string, path: (string | number)[]): Problem {
  return { code, message, severity: "reject", path };
}

function salvage(code: string, message: string, path: (string | number)[]): Problem {
  return { code, message, severity: "salvage", path };
}

type Claim = Pick<Hypothesis, "hypothesis" | "category" | "affected_components">;

/** True for nearly identical wording; the same chain told from another end blames something else. */
export function isSame(a: Claim, b: Claim): boolean {
  const [own, other] = [a.hypothesis, b.hypothesis].map((claim) => claim.split(";")[0] ?? "") as [string, string];
  return (
    a.category === b.category && compareWording(a.hypothesis, b.hypothesis) >= 0.9 && compareWording(own, other) >= 0.5
  );
}

function isOtherCause(before: Claim, now: Claim): boolean {
  if (
    before.category === now.category &&
    (before.category === "none" || compareWording(before.hypothesis, now.hypothesis) >= 0.3)
  )
    return false;
  const sharesPlace = shareComponent(before as Hypothesis, now as Hypothesis);
  return !(sharesPlace && compareWording(before.hypothesis, now.hypothesis) >= 0.3);
}

function isNamed(name: string, material: Material): boolean {
  const wanted = name.toLowerCase().trim();
  const names = [
    ...material.entities.map((one) => one.name),
    ...material.calls.flatMap(({ caller, callee }) => [caller, callee]),
    ...material.lines.map((line) => line.component ?? ""),
    ...material.errors.map((error) => error.component ?? ""),
    ...material.witness.suspects.map(({ place }) => place ?? ""),
  ];
  if (names.some((one) => one.toLowerCase() === wanted || one.toLowerCase().endsWith(`.${wanted}`))) return true;
  const texts = [
    ...material.lines.map(({ text }) => text),
    ...material.errors.map(({ message }) => message),
    ...(material.history?.similar_incidents ?? []).map(
      ({ cause, matched }) => `${cause} ${matched.entities.join(" ")}`,
    ),
  ];
  if (wanted.length < 2 || wanted.length > longestName) return false;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(wanted)}(?![\\p{L}\\p{N}])`, "iu");
  return texts.some((text) => pattern.test(text));
}

const longestName = 300;

function contradictsTime(
  path: readonly string[],
  { evidence }: Pick<Hypothesis, "evidence">,
  material: Material,
): boolean {
  const cited = evidence.filter(({ kind }) => kind === "log").flatMap(({ ref }) => findLine(material, ref) ?? []);
  const times = path.map((step) => {
    const best = cited
      .map((line) => ({ line, share: coverWords(step, line.text) }))
      .toSorted((a, b) => b.share - a.share)[0];
    return best && best.share >= 0.6 ? best.line.at : null;
  });
  const known = times.flatMap((at) => at ?? []);
  return known.some((at, index) => index > 0 && at < (known[index - 1] ?? at) - 500);
}

/** A sentence begins with a capital; options, redirections, pipes and words in capitals are a shell's or a database's. */
const command = /^\s*(?!\p{Lu}(?:\p{Ll}|\s))\S|\s--?[a-z]|(?<!-)[|<>]\s*\S|\b[A-Z]{3,} [A-Z]{3,}\b|`[^`]*[\s/][^`]*`/u;
const marked = "Check before you do this, and have a backup: ";

/** True for a step that can be run as it stands, or that takes something away (`losing` verbs of the material). */
export function needsCheck(step: string, { losing }: Pick<Material, "losing">): boolean {
  const clauses = step.toLowerCase().split(/[,;:.]\s+(?:then |and )?|\b(?:then|and)\s+/);
  const verbs = clauses.map((clause) => clause.trim().split(/\s+/)[0] ?? "");
  return command.test(step) || verbs.some((verb) => losing.some((stem) => verb.startsWith(stem)));
}

const badEvidence = new Set(["not_shown", "quote_not_found", "quote_too_short"]);

/** Strikes, renames and merges exactly what the problems name, and records it with the hypothesis. */
export function salvageHypotheses(reply: SalvagedReply, problems: Problem[], before: Before): SalvagedReply {
  const used = new Set([...reply.hypotheses, ...before.own].map(({ id }) => id));
  const hypotheses = reply.hypotheses.flatMap((one, index) => {
    const own = problems.filter(({ path }) => path?.[0] === "hypotheses" && path[1] === index);
    const has = (code: string) => own.some((problem) => problem.code === code);
    if (has("duplicate")) return [];
    const cut = (codes: ReadonlySet<string>) =>
      new Set(own.filter(({ code }) => codes.has(code)).map(({ path }) => path?.[3]));
    const [struckAt, again, lost, unnamed] = [
      cut(badEvidence),
      cut(new Set(["cited_twice"])),
      cut(new Set(["unknown_parent"])),
      cut(new Set(["unknown_component"])),
    ];
    const copied = has("copied") ? before.others.filter((other) => isSame(other, one)).map(({ id }) => id) : [];
    const parents = [...(one.from ?? []).filter((_, at) => !lost.has(at)), ...copied];
    const struck = one.evidence.filter((_, at) => struckAt.has(at));
    const steps = has("unchecked_step")
      ? markSteps(one.suggested_resolution, before.material)
      : one.suggested_resolution;
    const mended = new Set(own.filter(({ code }) => !badEvidence.has(code)).map(({ message }) => message));
    return [
      {
        ...one,
        id: has("wrong_id") || has("other_cause") ? takeFreeId(used, before.reasoner) : one.id,
        evidence: one.evidence.filter((_, at) => !struckAt.has(at) && !again.has(at)),
        affected_components: one.affected_components.filter((_, at) => !unnamed.has(at)),
        causal_path: has("against_time") ? [] : one.causal_path,
        suggested_resolution: steps,
        from: parents.length > 0 ? parents : null,
        ...(struck.length > 0 && { struck }),
        ...(mended.size > 0 && { mended: [...mended] }),
      },
    ];
  });
  const kept =
    hypotheses.length > mostHypotheses
      ? hypotheses.toSorted((a, b) => b.confidence - a.confidence).slice(0, mostHypotheses)
      : hypotheses;
  return { ...reply, hypotheses: kept };
}

/** Steps to check are marked, come last, and are never the only ones. */
function markSteps(steps: readonly string[], material: Material): string[] {
  const plain = steps.map((step) => (step.startsWith(marked) ? step.slice(marked.length) : step));
  const [safe, unsafe] = [false, true].map((isUnsafe) =>
    plain.filter((step) => needsCheck(step, material) === isUnsafe),
  );
  const first = safe?.length === 0 && steps.length > 0 ? ["Ask a person before any of this is done"] : (safe ?? []);
  return [...first, ...(unsafe ?? []).map((step) => `${marked}${step}`)];
}

function takeFreeId(used: Set<string>, reasoner: ReasonerName): string {
  let number = 1;
  while (used.has(`${idPrefixes[reasoner]}_${number}`)) number += 1;
  const id = `${idPrefixes[reasoner]}_${number}`;
  used.add(id);
  return id;
}
