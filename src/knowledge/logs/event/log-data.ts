import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Level } from "../../../contract/parsed-log.ts";

/** A line layout: `pattern` matches the header, the message follows; `program` is the only one that writes it. */
export type Layout = { name: string; pattern: string; fields: readonly string[]; program?: string };
export type Wrapping = { name: string; pattern: string; holds_head?: boolean };
type LayoutData = {
  parts: Record<string, string>;
  layouts: readonly Layout[];
  wrappings: readonly Wrapping[];
  fields: Record<string, readonly string[]>;
  levels: Record<Level, readonly string[]>;
};

type WordData = {
  levels: Record<"fatal" | "error" | "warning" | "harmless", string>;
  error_types: Record<string, string>;
  no_component: string;
  threads: string;
  endings: readonly string[];
  aliases: Record<string, readonly string[]>;
  identities: string;
  sizes: string;
  held: string;
  waits: string;
  ordered: string;
  losing: string[];
};

function readData(name: string): unknown {
  return parse(readFileSync(new URL(`../../../../data/rca/${name}`, import.meta.url), "utf8")) as unknown;
}

const data = readData("log-layouts.yaml") as LayoutData;

export const layoutData: LayoutData = data;
export const wordData = readData("log-words.yaml") as WordData;

export function compilePattern(pattern: string): RegExp {
  const fill = (text: string): string =>
    text.replace(/\{([a-z_]+)\}/g, (whole, name: string) => {
      const part = data.parts[name];
      return part === undefined ? whole : fill(part);
    });
  return new RegExp(fill(pattern));
}
