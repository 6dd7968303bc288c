/** Thresholds of the override gate and of adoption (sentiment spec §6). */
export type Thresholds = {
  min_total: number;
  min_margin: number;
  min_target_conf: number;
  ev_threshold: number;
  l3_conservative: boolean;
};

/** How many speakers settling asks for (sentiment spec §6a); null: all of them for an addition, none suffice for a flip. */
export type SpeakerCounts = { min_speakers: number | null; flip_speakers: number | null };

/** From cautious to eager. */
export const profileNames = ["t0", "t1", "t2"] as const;
export type ProfileName = (typeof profileNames)[number];

/** The thresholds of a config, without the profile's name. */
export function pickThresholds(from: Thresholds): Thresholds {
  const { min_total, min_margin, min_target_conf, ev_threshold, l3_conservative } = from;
  return { min_total, min_margin, min_target_conf, ev_threshold, l3_conservative };
}

/** In each profile the margin asked for is half the total, which is how the gate compares aspects. */
export const profiles: Record<ProfileName, Thresholds & SpeakerCounts> = {
  t0: {
    min_total: 1.6,
    min_margin: 0.8,
    min_target_conf: 0.7,
    ev_threshold: 0.5,
    l3_conservative: true,
    min_speakers: null,
    flip_speakers: null,
  },
  t1: {
    min_total: 1.0,
    min_margin: 0.5,
    min_target_conf: 0.6,
    ev_threshold: 0.4,
    l3_conservative: true,
    min_speakers: 3,
    flip_speakers: 2,
  },
  t2: {
    min_total: 0.6,
    min_margin: 0.3,
    min_target_conf: 0.55,
    ev_threshold: 0.3,
    l3_conservative: false,
    min_speakers: 2,
    flip_speakers: 2,
  },
};
