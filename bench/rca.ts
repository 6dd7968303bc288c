/** `npm run bench:rca`: root causes of labelled failures, against every baseline of root-cause spec §7, in one run. */
import { benchHadoop } from "./rca/hadoop-bench.ts";
import { benchNezha } from "./rca/nezha-bench.ts";
import { findRcaFolder } from "./rca/cases.ts";

if (findRcaFolder() === null) {
  console.log(
    "SKIPPED: no labelled failures found. Set PARLEY_DATA to the folder that holds rca/hadoop_labeled.jsonl.gz.",
  );
} else {
  console.log(
    "Expert cast: deterministic programs, no model. A judge score is not a measure of correctness and is not reported.",
  );
  await benchHadoop();
  await benchNezha();
}
