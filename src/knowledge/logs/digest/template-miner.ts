export type Payload<D> = { create(): D; join(into: D, from: D): void };

export type Shape<D = unknown> = { id: number; count: number; sample: string; tokens: string[]; data: D };

export type MinedTemplate<D> = { template: string; count: number; sample: string; shapes: readonly Shape<D>[] };

/** The templates, and a mapping to them from the shape ids of `add`. */
export type MinedTemplates<D> = { templates: MinedTemplate<D>[]; templateOf(shapeId: number): number };

const variable = "<*>";
const longest = 600;
const maxShapes = 10_000;

const masks: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>,;)\]}]+/gi, variable],
  [/(?<![\w.<])(?:\/[\w.@%+~$*-]+)+\/?(?=[\s"':,;)\]}?]|$)/g, variable],
  [
    /\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* +(?=\d)/g,
    "",
  ],
  [/[^\s,;:=()[\]{}"'|<>]*\d[^\s,;=()[\]{}"'|<>]*/g, variable],
  [
    /(?<=\b(?:user|host|node|file) )(?!unknown\b|is\b|was\b|has\b|not\b|name\b|for\b|by\b|from\b)[a-z][\w.-]*(?= |$)/g,
    variable,
  ],
  [/\(\)/g, "(<*>)"],
  [/<\*>(?:[-:/.#@+%]+<\*>|[-:/.#@+%](?=\s|$))+/g, variable],
  [/<\*>(?:,? <\*>)+(?=[\s,;)\]}]|$)/g, variable],
];

function maskMessage(message: string): string {
  let text = message.slice(0, longest);
  for (const [pattern, mark] of masks) text = text.replace(pattern, mark);
  return text.replace(/\s+/g, " ").trim();
}

/**
 * Mines templates in one pass with bounded memory (root-cause spec §2.3): messages are masked and grouped by the
 * rest; `finish` joins groups of equal length that differ at places where many words were seen. Places with only a
 * few words stay apart: they are different messages, or states and flags.
 */
export class TemplateMiner<D = null> {
  private readonly shapes: Shape<D>[] = [];
  private readonly byText = new Map<string, Shape<D>>();
  private readonly payload: Payload<D>;
  private readonly limit: number;

  constructor(payload: Payload<D>, limit = maxShapes) {
    this.payload = payload;
    this.limit = limit;
  }

  /** Returns the shape of a message, whose id `finish` maps to a template. */
  add(message: string): Shape<D> {
    const masked = maskMessage(message);
    const known = this.byText.get(masked);
    if (known !== undefined) {
      known.count += 1;
      return known;
    }
    const isFull = this.shapes.length >= this.limit;
    const text = isFull ? Array(masked.split(" ").length).fill(variable).join(" ") : masked;
    const rest = this.byText.get(text);
    if (rest !== undefined) {
      rest.count += 1;
      return rest;
    }
    const data = this.payload.create();
    const shape = {
      id: this.shapes.length,
      count: 1,
      sample: message.slice(0, longest),
      tokens: text.split(" "),
      data,
    };
    this.shapes.push(shape);
    this.byText.set(text, shape);
    return shape;
  }

  finish(): MinedTemplates<D> {
    const clusters = joinShapes(this.shapes);
    const place = new Map<number, number>();
    const templates = clusters.map(({ tokens, members }, index): MinedTemplate<D> => {
      for (const { id } of members) place.set(id, index);
      const count = members.reduce((sum, shape) => sum + shape.count, 0);
      return { template: writeTokens(tokens), count, sample: members[0]?.sample ?? "", shapes: members };
    });
    return { templates, templateOf: (id) => place.get(id) ?? 0 };
  }
}

type Cluster<D> = { tokens: string[]; members: Shape<D>[] };

const manyWords = 6;
const manyCapitals = 10;
/** Matching words needed before a word counts as a value because others have a number in its place. */
const enoughContext = 3;

function joinShapes<D>(shapes: readonly Shape<D>[]): Cluster<D>[] {
  let clusters: Cluster<D>[] = shapes.map((shape) => ({ tokens: shape.tokens, members: [shape] }));
  for (let pass = 0; pass < 3; pass += 1) {
    const before = clusters.length;
    const longestTokens = Math.max(0, ...clusters.map(({ tokens }) => tokens.length));
    for (let at = 0; at < longestTokens; at += 1) clusters = joinAt(clusters, at);
    if (clusters.length === before) break;
  }
  return clusters.toSorted((a, b) => (a.members[0]?.id ?? 0) - (b.members[0]?.id ?? 0));
}

function joinAt<D>(clusters: readonly Cluster<D>[], at: number): Cluster<D>[] {
  const rest = clusters.filter(({ tokens }) => tokens.length <= at);
  const groups = Map.groupBy(
    clusters.filter(({ tokens }) => tokens.length > at),
    ({ tokens }) => [...tokens.slice(0, at), "\u0001", ...tokens.slice(at + 1)].join(" "),
  );
  const joined = [...groups.values()].flatMap((group) => {
    const words = group.map(({ tokens }) => tokens[at] ?? "");
    if (group.length < 2 || !isValue(words, group[0]?.tokens ?? [], at)) return group;
    const [key = ""] = /^[\w.-]+=/.exec(words[0] ?? "") ?? [];
    const isKeyed = key !== "" && words.every((word) => word.startsWith(key));
    const tokens = (group[0]?.tokens ?? []).with(at, isKeyed ? `${key}${variable}` : variable);
    const members = group.flatMap((one) => one.members).toSorted((a, b) => a.id - b.id);
    return [{ tokens, members }];
  });
  return [...rest, ...joined];
}

function isValue(words: readonly string[], tokens: readonly string[], at: number): boolean {
  const context = tokens.filter((token, index) => index !== at && /[A-Za-z]{2}/.test(token)).length;
  if (context === 0) return false;
  const hasNumber = words.some((word) => word.includes(variable));
  if (hasNumber && words.some((word) => /^(?:[\w.-]+=)?<\*>$/.test(word))) return context >= enoughContext;
  const capitals = words.every((word) => /^[A-Z][A-Z_]+$/.test(word));
  return words.length >= (capitals ? manyCapitals : manyWords);
}

function writeTokens(tokens: readonly string[]): string {
  return tokens.join(" ").replace(/<\*>(?: <\*>)+/g, variable);
}
