import {
  type CallGraph,
  combineStrengths,
  createCallGraph,
  createPlaces,
  findHost,
  isSteady,
  matchSigns,
  measureNovelty,
  splitStrands,
  type Strands,
  weighByCalls,
} from "../../../../knowledge/incidents/index.ts";
import type { LogEvent, ParsedLog } from "../../../../knowledge/logs/index.ts";
import { measureTrouble } from "./measured.ts";
import { readTrouble, type Trouble } from "./trouble.ts";

/** What the judge holds hypotheses against: all trouble of the log, by what is said and where, and which of it is unrelated, and whether work ended well. */
export type Ledger = {
  troubles: Trouble[];
  strands: Strands;
  endedWell: boolean;
  hasRoutine: boolean;
  isSteady: boolean;
};

const kept = new WeakMap<ParsedLog["events"], Ledger>();

/** Goes through the log line by line; nothing of what a reasoner made of it is used. */
export function keepLedger(log: ParsedLog): Ledger {
  const known = kept.get(log.events);
  if (known) return known;
  const templates = new Map(log.templates.map((template) => [template.id, template]));
  const novelty = measureNovelty(log);
  const places = createPlaces(log);
  const compared = log.reference !== null;
  const read = (event: LogEvent) =>
    readTrouble({
      event,
      template: templates.get(event.template_id) ?? null,
      place: places.event(event),
      novelty,
      compared,
    });
  const unquotable = standIns(log).flatMap((event) =>
    read(event).map((trouble) => ({ ...trouble, words: [trouble.says, cutLevel(event.message)] })),
  );
  const said = [...log.events.flatMap(read), ...unquotable];
  const peers = listPersistentPeers(log);
  const spoken = gather(said).filter((trouble) => !isPartOf(trouble, peers));
  const all = [...spoken, ...peers, ...measureTrouble(log)];
  const endedWell = all.some(({ role }) => role === "recovery");
  const faults = all.filter(
    ({ kind, role, strength }) =>
      (role === "cause" || role === "symptom") && strength > 0.02 && !(endedWell && kind === "silence"),
  );
  const troubles = followCalls(faults, log);
  const ledger = {
    troubles,
    strands: splitStrands(log, troubles),
    endedWell,
    hasRoutine: all.some(({ role }) => role === "routine"),
    isSteady: isSteady(log),
  };
  kept.set(log.events, ledger);
  return ledger;
}

const silent = new Set(["silence", "unheard", "calls_stopped"]);

/** Who calls whom tells the report of a trouble from the trouble (root-cause spec §4.6). */
function followCalls(faults: Trouble[], log: ParsedLog): Trouble[] {
  const graph = createCallGraph(log);
  if (!graph.isKnown) return faults;
  const all = [...faults, ...listUnheard(faults, graph)];
  const strengths = weighByCalls(
    all.map((trouble) => ({ ...trouble, isSilence: silent.has(trouble.kind) })),
    graph,
  );
  return all.map((trouble, index) => ({ ...trouble, strength: strengths[index] ?? trouble.strength }));
}

const inVain = /time(?:d |-)?out|no (?:answer|response|reply)|not responding|deadline|unavailable|gave up/i;

/** The only callee of one who waits in vain, when nothing else is known of it. */
function listUnheard(faults: readonly Trouble[], graph: CallGraph): Trouble[] {
  const troubled = new Set(faults.flatMap(({ places }) => places));
  return faults.flatMap((trouble): Trouble[] => {
    const [place] = trouble.places;
    if (place === undefined || trouble.role !== "symptom" || !inVain.test(trouble.says)) return [];
    const [only, ...others] = graph.calleesOf(place);
    if (only === undefined || others.length > 0 || troubled.has(only.toLowerCase())) return [];
    const says = `does not answer ${place}, which calls it`;
    return [{ ...trouble, kind: "unheard", places: [only.toLowerCase()], says, strength: 1.2 * trouble.strength }];
  });
}

/** Single failures of a peer are already counted in the trouble with that peer. */
function isPartOf({ kind, role, places }: Trouble, peers: Trouble[]): boolean {
  return role === "symptom" && peerSigns.has(kind) && peers.some((peer) => places.includes(peer.places[0] ?? ""));
}

