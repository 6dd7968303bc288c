import { type SyntheticSettings, writeSyntheticSettings } from "../synthetic/settings.ts";

/** Who plays a role, as data. */
export type PlayerPlan =
  | { kind: "expert" }
  | { kind: "person" }
  | { kind: "recording"; run: string }
  | { kind: "synthetic"; settings: SyntheticSettings }
  | { kind: "recorded"; set: string; model: string }
  | { kind: "model"; provider: string; model: string };

/** A cast as data: who plays each role that it covers. */
export type CastPlan = { text: string; roles: Record<string, PlayerPlan> };

/** A player as a cast string names it. */
export function playerNameOf(plan: PlayerPlan): string {
  if (plan.kind === "synthetic") return `synthetic(${writeSyntheticSettings(plan.settings)})`;
  if (plan.kind === "recorded") return `recorded(${plan.set}:${plan.model})`;
  if (plan.kind === "model") return `${plan.provider}/${plan.model}`;
  return plan.kind === "recording" ? `recording/${plan.run}` : plan.kind;
}
