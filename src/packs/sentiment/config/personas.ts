import type { Persona, Style } from "../schemas/debate.ts";

/** The speakers of each style unless a config says otherwise (sentiment spec §3). */
export const defaultPersonas: Record<Style, Record<string, Persona>> = {
  patch: {
    epm: {
      name: "EPM",
      role: "Evidence–Polarity Mapper",
      goal: "determine polarity only when supported by explicit textual evidence",
    },
    tan: {
      name: "TAN",
      role: "Target–Aspect Normalizer",
      goal: "resolve null, duplicate or misaligned aspect targets",
    },
    cj: {
      name: "CJ",
      role: "Consistency Judge",
      goal: "produce a single, consistent set of aspect–polarity tuples",
    },
  },
  stance: {
    analyst: {
      name: "분석가 패널",
      stance: "neutral",
      role: "analyst",
      style: "dry, evidence-centred",
      goal: "neutral judgement from evidence",
    },
    critic: {
      name: "비평가 패널",
      stance: "con",
      role: "critic",
      style: "sharp, logical",
      goal: "strengthen the negative/critical reading",
    },
    empath: {
      name: "공감가 패널",
      stance: "pro",
      role: "empath",
      style: "warm, emotional",
      goal: "strengthen the positive/supportive reading",
    },
  },
};

export const defaultOrder: Record<Style, string[]> = {
  patch: ["epm", "tan", "cj"],
  stance: ["analyst", "critic", "empath"],
};

export const defaultRounds: Record<Style, number> = { patch: 1, stance: 2 };