function cutLevel(text: string): string {
  return text.replace(/^\s*(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\s+/, "").trim();
}

/** For templates of which no event was kept, their sample: no line shows them, so a claim names them in words. */
function standIns({ templates, events }: ParsedLog): LogEvent[] {
  const shown = new Set(events.map(({ template_id }) => template_id));
  return templates
    .filter(({ id }) => !shown.has(id))
    .map(({ id, template, sample, level, component, file, first_line, first_seen }) => ({
      id,
      file,
      line: first_line ?? 1,
      timestamp: first_seen,
      level,
      component,
      template_id: id,
      message: template,
      params: [],
      raw: sample || template,
      why: [],
    }));
}

/** The same said at the same place is one trouble; one that is said again and again counts a little more. */
function gather(said: Trouble[]): Trouble[] {
  const groups = Map.groupBy(said, ({ kind, places }) => `${kind}\n${places.join(" ")}`);
  return [...groups.values()].flatMap((all) => {
    const [first] = all.toSorted((a, b) => b.strength - a.strength);
    if (!first) return [];
    const times = all.flatMap(({ firstMs }) => firstMs ?? []);
    const again = first.role === "symptom" ? Math.min(1.5, 1 + 0.1 * Math.log2(all.length)) : 1;
    return [
      {
        ...first,
        strength: Math.min(0.97, first.strength * again),
        lines: all.flatMap(({ lines }) => lines),
        words: [...new Set(all.flatMap(({ words }) => words))],
        firstMs: times.length > 0 ? Math.min(...times) : null,
        count: all.length,
      },
    ];
  });
}

const peerSigns = new Set(["peer_failed", "connect_timeout", "no_route", "retrying_connect", "connection_refused"]);
const newEpisodeMs = 30_000;
const hiccupMs = 120_000;
const manyAttempts = 20;

/** A peer that fails in one episode after another is cut off; one that leaves dozens of attempts unanswered is gone. */
function listPersistentPeers(log: ParsedLog): Trouble[] {
  const failures = log.events.flatMap((event) =>
    event.raw.split("\n").flatMap((text, offset) => {
      const sign = matchSigns(text).find(({ id }) => peerSigns.has(id));
      const peer = sign ? findHost(text, true) : null;
      return sign && peer ? [{ event, offset, peer, sign: sign.id }] : [];
    }),
  );
  const cut = [...Map.groupBy(failures, ({ peer }) => peer)].flatMap(([peer, own]) => {
    const times = own.flatMap(({ event }) => event.timestamp ?? []).sort((a, b) => a - b);
    const episodes = times.filter((time, index) => index === 0 || time - (times[index - 1] ?? 0) > newEpisodeMs);
    const lasting = (times.at(-1) ?? 0) - (times[0] ?? 0) >= hiccupMs;
    const often = episodes.length >= 3 && lasting;
    const strength = 0.7 * (1 - Math.exp(-Math.max(1, episodes.length) / 2.5)) * (lasting ? 1.25 : 1);
    const trouble: Trouble = {
      kind: "peer",
      category: "network",
      role: often ? "cause" : "symptom",
      strength,
      says: `fails as a peer in ${episodes.length} episodes`,
      leadsTo: [],
      places: [peer],
      lines: own.map(({ event, offset }) => ({ file: event.file, line: event.line + offset, offset })),
      words: [],
      firstMs: times[0] ?? null,
      count: own.length,
    };
    return [trouble];
  });
  return [...cut, ...listUnanswered(log)];
}

function listUnanswered(log: ParsedLog): Trouble[] {
  const retried = log.templates.filter(({ template }) =>
    matchSigns(template).some(({ id }) => id === "retrying_connect"),
  );
  const byPeer = Map.groupBy(retried, ({ sample, template }) => findHost(sample || template, true) ?? "");
  return [...byPeer].flatMap(([peer, own]) => {
    const count = own.reduce((sum, template) => sum + template.count, 0);
    const ids = new Set(own.map(({ id }) => id));
    const lines = log.events.filter(({ template_id }) => ids.has(template_id));
    const firsts = own.flatMap(({ first_seen }) => first_seen ?? []);
    if (count < manyAttempts) return [];
    return [
      {
        kind: "unanswered",
        category: "hardware" as const,
        role: "cause" as const,
        strength: 0.6 * (1 - Math.exp(-count / manyAttempts)),
        says: `did not answer ${count} attempts`,
        leadsTo: [],
        places: peer === "" ? [] : [peer],
        lines: lines.map(({ file, line }) => ({ file, line, offset: 0 })),
        words: [`did not answer ${count} connection attempts`],
        firstMs: firsts.length > 0 ? Math.min(...firsts) : null,
        count,
      },
    ];
  });
}

/** How strongly some troubles speak together: causes as independent arguments, of symptoms the strongest most. */
export function addUp(troubles: readonly Trouble[], overcome: number, shadowed: boolean): number {
  const strongest = (role: Trouble["role"]) => {
    const best = new Map<string, number>();
    for (const { kind, role: own, strength } of troubles)
      if (own === role) best.set(kind, Math.max(strength, best.get(kind) ?? 0));
    return [...best.values()].sort((a, b) => b - a);
  };
  const causes = combineStrengths(strongest("cause"));
  const [first = 0, ...others] = strongest("symptom");
  const symptoms = (first + 0.3 * (1 - first) * combineStrengths(others)) * overcome;
  return combineStrengths([causes, symptoms * (causes > 0 || shadowed ? 0.5 : 1)]);
}
