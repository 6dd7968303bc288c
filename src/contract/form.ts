/** A reply's JSON schema as people fill it in, in the browser and in a terminal. */
export type Field = {
  type?: string | string[];
  enum?: unknown[];
  title?: string;
  labels?: Record<string, string>;
  anyOf?: Field[];
  oneOf?: Field[];
  properties?: Record<string, Field>;
  required?: string[];
  items?: Field;
  minimum?: number;
  maximum?: number;
  default?: unknown;
};

type Kind = "choice" | "choices" | "yes" | "number" | "text" | "texts" | "parts" | "rows";

export function pickField(field: Field): Field {
  const shapes = (field.anyOf ?? field.oneOf ?? []).filter(({ type }) => type !== "null");
  const picked = shapes.find(({ properties }) => properties !== undefined) ?? shapes[0];
  return picked ? { ...pickField(picked), ...(field.title && { title: field.title }) } : field;
}

export function kindOf(given: Field): Kind {
  const field = pickField(given);
  const types = [field.type ?? []].flat().filter((type) => type !== "null");
  if (field.enum) return "choice";
  if (field.properties) return "parts";
  if (types.includes("array") || field.items) {
    const item = pickField(field.items ?? {});
    if (item.enum) return "choices";
    return item.properties ? "rows" : "texts";
  }
  if (types.includes("boolean") && types.length === 1) return "yes";
  if (types.some((type) => type === "number" || type === "integer") && !types.includes("string")) return "number";
  return "text";
}

