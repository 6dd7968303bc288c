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
import { retryFindings } from "./retries.ts";
import { signFindings } from "./sign-findings.ts";
import { slowWorkFindings } from "./slow-work.ts";
import { type Suspect, suspectsOf } from "./suspects.ts";

/** What a log shows by itself: the findings, the suspects they add up to, and how well "no fault" stands. */
export type Analysis = { findings: Finding[]; suspects: Suspect[]; noFault: NoFault };

/** By the list of events, which copies of a log share. */
const done = new WeakMap<ParsedLog["events"], Analysis>();

/** Reads a log for signs, unnamed errors, failing peers and slow services; the same log gives the same analysis. */
export function analyse(log: ParsedLog): Analysis {
  const known = done.get(log.events);
  if (known) return known;
  const novelty = noveltyOf(log);
  const places = placesIn(log);
  const peers = peerFindings(log);
  const trouble = [
    ...signFindings(log, novelty, places).filter((finding) => !isPartOf(finding, peers)),
    ...errorFindings(log, novelty, places),
    ...peers,
    ...retryFindings(log),
    ...hopFindings(log),
    ...flowFindings(log),
    ...slowWorkFindings(log),
  ];
  const findings = [...trouble, ...changeFindings(log, trouble, places)].map(withTexts(log));
  const suspects = suspectsOf(findings);
  const analysis = { findings, suspects, noFault: noFaultOf(findings, suspects) };
  done.set(log.events, analysis);
  return analysis;
}

/** Single failures of a peer are already counted in the finding about that peer. */
function isPartOf(finding: Finding, peers: Finding[]): boolean {
  return (
    finding.role === "symptom" && peerSigns.has(finding.sign) && peers.some(({ place }) => place === finding.place)
  );
}

function withTexts(log: ParsedLog): (finding: Finding) => Finding {
  const texts = new Map(log.templates.map(({ id, template }) => [id, template.trim()]));
  return (finding) => ({ ...finding, texts: finding.templates.slice(0, 5).flatMap((id) => texts.get(id) ?? []) });
}
