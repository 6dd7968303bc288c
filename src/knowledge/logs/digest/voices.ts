import { copyText, type KeptEvent, keepEvent, type Place, type ReadEvent } from "../event/event.ts";
import { readLeadingName } from "../event/names.ts";

export type Series = { name: string; unit: string; at: number[]; value: number[]; events: KeptEvent[] };

type Sample = { at: number; event: KeptEvent; values: number[]; turn: number };

export type Voice = {
  shape: number;
  component: string | null;
  host: string | null;
  file: string | null;
  status: number | null;
  subject: string | null;
  isTrouble: boolean;
  count: number;
  firstMs: number | null;
  lastMs: number | null;
  names: { name: string; unit: string }[];
  samples: Sample[];
  every: number;
  leftZero: (Sample | null)[];
};

const maxVoices = 4000;
const maxSamples = 128;
const maxNumbers = 8;
const number =
  /(?<![\w.:/-])(?!(?<=\[)\d+\])-?\d{1,15}(?:\.\d{1,6})?(?!(?!\/\d+(?![\w./:-]))[\w-]*[:/@]|\.\d|\d)|(?<=(?<![\w.:/-])\d{1,15}\/)\d{1,15}(?![\w.:/-])/g;
const field = /"([A-Za-z][\w.]{0,40})"\s*:\s*(-?\d{1,15}(?:\.\d{1,6})?)(?=[,}\s])/g;
const request =
  /\b(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) \/[^\s"]*(?: HTTP\/[\d.]+)?"?[ ,]*(?:status|code|responded|returned)?[:=]? ?"?([1-5]\d\d)\b/;
const statusWord = /\b(?:status|status_?code|http_?code)["']?[ :=]+"?([1-5]\d\d)\b/i;

/** Counts and numbers by component and kind of message, in bounded memory. */
export class Voices {
  private readonly byKey = new Map<string, Voice>();

  add(event: ReadEvent, at: Place): void {
    const status = readStatus(event);
    const speaker = event.service ?? event.component ?? readLeadingName(event.message);
    const key = `${at.shape}\u0001${speaker}\u0001${event.host}\u0001${status}\u0001${speaker === null ? at.file : ""}`;
    let voice = this.byKey.get(key);
    if (voice === undefined) {
      if (this.byKey.size >= maxVoices) return;
      voice = {
        shape: at.shape,
        component: copyText(speaker),
        host: copyText(event.host),
        file: at.file,
        status,
        subject: null,
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
    }
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
}

function takeSample(voice: Voice, event: ReadEvent, at: Place): void {
  const turn = shuffle(voice.count);
  const isSampled = turn % voice.every === 0;
  const values = isSampled || voice.leftZero.includes(null) ? readNumbers(voice, event) : [];
  const left = values.findIndex((value, place) => value !== 0 && voice.leftZero[place] === null);
  if (!isSampled && left < 0) return;
  const sample = { at: event.timestamp ?? 0, event: keepEvent(event, at), values, turn };
  for (const [place, value] of values.entries())
    if (value === 0) voice.leftZero[place] ??= null;
    else if (voice.leftZero[place] === null) voice.leftZero[place] = sample;
  if (!isSampled) return;
  voice.samples.push(sample);
  if (voice.samples.length < maxSamples) return;
  voice.every *= 2;
  voice.samples = voice.samples.filter((one) => one.turn % voice.every === 0);
}

/** Pseudo-random but not periodic, so that alternating messages are all sampled. */
function shuffle(count: number): number {
  return (Math.imul(count ^ (count >>> 7), 0x9e3779b1) ^ (count << 3)) >>> 5;
}

const mostSubjects = 12;
const leastOfSubject = 6;
/** Names that messages may be about: `peer=quotes`, `/dev/sdc`, `osd.7`, `"queue": "mail"`. */
const subjects =
  /(?<![\w.-])(?:[A-Za-z_][\w.]*[=:]"?(?=[A-Za-z/])[\w./:@-]{2,40}|\/[\w./-]{2,40}|[A-Za-z][A-Za-z_]*(?:[-_./]?\d{1,4})+(?![\w:.-]))|"(?!level|msg|message|time|ts|service|key)\w+"\s*:\s*"[\w./:@-]{2,40}"/g;

/** Splits a voice by subject, if its messages name a few recurring ones. */
export function partVoice(voice: Voice): Voice[] {
  const named = voice.samples.map(({ event }) => listSubjects(event));
  for (let slot = 0; slot < 3; slot += 1) {
    const parts = Map.groupBy(voice.samples, (_, index) => named[index]?.[slot] ?? "");
    const isParted =
      parts.size >= 2 &&
      parts.size <= mostSubjects &&
      !parts.has("") &&
      [...parts.values()].filter(({ length }) => length >= leastOfSubject).length >= 0.75 * parts.size;
    if (isParted) return [...parts].flatMap(([subject, samples]) => partByNumber(takePart(voice, subject, samples)));
  }
  return partByNumber(voice);
}

/** Splits a voice by a small number that alternates, such as the number of a device. */
function partByNumber(voice: Voice): Voice[] {
  for (const [place, { name }] of voice.names.entries()) {
    const values = voice.samples.map((sample) => sample.values[place]);
    const parts = Map.groupBy(voice.samples, (sample) => sample.values[place]);
    const usual = values.length / parts.size;
    const turns = values.filter((value, index) => index > 0 && value !== values[index - 1]).length;
    const isTurn = ([value, own]: [number | undefined, Sample[]]) =>
      value !== undefined && Number.isInteger(value) && Math.abs(own.length - usual) <= Math.max(2, 0.3 * usual);
    if (parts.size < 2 || parts.size > mostSubjects || usual < leastOfSubject || turns < values.length / 2) continue;
    if ([...parts].every(isTurn))
      return [...parts].map(([value, samples]) => takePart(voice, `${name} ${value}`, samples));
  }
  return [voice];
}

function takePart(voice: Voice, subject: string, samples: Sample[]): Voice {
  return {
    ...voice,
    subject: [voice.subject, subject].filter((one) => one !== null).join(" "),
    samples,
    count: samples.length * voice.every,
    firstMs: samples[0]?.at ?? null,
    lastMs: samples.at(-1)?.at ?? null,
    leftZero: [],
  };
}

export function listSubjects({ message, raw }: KeptEvent): string[] {
  const text = raw.charCodeAt(0) === 123 ? raw.slice(0, 2000) : message.slice(0, 400);
  return Array.from(text.matchAll(subjects), ([found]) => found.replace(/^"\w+"\s*:\s*|^[\w.]+[=:]|"/g, "")).slice(
    0,
    3,
  );
}

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

/** The class of an HTTP status: 5 for 503. */
function readStatus(event: ReadEvent): number | null {
  if (event.status === null && /\/|status|code/i.test(event.message)) {
    const said = (request.exec(event.message) ?? statusWord.exec(event.message))?.[1];
    if (said !== undefined) event.status = Number(said);
  }
  return event.status === null ? null : Math.floor(event.status / 100);
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
  const about = /^[A-Za-z][\w -]{0,40}$/.test(message) ? `${message} ` : "";
  for (const [, name = "", text = ""] of raw.matchAll(field))
    take(() => ({ name: copyText(`${about}${name}`), unit: readUnit(name) }), text);
  return values;
}

/**
 * The name and unit of a number: the key before it (`flow=40.1 l/min`), else the words before it in its clause (`heap
 * used 412 MB`), else those after it (`…, 401200 remain, 12 are dead`).
 */
function nameNumber(message: string, start: number, length: number): { name: string; unit: string } {
  const before = message.slice(Math.max(0, start - 60), start);
  const after = message.slice(start + length, start + length + 60);
  if (/\d\/$/.test(before)) return { name: "of", unit: "" };
  const [key] = /[A-Za-z][\w.-]*(?=["']?\s*[=:]\s*["'[(]?$)/.exec(before) ?? [];
  const [unit = ""] = /^\s?(?:%|[A-Za-z]+(?:\/[a-z]+)?)(?![\w=:-])/.exec(after.slice(0, 24)) ?? [];
  const words = (text: string) => text.match(/[A-Za-z][\w-]*/g) ?? [];
  const [clause = ""] = /[^,;|()]*$/.exec(before) ?? [];
  const [rest = ""] = /^[^,;|()]*/.exec(after) ?? [];
  const led =
    key === undefined
      ? ""
      : (/(?:^|[,;|(>\]] ?)((?:[A-Za-z][A-Za-z_-]* ){1,2})[\w.-]+["']?\s*[=:]\s*["'[(]?$/.exec(before)?.[1] ?? "");
  const own = words(clause.replace(/^.*[:=]\s*\d[^\s]*|\S*[/\d]\S*/g, " ")).slice(-3);
  while (own.length > 1 && linking.test(own.at(-1) ?? "")) own.pop();
  const behind = words(rest).filter((word, index) => index > 0 || !linking.test(word));
  const name =
    key === undefined
      ? own.join(" ") || behind.slice(0, 5).join(" ") || words(before).slice(-3).join(" ")
      : `${led}${key}`;
  return {
    name: copyText(name || "the number"),
    unit: copyText(own.length > 0 || key ? unit.trim() || readUnit(name) : ""),
  };
}

const linking = /^(?:is|are|was|were|at|of|to|in|for|by|now|has|have)$/i;

function readUnit(name: string): string {
  return /(?:^|[_.-])(ms|us|s|seconds|bytes|kb|mb|gb|percent|pct)$/i.exec(name)?.[1] ?? "";
}
