/** A field of a form, as JSON Schema describes it: the part of it that schemas here use. */
export type Field = {
  type?: string | string[];
  enum?: unknown[];
  /** What a form calls it. */
  title?: string;
  description?: string;
  anyOf?: Field[];
  oneOf?: Field[];
  properties?: Record<string, Field>;
  required?: string[];
  items?: Field;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  default?: unknown;
};

/** How a field is filled in. */
type Kind = "choice" | "choices" | "yes" | "number" | "text" | "texts" | "parts" | "rows";

/** The field itself, without the leave to be null; of several shapes, the first that a person can fill in. */
export function pickField(field: Field): Field {
  const shapes = (field.anyOf ?? field.oneOf ?? []).filter(({ type }) => type !== "null");
  const parts = shapes.find(({ properties }) => properties !== undefined);
  const picked = shapes.length === 0 ? field : (parts ?? shapes[0] ?? field);
  return picked === field
    ? field
    : {
        ...pickField(picked),
        ...(field.title && { title: field.title }),
        ...(field.description && { description: field.description }),
      };
}

export function kindOf(given: Field): Kind {
  const field = pickField(given);
  const types = [field.type ?? []].flat();
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

/** The values to choose from, without null. */
export function listChoices(field: Field): string[] {
  return (pickField(field).enum ?? []).filter((choice) => choice !== null).map(String);
}

/** True when a field may stay empty. */
export function mayBeNull(field: Field): boolean {
  const shapes = [field, ...(field.anyOf ?? []), ...(field.oneOf ?? [])];
  return shapes.some(({ type }) => [type ?? []].flat().includes("null"));
}

/** What stands in a field before anyone wrote there. */
function emptyOf(field: Field): unknown {
  if (field.default !== undefined) return field.default;
  const kind = kindOf(field);
  if (kind === "choices" || kind === "texts" || kind === "rows") return [];
  if (kind === "parts") return mayBeNull(field) ? null : emptyParts(field);
  if (kind === "yes") return false;
  return kind === "text" && !mayBeNull(field) ? "" : null;
}

/** An object with nothing in it yet; what need not be there is left out. */
export function emptyParts(given: Field): Record<string, unknown> {
  const field = pickField(given);
  const required = new Set(field.required ?? []);
  return Object.fromEntries(
    Object.entries(field.properties ?? {}).flatMap(([key, inner]) =>
      required.has(key) ? [[key, emptyOf(inner)]] : [],
    ),
  );
}

/** What is sent: texts without the empty lines that writing leaves behind, null where nothing was written. */
export function tidyValue(given: Field, value: unknown): unknown {
  const field = pickField(given);
  const kind = kindOf(given);
  if (kind === "texts" && Array.isArray(value))
    return value.map((line) => String(line).trim()).filter((line) => line !== "");
  if (kind === "rows" && Array.isArray(value)) return value.map((row: unknown) => tidyValue(field.items ?? {}, row));
  if (kind === "parts" && typeof value === "object" && value !== null) {
    const parts = value as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(parts).flatMap(([key, part]) => {
        const tidy = tidyValue(field.properties?.[key] ?? {}, part);
        const isLeftOut = (tidy === "" || tidy === null) && !(field.required ?? []).includes(key);
        return isLeftOut ? [] : [[key, tidy]];
      }),
    );
  }
  if (value === "" && mayBeNull(given)) return null;
  return value;
}
