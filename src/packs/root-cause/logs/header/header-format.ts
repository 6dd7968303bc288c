import type { Level } from "../parsed-log.ts";
import type { TimeLayout, YearClock } from "./timestamp.ts";

/** What the captured parts of a header are. */
export type HeaderField = "time" | "level" | "priority" | "component" | "host" | "service";

/** A line layout: `pattern` matches the header only, the message is what follows it. */
export type HeaderFormat = {
  name: string;
  about: string;
  pattern: RegExp;
  fields: readonly HeaderField[];
  layout: TimeLayout;
};

/** A line taken apart. */
export type LineHead = {
  message: string;
  timestamp: number | null;
  level: Level | null;
  component: string | null;
  host: string | null;
  service: string | null;
};

/** Takes a line apart, or says null when it is not of this layout. */
export type HeadReader = { name: string; read(line: string, clock: YearClock): LineHead | null };
