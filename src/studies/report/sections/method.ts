import { stringify } from "yaml";
import type { Section } from "../../../contract/view.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";

/** How it was measured, and what exactly ran: versions, hashes, settings. */
export function buildMethodSection({ manifest, arms }: StudySummary): Section {
  const { code, dataset } = manifest;
  const rows = [
    { label: "parley", value: `${code.parley}${code.commit ? `, commit ${code.commit.slice(0, 12)}` : ""}` },
    { label: "pack", value: manifest.pack },
    { label: "dataset", value: `${dataset.path}, ${dataset.cases} cases, sha256 ${dataset.hash.slice(0, 16)}…` },
    { label: "study file", value: `sha256 ${manifest.study_hash.slice(0, 16)}…` },
    { label: "players", value: manifest.models.join(", ") || "–" },
    { label: "seeds", value: manifest.seeds.join(", ") },
    { label: "started", value: manifest.started_at },
  ];
  return {
    kind: "group",
    title: "How this was measured",
    id: "method",
    sections: [
      { kind: "text", title: "", text: explainMethod(manifest.primary) },
      { kind: "facts", title: "What ran", rows },
      { kind: "group", title: "Arms", sections: arms.map(buildArmSection) },
    ],
  };
}

function explainMethod(primary: string): string {
  return `Every arm ran on the same cases. Gold was split off when the data was loaded and met nothing but finished decisions. A case without a decision scores 0. A case is right when ${primary} is 1; with several seeds, when it is right in more than half of them.

Intervals are 95 % percentile bootstraps over cases (seeds of a case are averaged first), or Wilson intervals where a metric is a plain share of cases; differences are paired by case, McNemar's test is exact and two-sided, and p-values are corrected with Holm's method over all arms compared. The self-consistency control gets, case by case, as many samples as fit the tokens that the reference arm used on that case.`;
}

function buildArmSection({ arm }: StudySummary["arms"][number]): Section {
  const again = arm.redecide === null ? "" : `, decided again on the turns of ${arm.redecide}`;
  const text = Object.keys(arm.settings).length === 0 ? "the pack's defaults" : stringify(arm.settings);
  return {
    kind: "group",
    title: `${arm.name}: cast ${arm.cast}${again}, config ${arm.config_hash.slice(0, 12)}`,
    folded: true,
    sections: [{ kind: "code", title: "", text }],
  };
}