export function sayField(name: string, field: Field | undefined): string {
  const said = field?.title ?? name.replaceAll(/[_-]+/g, " ");
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** What `describeProblem` says, with the form's labels in place of the path. */
export function sayProblem(problem: string, schema: Field): string {
  const [, path = "", rest = ""] = /^`([^`]+)`: (.*)$/s.exec(problem) ?? [];
  const named = namePath(path.split("."), schema);
  return named === "" ? problem : `${named}: ${rest}`;
}

function namePath([key = "", at = "", ...rest]: string[], given: Field): string {
  const field = pickField(given).properties?.[key];
  if (!field) return "";
  const isRow = pickField(field).items !== undefined && /^\d+$/.test(at);
  const inner = isRow ? namePath(rest, pickField(field).items ?? {}) : namePath([at, ...rest], field);
  const name = `${sayField(key, field)}${isRow ? ` ${Number(at) + 1}` : ""}`;
  return inner === "" ? name : `${name}, ${inner}`;
}

export function mayBeNull(field: Field): boolean {
  const shapes = [field, ...(field.anyOf ?? []), ...(field.oneOf ?? [])];
  return shapes.some(({ type }) => [type ?? []].flat().includes("null"));
}

export function emptyParts(given: Field): Record<string, unknown> {
  const { properties = {}, required = [] } = pickField(given);
  return Object.fromEntries(
    required.flatMap((key) => {
      const empty = emptyOf(properties[key] ?? {});
      return empty === undefined ? [] : [[key, empty]];
    }),
  );
}

function emptyOf(field: Field): unknown {
  if (field.default !== undefined) return field.default;
  const kind = kindOf(field);
  if (kind === "choices" || kind === "texts" || kind === "rows") return [];
  if (kind === "parts") return mayBeNull(field) ? null : emptyParts(field);
  if (kind === "yes") return false;
  if (kind === "text") return mayBeNull(field) ? null : "";
  return undefined;
}

/**
 * Required fields that are empty, at any depth. A nullable choice must still be made; with `hasSides`, numbers are
 * choices too.
 */
export function listMissing(given: Field, value: Record<string, unknown>, hasSides = true): string[] {
  const { properties = {}, required = [] } = pickField(given);
  const isChosen = (field: Field): boolean => kindOf(field) === "choice" || (hasSides && isNumbering(field));
  return required.flatMap((key) => {
    const field = properties[key] ?? {};
    const part = value[key];
    const name = sayField(key, field);
    if (kindOf(field) === "rows" && Array.isArray(part))
      return part.flatMap((row: Record<string, unknown>, at) =>
        listMissing(pickField(field).items ?? {}, row, hasSides).map(
          (inner) => `${name} ${typeof row.label === "string" && row.label !== "" ? row.label : at + 1}, ${inner}`,
        ),
      );
    const isEmpty = part === undefined || (typeof part === "string" && part.trim() === "");
    return isEmpty && (isChosen(field) || !mayBeNull(field)) ? [name] : [];
  });
}

/** True for positive integers without an upper bound: they count things the role was shown. */
export function isNumbering(field: Field): boolean {
  const { type, minimum, maximum } = pickField(field);
  const isOpen = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER;
  return [type ?? []].flat().includes("integer") && minimum === 1 && isOpen;
}

/** The first number outside its range, at any depth; null if there is none. */
export function findOutside(given: Field, value: unknown, name = ""): string | null {
  const { properties = {}, items = {}, minimum = -Infinity, maximum = Infinity } = pickField(given);
  if (typeof value === "number")
    return value >= minimum && value <= maximum
      ? null
      : `${sayField(name, given)}: give a number from ${minimum} to ${maximum}.`;
  if (typeof value !== "object" || value === null) return null;
  const found = Object.entries(value).map(([key, part]) =>
    Array.isArray(value) ? findOutside(items, part, name) : findOutside(properties[key] ?? {}, part, key),
  );
  return found.find((one) => one !== null) ?? null;
}

/** One line of a list: text, a number, or a list of its own with commas. */
function readLine(item: Field, line: string): unknown {
  const kind = kindOf(item);
  if (kind === "texts") return line.split(",").map((part) => readLine(pickField(item).items ?? {}, part.trim()));
  return kind === "number" && line.trim() !== "" && !Number.isNaN(Number(line)) ? Number(line) : line;
}

function listEmpty({ properties = {}, required = [] }: Field): Record<string, null> {
  const open = required.filter((key) => mayBeNull(properties[key] ?? {}));
  return Object.fromEntries(open.map((key) => [key, null]));
}

export function tidyValue(given: Field, value: unknown): unknown {
  const field = pickField(given);
  const kind = kindOf(given);
  if (kind === "texts" && Array.isArray(value))
    return value
      .map((line) => String(line).trim())
      .filter((line) => line !== "")
      .map((line) => readLine(field.items ?? {}, line));
  if (kind === "rows" && Array.isArray(value)) return value.map((row: unknown) => tidyValue(field.items ?? {}, row));
  if (kind === "parts" && typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries({ ...listEmpty(field), ...value }).flatMap(([key, part]) => {
        const tidy = tidyValue(field.properties?.[key] ?? {}, part ?? null);
        const isLeftOut = (tidy === "" || tidy === null) && !(field.required ?? []).includes(key);
        return isLeftOut ? [] : [[key, tidy]];
      }),
    );
  return value === "" && mayBeNull(given) ? null : value;
}

/** One fenced block of a prompt; `value` is its JSON, or its text. */
export type ShownBlock = { label: string; value: unknown };

const block = /^\[([^\]\n]+)\]\n(`{3,})\w*\n([\s\S]*?)\n\2$/gm;

export function readBlocks(prompt: readonly string[]): ShownBlock[] {
  return prompt.flatMap((piece) =>
    [...piece.matchAll(block)].map(([, label = "", , text = ""]) => ({ label, value: parseJson(text) })),
  );
}

/** How a reply form is adapted to a role: fields known beforehand, labels for the others, and names to choose from. */
export type FormNames = {
  known?: object;
  labels: Record<string, string>;
  choices?: Record<string, Record<string, string>>;
};

