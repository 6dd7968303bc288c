import type { ParsedLog } from "../../logs/index.ts";
import { findErrors } from "../findings/find-errors.ts";
import type { Finding } from "../clues/finding.ts";
import { type CallGraph, createCallGraph, weighByCalls } from "../clues/call-graph.ts";
import { findBadCalls } from "../findings/find-bad-calls.ts";
import { findUnheardCallees, waiting } from "../findings/find-unheard-callees.ts";
import { findBrokenFlows } from "../findings/find-broken-flow.ts";
import { findSlowHops } from "../findings/find-slow-hops.ts";
import { type NoFault, weighNoFault } from "./weigh-no-fault.ts";
import { createWording } from "../clues/create-wording.ts";
import { isSteady, measureNovelty } from "../clues/measure-novelty.ts";
import { createLinks } from "../clues/create-links.ts";
import { createPlaces } from "../clues/create-places.ts";
import { findChanges } from "../findings/find-changes.ts";
import { findFailingPeers, peerSigns } from "../findings/find-failing-peers.ts";
import { findRates } from "../findings/find-rates.ts";
import { findRetries } from "../findings/find-retries.ts";
import { findSigns } from "../findings/find-signs.ts";
import { findSlowWork } from "../findings/find-slow-work.ts";
import { type Suspect, rankSuspects } from "./rank-suspects.ts";
import { splitStrands, type Strands } from "./split-strands.ts";

/** What a log shows by itself: the findings, which of them are unrelated, the suspects, and how well "no fault" stands. */
export type Analysis = { findings: Finding[]; strands: Strands; suspects: Suspect[]; noFault: NoFault };

/** Keyed by the list of events, which copies of a log share. */
const done = new WeakMap<ParsedLog["events"], Analysis>();

/** Reads a log for signs, unnamed errors, failing peers and slow services; the same log gives the same analysis. */
export function analyse(log: ParsedLog): Analysis {
  const known = done.get(log.events);
  if (known) return known;
  const novelty = measureNovelty(log);
  const places = createPlaces(log);
  const peers = findFailingPeers(log);
  const spoken = [
    ...findSigns(log, novelty, places).filter((finding) => !isPartOf(finding, peers)),
    ...findErrors(log, novelty, places),
    ...peers,
    ...findRetries(log),
    ...findSlowHops(log),
    ...findBrokenFlows(log),
    ...findSlowWork(log),
    ...findBadCalls(log),
  ];
  const endedWell = spoken.some(({ role }) => role === "recovery");
  const silences = findRates(log, places).filter(({ sign }) => !endedWell || sign !== "stopped_work");
  const heard = [...spoken, ...silences.map((finding) => followFrom(finding, spoken))];
  const trouble = followCalls(heard, createCallGraph(log));
  const links = createLinks(log);
  const findings = [...trouble, ...findChanges(log, trouble, { places, links })].map(createWording(log, places));
  const strands = splitStrands(log, findings.filter(isTrouble).map(sight));
  const suspects = rankSuspects(findings, ({ lines }) => strands.of({ lines }), links);
  const analysis = { findings, strands, suspects, noFault: weighNoFault(findings, suspects, isSteady(log)) };
  done.set(log.events, analysis);
  return analysis;
}

function isTrouble({ role }: Finding): boolean {
  return role === "cause" || role === "symptom";
}

function sight({ lines, place, firstMs, strength }: Finding) {
  return { lines, places: place === null ? [] : [place], firstMs, strength };
}

/** What callers report is weighed as a report once it is known whom they call. */
function followCalls(heard: Finding[], graph: CallGraph): Finding[] {
  if (!graph.isKnown) return heard;
  const all = [...heard, ...findUnheardCallees(heard, graph)];
  const placed = all.map(({ place, role, strength, firstMs, sign }) => ({
    places: place === null ? [] : [place],
    role,
    strength,
    firstMs,
    isSilence: silent.has(sign),
  }));
  const strengths = weighByCalls(placed, graph);
  return all.map((finding, index) => ({ ...finding, strength: strengths[index] ?? finding.strength }));
}

const silent = new Set(["stopped_work", "unheard_callee", "calls_stopped"]);

/** Work that stopped when something was said to fail has stopped because of that; who waits in vain only reports the silence. */
const nearMs = 60_000;
const explainedSilence = 0.4;

function followFrom(finding: Finding, spoken: Finding[]): Finding {
  const { firstMs: at } = finding;
  if (finding.sign !== "stopped_work" || at === null) return finding;
  const told = spoken.some(
    ({ role, strength, firstMs, lines, says }) =>
      !waiting.test(`${says} ${lines[0]?.quote ?? ""}`) &&
      (role === "cause" || role === "symptom") &&
      strength >= 0.3 &&
      firstMs !== null &&
      Math.abs(firstMs - at) <= nearMs,
  );
  return told ? { ...finding, strength: finding.strength * explainedSilence } : finding;
}

/** Single failures of a peer are already counted in the finding about that peer. */
function isPartOf(finding: Finding, peers: Finding[]): boolean {
  return (
    finding.role === "symptom" && peerSigns.has(finding.sign) && peers.some(({ place }) => place === finding.place)
  );
}
