import type { ParsedLog } from "../logs/parsed-log.ts";
import { errorFindings } from "./error-findings.ts";
import type { Finding } from "./finding.ts";
import { flowFindings } from "./flow.ts";
import { hopFindings } from "./hops.ts";
import { type NoFault, noFaultOf } from "./no-fault.ts";
import { noveltyOf } from "./novelty.ts";
import { placesIn } from "./place-of.ts";
import { changeFindings } from "./recent-change.ts";
import { peerFindings, peerSigns } from "./peers.ts";
import { signFindings } from "./sign-findings.ts";
import { slowWorkFindings } from "./slow-work.ts";
import { type Suspect, suspectsOf } from "./suspects.ts";

/** What a log shows by itself: the findings, the suspects they add up to, and how well "no fault" stands. */
export type Analysis = { findings: Finding[]; suspects: Suspect[]; noFault: NoFault };

const done = new WeakMap<ParsedLog, Analysis>();

/** Reads a log for signs, unnamed errors, failing peers and slow services; the same log gives the same analysis. */
export function analyse(log: ParsedLog): Analysis {
  const known = done.get(log);
  if (known) return known;
  const novelty = noveltyOf(log);
  const places = placesIn(log);
  const peers = peerFindings(log);
  const trouble = [
    ...signFindings(log, novelty, places).filter((finding) => !isPartOf(finding, peers)),
    ...errorFindings(log, novelty, places),
    ...peers,
    ...hopFindings(log),
    ...flowFindings(log),
    ...slowWorkFindings(log),
  ];
  const findings = [...trouble, ...changeFindings(log, trouble, places)];
  const suspects = suspectsOf(findings);
  const analysis = { findings, suspects, noFault: noFaultOf(findings, suspects) };
  done.set(log, analysis);
  return analysis;
}

/** Single failures of a peer are already counted in the finding about that peer. */
function isPartOf(finding: Finding, peers: Finding[]): boolean {
  return (
    finding.role === "symptom" && peerSigns.has(finding.sign) && peers.some(({ place }) => place === finding.place)
  );
}
