/** Reads logs from files, folders, globs and streams into a parsed log: events, templates, entities, errors, timeline. */
export * from "../../contract/parsed-log.ts";
export { wordData } from "./event/log-data.ts";
export {
  isBracketedComponent,
  isComponentName,
  keyEntity,
  nameEntity,
  nameFile,
  readLeadingName,
} from "./event/names.ts";
export { findLogEnd, parseLines, parseLogs, type ParseOptions, ParseSession } from "./parse-logs.ts";
export { TimestampReader } from "./read/timestamps.ts";
