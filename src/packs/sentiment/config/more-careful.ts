import { profileNames, profiles } from "./profiles.ts";
import type { SentimentConfig } from "./resolve-config.ts";

/** The same config under each more careful profile, the nearest first; of every threshold the stricter one counts (sentiment spec §6). */
export function listMoreCareful(config: SentimentConfig): SentimentConfig[] {
  const names = profileNames.slice(0, profileNames.indexOf(config.debate_override.profile)).reverse();
  return names.map((profile): SentimentConfig => {
    const own = config.debate_override;
    const other = profiles[profile];
    return {
      ...config,
      debate_override: {
        profile,
        min_total: Math.max(own.min_total, other.min_total),
        min_margin: Math.max(own.min_margin, other.min_margin),
        min_target_conf: Math.max(own.min_target_conf, other.min_target_conf),
        ev_threshold: Math.max(own.ev_threshold, other.ev_threshold),
        l3_conservative: own.l3_conservative || other.l3_conservative,
      },
      settle: {
        ...config.settle,
        min_speakers: pickStricter(config.settle.min_speakers, other.min_speakers),
        flip_speakers: pickStricter(config.settle.flip_speakers, other.flip_speakers),
      },
    };
  });
}

/** Null is the strictest. */
function pickStricter(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b);
}
