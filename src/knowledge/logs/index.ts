/** Logs from files, folders, globs and streams as a parsed log: events, templates, entities, errors, timeline. */
export * from "../../contract/parsed-log.ts";
export { isComponentName, keyEntity, nameEntity, nameFile, readLeadingName } from "./names.ts";
export { findLogEnd, parseLines, parseLogs, type ParseOptions } from "./parse-logs.ts";
export { readTimePoint, resolveWindow, type TimePoint } from "./time-window.ts";
