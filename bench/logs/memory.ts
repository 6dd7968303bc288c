/** Parses the given log and prints how long it took and the largest resident set of this process. */
import { parseLogs } from "../../src/knowledge/logs/index.ts";

const start = performance.now();
const log = await parseLogs(process.argv.slice(2), { nowMs: 0 });
const seconds = (performance.now() - start) / 1000;
const peakMb = process.resourceUsage().maxRSS / 1024;
console.log(
  `${log.totals.lines} lines in ${seconds.toFixed(1)} s (${Math.round(log.totals.lines / seconds)} lines/s), ${log.totals.templates} templates, peak RSS ${peakMb.toFixed(0)} MB`,
);
