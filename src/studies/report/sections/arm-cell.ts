import type { Cell } from "../../../contract/view.ts";
import { isShare, formatRange, valueText } from "../../../text/number-text.ts";
import type { ArmSummary, MetricSummary } from "../../summary/summarise-arm.ts";

/** An arm's name with what kind of arm it is and what it is about. */
export function buildArmCell({ arm }: ArmSummary): Cell {
  return { text: arm.name, tag: arm.kind, ...(arm.about === null ? {} : { note: arm.about }) };
}

/** A value with its interval under it. */
export function metricCell(metric: MetricSummary | null | undefined, runs?: string): Cell {
  if (!metric) return "–";
  const share = isShare([metric.low, metric.high]);
  return { text: valueText(metric.estimate, share), note: formatRange(metric, share), runs };
}
