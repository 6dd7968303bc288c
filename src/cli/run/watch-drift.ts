import type { AnyPack } from "../../engine/pack.ts";
import type { BatchResult } from "../../runs/batch/batch.ts";
import { hasDrifted, measureDrift } from "../../runs/certificate/drift.ts";
import { findCertificate } from "../setting/certified.ts";
import type { RunOptions } from "../setting/options.ts";
import type { Io } from "../terminal/io.ts";

/** Watches whether the cases of a batch look like those that its certificate was found on. */
export type DriftWatch = { add(result: BatchResult): void; finish(): void };

/** Opens the watch; without a certificate it does nothing. */
export function openDriftWatch(io: Io, options: RunOptions, pack: AnyPack): DriftWatch {
  const certificate = findCertificate(io, options, pack.name);
  if (certificate === null) return { add: () => undefined, finish: () => undefined };
  const { confidences, file } = certificate;
  const seen: number[] = [];
  return {
    add({ decision }) {
      const confidence = decision === null ? null : (pack.measure?.confidence?.(decision) ?? null);
      if (confidence !== null) seen.push(confidence);
    },
    finish() {
      const drift = measureDrift(confidences, seen);
      if (drift === null || !hasDrifted(drift)) return;
      const chance = drift.p < 0.001 ? "less than 0.1 %" : `${(100 * drift.p).toFixed(1)} %`;
      io.err(
        `parley: these ${drift.cases} cases do not look like the ones that ${file} was found on (the confidences differ by ${drift.gap.toFixed(2)}; by chance: ${chance}): its promise may not hold here. Label some of them and certify again.\n`,
      );
    },
  };
}