function nameFields(field: Field, names: FormNames): Field {
  const parts = Object.entries(field.properties ?? {}).map(([key, inner]) => {
    const title = names.labels[key] ?? inner.title;
    const named = offerChoices(nameFields(inner, names), names.choices?.[key]);
    return [key, { ...named, ...(title !== undefined && { title }) }];
  });
  return {
    ...field,
    ...(field.properties && { properties: Object.fromEntries(parts) as Record<string, Field> }),
    ...(field.items && { items: nameFields(field.items, names) }),
  };
}

function offerChoices(field: Field, labels: Record<string, string> = {}): Field {
  if (Object.keys(labels).length === 0) return field;
  if (field.items) return { ...field, items: offerChoices(field.items, labels) };
  return { ...field, enum: Object.keys(labels), labels };
}

/**
 * Rows about labelled things that the role was shown, such as scores of hypotheses: one row each, with the label as a
 * choice.
 */
export function fitForm(given: Field, prompt: readonly string[], names: FormNames = { labels: {} }): Field {
  const schema = nameFields(given, names);
  const isAsked = (name: string): boolean => !Object.hasOwn(names.known ?? {}, name);
  const isLabelled = (one: unknown): one is Record<string, unknown> & { label: string } =>
    typeof Object(one).label === "string";
  const lists = readBlocks(prompt).flatMap(({ value }) => (Array.isArray(value) ? [value.filter(isLabelled)] : []));
  const shown = lists.findLast((list) => list.length > 0);
  const fit = (field: Field): Field => {
    const item = pickField(pickField(field).items ?? {});
    if (!shown || kindOf(field) !== "rows" || item.properties?.label?.type !== "string") return field;
    const labels = Object.fromEntries(shown.map(({ label, ...rest }) => [label, `${label}: ${sayBeginning(rest)}`]));
    const label: Field = { ...item.properties.label, enum: Object.keys(labels), labels };
    const items = { ...item, properties: { ...item.properties, label } };
    return { ...field, items, default: shown.map((one) => ({ ...emptyParts(items), label: one.label })) };
  };
  const asked = Object.entries(schema.properties ?? {}).filter(([name]) => isAsked(name));
  const properties = Object.fromEntries(asked.map(([name, field]) => [name, fit(field)]));
  return { ...schema, properties, required: (schema.required ?? []).filter(isAsked) };
}

/** The first two texts of a record, without single words such as ids. */
function sayBeginning(record: object): string {
  return Object.values(record).flatMap(listTexts).slice(0, 2).join(" — ");
}

/** `answer` is the thing's own answer, if it has one; `texts` are all of its longer texts. */
export type Numbered = { label: string; number: number; text: string; answer: string | null; texts: string[] };

/** The numbered things in a prompt, from its last group: the answers of the last round, the hypotheses. */
export function listNumbered(prompt: readonly string[]): Numbered[] {
  const all = readBlocks(prompt).flatMap((shown) => {
    const [, group = "", number = ""] = /^(.+) (\d+)$/.exec(shown.label) ?? [];
    return number === "" ? [] : [{ ...shown, group, number: Number(number) }];
  });
  const byLabel = new Map(all.map(({ label, value }) => [label, value]));
  return all
    .filter(({ group }) => group === all.at(-1)?.group)
    .map(({ group, number, value: shown }) => {
      // A repeated thing is shown by the label of the first.
      const value = byLabel.get(String(Object(shown).repeats)) ?? shown;
      const { answer, ...rest } = Object(value) as Record<string, unknown>;
      const said = typeof answer === "string" ? answer : null;
      const reason = typeof value === "string" ? value : listTexts(rest)[0];
      const text = [...new Set([said, reason])].filter(Boolean).join(" — ");
      return {
        label: `${group.split(" ").at(-1)?.toLowerCase()} ${number}`,
        number,
        text,
        answer: said,
        texts: listTexts(value),
      };
    });
}

/** The texts in a value, longest first, without single words such as ids. */
export function listTexts(value: unknown): string[] {
  const found = typeof value === "string" ? [value].filter((text) => text.length > 8) : listInner(value);
  return found.toSorted((a, b) => b.length - a.length);
}

function listInner(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
