import { formats } from "./formats.ts";
import type { HeadReader, ReadEvent } from "./header-format.ts";
import { logfmtReader } from "./logfmt-line.ts";
import { createPatternReader } from "./pattern-reader.ts";
import type { TimestampReader } from "./timestamp-reader.ts";

/** The layouts that lines have inside what a container runtime or a journal puts around them. */
const inner: readonly HeadReader[] = [...formats.map(createPatternReader), logfmtReader];
const mayHaveHead = /^[[<{(]?\d|^[A-Z][a-z]{2} +\d|^\[|^[A-Za-z_]+=|^[IWEF]\d{4} |^[A-Z]{4,8}\b|^<\d/;

/** Reads a line that stood inside another one; null when it has no head that tells a time or a level. */
export function readWrapped(text: string, times: TimestampReader): ReadEvent | null {
  if (!mayHaveHead.test(text)) return null;
  for (const reader of inner) {
    const event = reader.read(text, times);
    if (event !== null && (event.level !== null || event.timestamp !== null)) return event;
  }
  return null;
}
