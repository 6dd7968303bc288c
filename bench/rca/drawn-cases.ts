/**
 * Incidents drawn at random: the words of a cause, its effects and the noise are drawn from lists that no rule knows, so
 * that only numbers, order, silence and rates tell what happened. A seed always gives the same logs.
 */
import type { Truth } from "./incident-cases.ts";

const services =
  "ledger courier atlas harbor beacon quarry magnet tundra falcon orchid cobalt meadow pebble saffron lantern thistle walnut cedar juniper marble onyx raven otter badger heron linnet plover siskin".split(
    " ",
  );
const nouns =
  "parcel invoice frame tile voucher route segment ticket sample packet cursor shard page slot bundle digest roster draft window stanza".split(
    " ",
  );
const verbs =
  "stored loaded forwarded matched folded merged indexed rendered signed settled copied priced packed".split(" ");
const gauges =
  "fill_level spare_slots pressure wait_depth hit_share open_cursors heat stale_pages retained_mb turnaround_ms lease_count credit_left frag_pct arena_kb idle_arms ring_use torque jitter_us slack spill_rows".split(
    " ",
  );
const things =
  "gearbox pivot canopy anchor ferry ladder gantry sluice turnstile bellows trellis valve-9 plumb rudder keel mast boom winch hawser fender".split(
    " ",
  );
const people = "mira jonas lena amir tove rui".split(" ");
const effects = [
  "could not finish NOUN ID",
  "NOUN ID given up after NUM tries",
  "request for NOUN ID answered late",
  "no reply for NOUN ID",
  "customer sees empty NOUN ID",
  "NOUN ID failed",
  "timeout while fetching NOUN ID",
  "discarding NOUN ID, not complete",
  "aborting NOUN ID: upstream said no",
  "deadline passed for NOUN ID",
];
const changes = [
  "operator WHO set THING to NUM (before ID)",
  "profile THING swapped for THING-lite by WHO",
  "THING now NUM, formerly ID",
  "took over definitions of THING from branch WHO",
  "routing table THING edited by WHO: NUM entries",
  "timer THING shortened: ID s, now NUM s",
  "plan THING applied, 3 objects altered",
  "WHO switched mode THING on",
  "package THING NUM.2.0 put in place",
  "quota sheet THING imported by WHO",
];
const remarks = [
  "THING mounted without its companion",
  "using fallback THING since the preferred one did not load",
  "THING disagrees with its twin",
  "cannot see THING from here, going on without",
  "THING was handed back unsigned",
  "peer THING speaks an older dialect",
  "stopped watching THING: handle went away",
  "THING opened twice, second writer admitted",
  "checks of THING are switched off",
];
const noises = [
  "NOUN ID had no owner, default used",
  "slow NOUN ID: NUM s",
  "retry NUM for NOUN ID",
  "guest ID turned away",
  "duplicate NOUN ID ignored",
  "NOUN ID failed, done at second try",
];

/** What tells the cause; `healthy` has none. */
export const drawnKinds = [
  "step",
  "drop",
  "grow",
  "limit",
  "leaves zero",
  "falls to zero",
  "odd",
  "silent",
  "rate",
  "change",
  "remark",
  "warning",
  "healthy",
  "healthy too",
] as const;

type Row = [seconds: number, level: string, service: string, text: string];

/** One drawn log of each kind for each seed from `from` up to `to`. */
export function drawCases(from: number, to: number): { truth: Truth; text: string }[] {
  return Array.from({ length: to - from }, (_, index) => from + index).flatMap((seed) =>
    drawnKinds.map((kind, place) => draw(kind, 1 + 100 * seed + place)),
  );
}

