/** Logs from files, folders, globs and streams as a parsed log: events, templates, entities, errors, timeline. */
export { isComponentName } from "./header/component-name.ts";
export { areSameEntity, nameEntity } from "./digest/name-entity.ts";
export { formatNames } from "./header/read-header.ts";
export { parseText } from "./parse-text.ts";
export { matchTemplate } from "./mine/match-template.ts";
export { createPlainMiner, TemplateMiner } from "./mine/template-miner.ts";
export { parseLines, parseLogs, type ParseOptions, readTimeOption } from "./parse-logs.ts";
export { quoteLine } from "./quote-line.ts";
export * from "./schemas/parsed-log.ts";
export { showParsedLog } from "./show-parsed-log.ts";
export { writeTemplateCsv } from "./write-template-csv.ts";
