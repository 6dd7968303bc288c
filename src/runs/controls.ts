import type { AnyPack } from "../engine/pack.ts";
import { isRecord } from "../text/json.ts";

/** The methods without a debate that studies compare with (product spec §5.1). */
export const controls = {
  single: "one player alone, no debate",
  vote: "independent openings, then a vote",
  self_consistency: "one player sampled as often as the reference's tokens allow, then a vote",
  in_order: "the players asked one by one until enough of them agree",
};
export type ControlName = keyof typeof controls;
export const controlNames = Object.keys(controls) as ControlName[];

export function makeControl(pack: AnyPack, name: ControlName, samples = 1): Record<string, unknown> | null {
  const settings = { protocol: name, ...(name === "self_consistency" ? { samples } : {}) };
  const parsed = pack.config.safeParse(settings);
  return parsed.success && isRecord(parsed.data) && parsed.data.protocol === name ? settings : null;
}
