/** `npm run bench:rca`: root causes of written incidents and of labelled failures, against every baseline of root-cause spec §7, in one run. */
import { benchCalibration } from "./rca/calibration-bench.ts";
import { benchFit } from "./rca/fit-bench.ts";
import { benchHadoop } from "./rca/hadoop-bench.ts";
import { benchHistory } from "./rca/history-bench.ts";
import { benchIncidents } from "./rca/incident-bench.ts";
import { benchMixed } from "./rca/mixed-bench.ts";
import { benchNezha } from "./rca/nezha-bench.ts";
import { findRcaFolder } from "./rca/cases.ts";

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

console.log(
  "Expert cast: deterministic programs, no model. A judge score is not a measure of correctness and is not reported.",
);
if (isWanted("incidents")) await benchIncidents(process.argv.includes("--verbose"));
if (isWanted("mixed")) await benchMixed();
if (isWanted("history")) await benchHistory();
if (findRcaFolder() === null) {
  console.log(
    "SKIPPED: no labelled failures found. Set PARLEY_DATA to the folder that holds rca/hadoop_labeled.jsonl.gz.",
  );
} else {
  if (isWanted("hadoop")) await benchHadoop();
  if (isWanted("nezha")) await benchNezha();
  if (isWanted("calibration")) await benchCalibration();
  if (wanted.includes("fit")) await benchFit();
}
