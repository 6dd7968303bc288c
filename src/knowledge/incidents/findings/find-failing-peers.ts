import type { LogEvent, ParsedLog } from "../../logs/index.ts";
import type { CitedLine, Finding } from "../clues/finding.ts";
import { findHost } from "../clues/find-host.ts";
import { matchSigns } from "../clues/match-signs.ts";

/** The signs that tell of a failing peer. */
export const peerSigns = new Set([
  "peer_failed",
  "connect_timeout",
  "no_route",
  "retrying_connect",
  "connection_refused",
]);
const newEpisodeMs = 30_000;
/** Trouble that outlives the usual minute or two of connection timeouts and retries is more than a hiccup. */
const retryWindowMs = 120_000;

/** Peers that fail again and again: the more separate episodes, and the longer, the less it is a hiccup. */
export function findFailingPeers(log: ParsedLog): Finding[] {
  const failures = new Map<string, { line: CitedLine; template: string }[]>();
  for (const event of log.events)
    for (const failure of listFailures(event))
      failures.set(failure.peer, [...(failures.get(failure.peer) ?? []), failure]);
  return [...failures].map(([peer, all]) => buildFinding(peer, all)).filter(({ strength }) => strength > 0.1);
}

function listFailures(event: LogEvent) {
  const { file, timestamp, template_id: template } = event;
  return event.raw.split("\n").flatMap((quote, offset) => {
    if (!matchSigns(quote).some(({ id }) => peerSigns.has(id))) return [];
    const peer = findHost(quote, true);
    return peer === null
      ? []
      : [{ peer, template, line: { line: event.line + offset, file, quote: quote.trim(), timestamp } }];
  });
}

function buildFinding(peer: string, failures: { line: CitedLine; template: string }[]): Finding {
  const times = failures.flatMap(({ line }) => line.timestamp ?? []).sort((a, b) => a - b);
  const episodes = times.filter((time, index) => index === 0 || time - (times[index - 1] ?? 0) > newEpisodeMs).length;
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const lasting = span >= retryWindowMs;
  const strength = 0.7 * (1 - Math.exp(-Math.max(1, episodes) / 2.5)) * (lasting ? 1.25 : 1);
  const often = episodes >= 3 && lasting;
  return {
    sign: "peer_cut",
    category: "network",
    role: often ? "cause" : "symptom",
    strength,
    place: peer,
    says: often
      ? `failed as a peer in ${episodes} separate episodes over ${Math.round(span / 1000)} s`
      : `failed as a peer ${episodes > 1 ? `in ${episodes} episodes` : "once"}`,
    lines: failures.map(({ line }) => line).slice(0, 6),
    templates: [...new Set(failures.map(({ template }) => template))],
    count: failures.length,
    firstMs: times[0] ?? null,
    resolution: [
      `Check the network path to ${peer}: switch port, cable, interface errors, firewall`,
      `Keep ${peer} out of use until its link is stable`,
    ],
  };
}
