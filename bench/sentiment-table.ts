import { changers, type Measured, systems } from "./sentiment-measure.ts";
import { classify, tupleF1 } from "./sentiment-score.ts";

const percent = (value: number) => (100 * value).toFixed(1).padStart(6);

/** One dataset: both tasks for baselines, Stage 1, vote and debate, and what the debate did. */
export function printMeasured(measured: Measured): void {
  const { name, texts, judged, policy, seconds } = measured;
  console.log(
    `${name}: ${texts} texts, ${judged.length} gold aspects, neutral policy ${policy}, ${(texts / seconds).toFixed(0)} texts/s (Stage 1, debate, Stage 2 and rules)`,
  );
  console.log("              given aspects        from the text (exact term and polarity)");
  console.log("              accuracy  macro-F1   precision  recall     F1");
  for (const system of systems) {
    const { accuracy, macroF1 } = classify(judged, system);
    const { precision, recall, f1 } = tupleF1(measured.tuples[system] ?? []);
    console.log(
      `  ${system.padEnd(10)}  ${percent(accuracy)}    ${percent(macroF1)}     ${percent(precision)}   ${percent(recall)} ${percent(f1)}`,
    );
  }
  for (const task of ["polarity", "tuple"] as const) {
    const own = measured.changes.filter((change) => change.task === task);
    const count = (effect: string) => own.filter((change) => change.effect === effect).length;
    console.log(
      `  debate on ${task === "polarity" ? "given aspects" : "tuples"}: fixed ${count("fixed")}, broke ${count("broken")}, changed one wrong answer to another ${count("other")}`,
    );
  }
}

/** Accuracy and macro-F1 of each language over all its datasets. */
export function printTotal(all: readonly Measured[]): void {
  for (const lang of ["en", "ko"]) {
    const judged = all.filter((one) => one.lang === lang).flatMap((one) => one.judged);
    if (judged.length === 0) continue;
    console.log(`${lang}, all given aspects (${judged.length})`);
    for (const system of systems) {
      const { accuracy, macroF1 } = classify(judged, system);
      console.log(`  ${system.padEnd(10)}  accuracy ${percent(accuracy)}  macro-F1 ${percent(macroF1)}`);
    }
  }
}

/** How often each way to change Stage 1 repaired a wrong answer and broke a right one, set by set. */
export function printChanges(all: readonly Measured[]): void {
  console.log("\nright on given aspects, and answers of Stage 1 that were repaired / broken");
  console.log(`${"".padEnd(28)}${["aspects", "stage 1", ...changers].map((name) => name.padStart(16)).join("")}`);
  for (const { name, judged } of all) {
    const cells = changers.map((changer) => {
      const was = (one: Measured["judged"][number], system: string) => one.said[system] === one.gold;
      const fixed = judged.filter((one) => !was(one, "stage 1") && was(one, changer)).length;
      const broken = judged.filter((one) => was(one, "stage 1") && !was(one, changer)).length;
      return `${percent(classify(judged, changer).accuracy)} ${`${fixed}/${broken}`.padStart(9)}`;
    });
    const first = percent(classify(judged, "stage 1").accuracy).padStart(16);
    console.log(`${name.padEnd(28)}${String(judged.length).padStart(16)}${first}${cells.join("")}`);
  }
}
