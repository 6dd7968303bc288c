import { sayName } from "../text/words.ts";

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

export function sayField(name: string, field: Field | undefined): string {
  const said = field?.title ?? sayName(name);
  return said.charAt(0).toUpperCase() + said.slice(1);
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

export function listMissing(given: Field, value: Record<string, unknown>): string[] {
  const { properties = {}, required = [] } = pickField(given);
  return required
    .filter((key) => value[key] === undefined || value[key] === "")
    .map((key) => sayField(key, properties[key]));
}

export function tidyValue(given: Field, value: unknown): unknown {
  const field = pickField(given);
  const kind = kindOf(given);
  if (kind === "texts" && Array.isArray(value))
    return value.map((line) => String(line).trim()).filter((line) => line !== "");
  if (kind === "rows" && Array.isArray(value)) return value.map((row: unknown) => tidyValue(field.items ?? {}, row));
  if (kind === "parts" && typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, part]) => {
        const tidy = tidyValue(field.properties?.[key] ?? {}, part);
        const isLeftOut = (tidy === "" || tidy === null) && !(field.required ?? []).includes(key);
        return isLeftOut ? [] : [[key, tidy]];
      }),
    );
  return value === "" && mayBeNull(given) ? null : value;
}
