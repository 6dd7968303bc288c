export { formatNames } from "./header/read-header.ts";
export { type LineLabel, type GroupingMetrics, groupingMetrics } from "./grouping-metrics.ts";
export { matchTemplate } from "./mine/match-template.ts";
export { plainMiner, TemplateMiner } from "./mine/template-miner.ts";
export { parseLines, parseLogs, type ParseOptions, readTimeOption } from "./parse-logs.ts";
export * from "./parsed-log.ts";
export { quotedLine } from "./quoted-line.ts";
export { showParsedLog } from "./show-parsed-log.ts";
export { writeTemplateCsv } from "./template-csv.ts";
