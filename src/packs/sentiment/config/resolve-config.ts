import type * as z from "zod";
import { type Persona, PersonaSchema } from "../schemas/debate.ts";
import type { PlainConfig } from "./plain-config.ts";
import { defaultOrder, defaultPersonas, defaultRounds } from "./personas.ts";
import { profiles, type SpeakerCounts, type Thresholds } from "./profiles.ts";

/** The roles that are no speakers; a cast names roles, so their names must differ. */
const otherRoles = ["ate", "atsa", "validator", "judge", "ate_review", "atsa_review", "validator_review"];

/** The config that everything runs under, with nothing left open. */
export type SentimentConfig = ReturnType<typeof resolveConfig>;
export type WarningThresholds = SentimentConfig["debate_thresholds"];

/** Fills in what depends on style and profile; a speaker without a persona and too many rounds are errors (sentiment spec §3). */
export function resolveConfig(config: PlainConfig, context: z.RefinementCtx) {
  const { style, max_rounds } = config.debate;
  const order = config.debate.order ?? defaultOrder[style];
  const rounds = config.debate.rounds ?? Math.min(defaultRounds[style], max_rounds);
  const problem = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
  if (rounds > max_rounds) problem(["debate", "rounds"], `${rounds} rounds exceed max_rounds (${max_rounds})`);
  const personas = mergePersonas(config, problem);
  for (const [at, key] of order.entries()) {
    if (!Object.hasOwn(personas, key))
      problem(["debate", "order", at], `speaker "${key}" has no persona; known: ${Object.keys(personas).join(", ")}`);
    if (otherRoles.includes(key)) problem(["debate", "order", at], `"${key}" is the name of another role`);
    if (order.indexOf(key) !== at) problem(["debate", "order", at], `speaker "${key}" is named twice`);
  }
  for (const key of ["min_speakers", "flip_speakers"] as const) {
    const asked = config.settle[key] ?? 0;
    if (asked > order.length) problem(["settle", key], `${asked} exceeds the ${order.length} speakers of order`);
  }
  return {
    ...config,
    enable_debate: config.enable_debate && config.debate.enabled,
    debate: { ...config.debate, order, rounds, personas },
    debate_override: { profile: config.debate_override.profile, ...resolveThresholds(config) },
    settle: { ...config.settle, ...resolveSpeakers(config, order.length) },
  };
}

function resolveThresholds({ debate_override }: PlainConfig): Thresholds {
  const profile = profiles[debate_override.profile];
  return {
    min_total: debate_override.min_total ?? profile.min_total,
    min_margin: debate_override.min_margin ?? profile.min_margin,
    min_target_conf: debate_override.min_target_conf ?? profile.min_target_conf,
    ev_threshold: debate_override.ev_threshold ?? profile.ev_threshold,
    l3_conservative: debate_override.l3_conservative ?? profile.l3_conservative,
  };
}

/** A profile never asks for more speakers than there are. */
function resolveSpeakers({ settle, debate_override }: PlainConfig, speakers: number): SpeakerCounts {
  const profile = profiles[debate_override.profile];
  const resolve = (key: keyof SpeakerCounts) => {
    const own = profile[key];
    return settle[key] === undefined ? (own === null ? null : Math.min(own, speakers)) : settle[key];
  };
  return { min_speakers: resolve("min_speakers"), flip_speakers: resolve("flip_speakers") };
}

/** A configured persona merges over the default one of its key; a new key needs a full persona. */
function mergePersonas(config: PlainConfig, problem: (path: PropertyKey[], message: string) => void) {
  const personas: Record<string, Persona> = Object.fromEntries(
    Object.entries(defaultPersonas[config.debate.style]).map(([key, persona]) => [key, PersonaSchema.parse(persona)]),
  );
  for (const [key, given] of Object.entries(config.debate.personas)) {
    const merged = PersonaSchema.safeParse({ ...personas[key], ...given });
    if (merged.success) personas[key] = merged.data;
    else
      problem(["debate", "personas", key], `needs ${merged.error.issues.map((one) => one.path.join(".")).join(", ")}`);
  }
  return personas;
}