function draw(kind: string, seed: number): { truth: Truth; text: string } {
  let state = seed * 2654435761;
  const chance = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
  const between = (low: number, high: number) => low + chance() * (high - low);
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1));
  const pick = <T>(list: readonly T[]): T => list[whole(0, list.length - 1)] as T;
  const deal = <T>(list: readonly T[], count: number): T[] => {
    const left = [...list];
    return Array.from({ length: count }, () => left.splice(whole(0, left.length - 1), 1)[0] as T);
  };
  const fill = (text: string, { noun = pick(nouns), thing = pick(things) } = {}) =>
    text
      .replace("NOUN", noun)
      .replaceAll("THING", thing)
      .replace("WHO", () => pick(people))
      .replace("NUM", () => String(whole(2, 9)))
      .replace("ID", () => String(whole(10, 99999)));

  const length = pick([1500, 2400, 3600, 5400]);
  const onset = length * between(0.3, 0.65);
  const present = deal(services, whole(4, 8));
  const names = deal(gauges, 8);
  const rows: Row[] = [];
  const say = (at: number, level: string, service: string, text: string) =>
    rows.push([Math.max(0.1, at), level, service, text]);
  const every = (from: number, to: number, step: number, tell: (at: number) => void, scatter = 0.45) => {
    for (let at = from + between(0, step); at < to; at += step * between(1 - scatter, 1 + scatter)) tell(at);
  };
  const gauge = (service: string, name: string, value: (at: number) => number) => {
    every(0, length, between(20, 60), (at) => say(at, "INFO", service, `gauge ${name}=${Math.round(value(at))}`), 0.1);
  };
  const around = (value: number, share = 0.1) => value * between(1 - share, 1 + share);

  for (const service of present)
    for (let left = whole(1, 3); left > 0; left -= 1) {
      const [verb, noun, low] = [pick(verbs), pick(nouns), chance() < 0.5 ? whole(3, 40) : null];
      const took = () => (low === null ? "" : ` in ${whole(low, low + 15)} ms`);
      every(0, length, between(10, 45), (at) =>
        say(at, "INFO", service, `${verb} ${noun} ${whole(1000, 99999)}${took()}`),
      );
    }
  for (let left = whole(1, 3); left > 0; left -= 1) {
    const level = pick([12, 80, 400, 9000]);
    gauge(pick(present), names.pop() ?? "", () => around(level));
  }
  if (chance() < 0.5) gauge(pick(present), "sent_total", (at) => 5000 + 3 * at);
  if (chance() < 0.4) gauge(pick(present), names.pop() ?? "", (at) => around(200 * (1 + (0.25 * at) / length), 0.03));
  for (let left = whole(1, 3); left > 0; left -= 1) {
    const [text, service, level, noun] = [pick(noises), pick(present), pick(["WARN", "WARN", "ERROR"]), pick(nouns)];
    every(0, length, length / whole(4, 12), (at) => say(at, level, service, fill(text, { noun })));
  }
  for (let left = whole(0, 2); left > 0; left -= 1)
    say(between(0.02, 0.95) * length, "INFO", pick(present), fill(pick(changes)));
  if (chance() < 0.4) {
    const [at, service] = [between(0.1, 0.9) * length, pick(present)];
    say(at, "ERROR", service, fill(pick(effects)));
    say(at + 3, "INFO", service, "link is back, going on");
  }

  let place = pick(present);
  const [thing, name] = [pick(things), names.pop() ?? ""];
  let key = name;
  let from = onset;
  const since = (at: number, before: number, after: number) => around(at < onset ? before : after);
  const scene: Record<string, () => void> = {
    step: () => {
      const [low, factor] = [pick([12, 80, 400]), pick([5, 12, 40])];
      gauge(place, name, (at) => since(at, low, low * factor));
    },
    drop: () => {
      const high = pick([80, 400, 9000]);
      gauge(place, name, (at) => since(at, high, high / 15));
    },
    grow: () => {
      const [low, end] = [pick([40, 300]), 0.9 * length];
      gauge(place, name, (at) => around(low * (1 + 20 * Math.max(0, (at - onset) / (end - onset))), 0.03));
      from = onset + 0.45 * (end - onset);
    },
    limit: () => {
      const limit = pick([64, 200, 512]);
      from = onset + 0.12 * length;
      const used = (at: number) => 0.3 * around(limit) + 0.7 * limit * Math.max(0, (at - onset) / (from - onset));
      every(0, length, 40, (at) =>
        say(at, "INFO", place, `${name} ${Math.round(Math.min(limit, used(at)))} of ${limit}`),
      );
    },
    "leaves zero": () => gauge(place, name, (at) => (at < onset ? 0 : whole(1, 9) + (at - onset) / 60)),
    "falls to zero": () => {
      const high = pick([9, 60, 400]);
      gauge(place, name, (at) => (at < onset ? around(high, 0.2) : 0));
    },
    odd: () => {
      const [base, count, level] = [pick(["node", "arm", "cell", "edge"]), whole(3, 5), pick([20, 90, 400])];
      const bad = whole(1, count);
      for (let one = 1; one <= count; one += 1)
        gauge(`${base}-${one}`, name, (at) =>
          around(one === bad && at > onset ? level * pick([2.2, 2.4, 2.6]) : level, 0.05),
        );
      place = `${base}-${bad}`;
    },
    silent: () => {
      const [verb, noun] = [pick(verbs), pick(nouns)];
      every(0, onset, between(12, 25), (at) => say(at, "INFO", place, `cycle of ${thing} ${verb} ${noun}`));
      rows.splice(0, rows.length, ...rows.filter(([at, , service]) => service !== place || at < onset));
      key = "no longer";
    },
    rate: () => {
      const verb = pick(verbs);
      every(0, length, 50, (at) => say(at, "INFO", place, `${verb} claim of ${pick(things)} at bay ${whole(1, 9)}`));
      every(onset, length, 2.5, (at) => say(at, "INFO", place, `${verb} claim of ${thing} at bay 7`));
      from = onset + 60;
      key = "claim";
    },
    change: () => {
      say(onset, "INFO", place, fill(pick(changes), { thing }));
      key = thing;
    },
    remark: () => {
      const [text, level] = [fill(pick(remarks), { thing }), pick(["INFO", "WARN"])];
      for (let left = whole(1, 2); left > 0; left -= 1) say(onset + 5 * left, level, place, text);
      key = thing;
    },
    warning: () => {
      const text = fill(pick(remarks), { thing });
      say(onset + 1, "WARN", place, text);
      every(onset, length, (0.4 * length) / whole(5, 9), (at) => say(at, "WARN", place, text));
      key = thing;
    },
  };
  const isHealthy = kind.startsWith("healthy");
  if (!isHealthy) {
    scene[kind]?.();
    const others = present.filter((service) => service !== place);
    const isNear = kind !== "silent" && present.includes(place) && chance() < 0.5;
    const victims = [...(isNear ? [place] : []), ...deal(others, whole(2, 3))];
    const delay = between(8, 90);
    for (const [index, victim] of victims.entries()) {
      const [text, noun] = [pick(effects), pick(nouns)];
      const named = chance() < 0.35 ? ` (${pick([place, key === thing ? thing : place])})` : "";
      every(from + delay * (1 + 0.5 * index), length, between(6, 25), (at) =>
        say(at, "ERROR", victim, `${fill(text, { noun })}${named}`),
      );
    }
    if (chance() < 0.5) {
      const low = pick([10, 50]);
      gauge(pick(others), names.pop() ?? "", (at) => around(at < from + 1.3 * delay ? low : 9 * low));
    }
  }
  const truth: Truth = isHealthy
    ? { file: `${kind}-${seed}`, category: "none", any: [], all: [] }
    : { file: `${kind}-${seed}`, category: "software", component: place, any: [key], all: [place] };
  const layout = pick(layouts);
  const start = Date.UTC(2025, whole(0, 11), whole(1, 28), whole(0, 20));
  const text = rows
    .toSorted(([a], [b]) => a - b)
    .map(([seconds, level, service, said]) =>
      layout(new Date(start + 1000 * seconds).toISOString(), level, service, said),
    )
    .join("\n");
  return { truth, text };
}

const layouts: ((time: string, level: string, service: string, text: string) => string)[] = [
  (time, level, service, text) => `${time} ${level} ${service}: ${text}`,
  (time, level, service, text) =>
    `${time.replace("T", " ").replace(".", ",").slice(0, 23)} ${level} [${service}] ${text}`,
  (time, level, service, text) => JSON.stringify({ time, level: level.toLowerCase(), service, msg: text }),
  (time, level, service, text) => `[${time.slice(0, 19).replace("T", " ")}] ${service} ${level} - ${text}`,
];
