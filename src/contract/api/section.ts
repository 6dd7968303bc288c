import * as z from "zod";
import type { Section } from "../view.ts";

const kinds = [
  "verdict",
  "facts",
  "text",
  "list",
  "code",
  "table",
  "highlight",
  "lines",
  "steps",
  "checks",
  "cards",
  "series",
  "chart",
  "runs",
  "group",
] as const satisfies Section["kind"][];

/** A section over the wire: what belongs to its kind is said by the `Section` type. */
export const SectionSchema = z.looseObject({ kind: z.enum(kinds), title: z.string() }) as unknown as z.ZodType<Section>;
