/** Logs from files, folders, globs and streams as a parsed log: events, templates, entities, errors, timeline. */
export { isComponentName } from "./header/component-name.ts";
export { areSameEntity, keyEntity, nameEntity, nameFile } from "./digest/name-entity.ts";
export { type FollowedLines, followFile, LineBuffer } from "./follow/follow-file.ts";
export { watchIncidents } from "./follow/watch-incidents.ts";
export { formatNames } from "./header/read-header.ts";
export { parseText } from "./parse-text.ts";
export { matchTemplate } from "./mine/match-template.ts";
export { createPlainMiner, TemplateMiner } from "./mine/template-miner.ts";
export { readTimePoint, resolveWindow, type TimePoint } from "./clocks/read-time-point.ts";
export { findLogEnd, parseLines, parseLogs, type ParseOptions } from "./parse-logs.ts";
export { readTopology } from "./read/read-topology.ts";
export { quoteLine } from "./quote-line.ts";
export { readLeadingName } from "./digest/voices.ts";
export * from "../../contract/parsed-log.ts";
export { type LogPart, logParts, showParsedLog, showPart } from "./show-parsed-log.ts";
export { writeTemplateCsv } from "./write-template-csv.ts";
