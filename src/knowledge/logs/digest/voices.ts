import { copyText, type KeptEvent, keepEvent, type Place, type ReadEvent } from "../event/event.ts";
import { readLeadingName } from "../event/names.ts";

/** A number of a message over time: when, how much, in which event. */
export type Series = { name: string; unit: string; at: number[]; value: number[]; events: KeptEvent[] };

/** An event of a voice with its numbers; every second, fourth… one is kept once there are many. */
type Sample = { at: number; event: KeptEvent; values: number[] };

/** What one component says in one kind of message: how often, since when, and its numbers. */
export type Voice = {
  shape: number;
  /** Who speaks, and on which machine. */
  component: string | null;
  host: string | null;
  file: string | null;
  /** The class of the answer where the message tells of a request: 2 to 5. */
  status: number | null;
  route: string | null;
  isTrouble: boolean;
  count: number;
  firstMs: number | null;
  lastMs: number | null;
  /** The words before each number, and the unit behind it. */
  names: { name: string; unit: string }[];
  samples: Sample[];
  every: number;
  /** By place: the first event in which the number was not zero after it had been. */
  leftZero: (Sample | null)[];
};

const maxVoices = 4000;
const maxSamples = 128;
const maxNumbers = 8;
const number = /(?<![\w.:/-])-?\d{1,15}(?:\.\d{1,6})?(?![\w-]*[:/@]|\.\d|\d)/g;
const field = /"([A-Za-z][\w.]{0,40})"\s*:\s*(-?\d{1,15}(?:\.\d{1,6})?)(?=[,}\s])/g;
const request =
  /\b(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) (\/[^\s"?]*)(?:\?[^\s"]*)?(?: HTTP\/[\d.]+)?"?[ ,]*(?:(?:status|code|responded|returned)?[:=]? ?"?([1-5]\d\d)\b)?/;
const statusWord = /\b(?:status|status_?code|http_?code)["']?[ :=]+"?([1-5]\d\d)\b/i;

/** Listens to who says what: counts and numbers by component and kind of message, in bounded memory. */
export class Voices {
  private readonly byKey = new Map<string, Voice>();

  add(event: ReadEvent, at: Place): void {
    const { route, status } = readRequest(event);
    const family = status === null ? null : Math.floor(status / 100);
    const speaker = event.service ?? event.component ?? readLeadingName(event.message);
    const failing = family !== null && family > 3 ? route : "";
    const key = `${at.shape}\u0001${speaker}\u0001${event.host}\u0001${family}\u0001${failing}\u0001${speaker === null ? at.file : ""}`;
    const voice =
      this.byKey.get(key) ??
      this.begin(key, { speaker, host: event.host, file: at.file, shape: at.shape, family, route });
    if (voice === null) return;
    voice.isTrouble ||= at.isError;
    if (event.timestamp !== null) {
      voice.firstMs ??= event.timestamp;
      voice.lastMs = event.timestamp;
      takeSample(voice, event, at);
    }
    voice.count += 1;
  }

  list(): Voice[] {
    return [...this.byKey.values()];
  }

  private begin(key: string, head: Head): Voice | null {
    if (this.byKey.size >= maxVoices) return null;
    const copy = (text: string | null) => (text === null ? null : copyText(text));
    const voice: Voice = {
      shape: head.shape,
      component: copy(head.speaker),
      host: copy(head.host),
      file: head.file,
      status: head.family,
      route: copy(head.route),
      isTrouble: false,
      count: 0,
      firstMs: null,
      lastMs: null,
      names: [],
      samples: [],
      every: 1,
      leftZero: [],
    };
    this.byKey.set(key, voice);
    return voice;
  }
}

type Head = Pick<Voice, "host" | "file" | "shape" | "route"> & { speaker: string | null; family: number | null };

function takeSample(voice: Voice, event: ReadEvent, at: Place): void {
  const isSampled = voice.count % voice.every === 0;
  const values = isSampled || voice.leftZero.includes(null) ? readNumbers(voice, event) : [];
  const left = values.findIndex((value, place) => value !== 0 && voice.leftZero[place] === null);
  if (!isSampled && left < 0) return;
  const sample = { at: event.timestamp ?? 0, event: keepEvent(event, at), values };
  for (const [place, value] of values.entries())
    if (value === 0) voice.leftZero[place] ??= null;
    else if (voice.leftZero[place] === null) voice.leftZero[place] = sample;
  if (!isSampled) return;
  voice.samples.push(sample);
  if (voice.samples.length < maxSamples) return;
  voice.samples = voice.samples.filter((_, index) => index % 2 === 0);
  voice.every *= 2;
}

/** The numbers of a voice, each over time. */
export function listSeries({ names, samples }: Voice): Series[] {
  return names.map(({ name, unit }, place) => {
    const own = samples.filter(({ values }) => values[place] !== undefined);
    return {
      name,
      unit,
      at: own.map(({ at }) => at),
      value: own.map(({ values }) => values[place] ?? 0),
      events: own.map(({ event }) => event),
    };
  });
}

/** The request that an event tells of: its method with the first two parts of its path, and its status. */
function readRequest(event: ReadEvent): { route: string | null; status: number | null } {
  const { message } = event;
  const mayTell = event.status !== null || /\/|status|code/i.test(message);
  if (!mayTell) return { route: null, status: null };
  const [, method, path = "", answer] = request.exec(message) ?? [];
  const said = answer ?? statusWord.exec(message)?.[1];
  event.status ??= said === undefined ? null : Number(said);
  const parts = path.split("/").slice(1, 3);
  const named = parts.map((part) => (/^v\d+$/.test(part) || (part.length < 40 && !/\d/.test(part)) ? part : "*"));
  return { route: method === undefined ? null : `${method} /${named.join("/")}`, status: event.status };
}

function readNumbers({ names }: Voice, { message, raw }: ReadEvent): number[] {
  const values: number[] = [];
  const take = (name: () => { name: string; unit: string }, text: string) => {
    if (values.length >= maxNumbers) return;
    names[values.length] ??= name();
    values.push(Number(text));
  };
  for (const found of message.matchAll(number)) take(() => nameNumber(message, found.index, found[0].length), found[0]);
  if (raw.charCodeAt(0) !== 123 || raw.length > 4000) return values;
  for (const [, name = "", text = ""] of raw.matchAll(field)) take(() => ({ name, unit: readUnit(name) }), text);
  return values;
}

/** The words right before a number, and the unit right behind it: `heap used 412 MB`, `flow=40.1 l/min`. */
function nameNumber(message: string, start: number, length: number): { name: string; unit: string } {
  const before = message.slice(Math.max(0, start - 60), start);
  const [key] = /[A-Za-z][\w.-]*(?=["']?\s*[=:]\s*["'[(]?$)/.exec(before) ?? [];
  const words = before.match(/[A-Za-z][\w-]*/g) ?? [];
  const after = message.slice(start + length, start + length + 24);
  const [unit = ""] = /^\s?(?:%|[A-Za-z]+(?:\/[a-z]+)?)(?![\w=:-])/.exec(after) ?? [];
  const name = key ?? (words.slice(-3).join(" ") || (after.match(/[A-Za-z][\w-]*/g) ?? []).slice(0, 2).join(" "));
  return { name: copyText(name || "the number"), unit: copyText(unit.trim() || readUnit(name)) };
}

function readUnit(name: string): string {
  return /(?:^|[_.-])(ms|us|s|seconds|bytes|kb|mb|gb|percent|pct)$/i.exec(name)?.[1] ?? "";
}
