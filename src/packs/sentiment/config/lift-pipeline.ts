/** Accepts the seeds' nesting: what stands under `pipeline` stands at the top; a key given twice stays a conflict. */
export function liftPipeline(value: unknown): unknown {
  if (!isObject(value) || !isObject(value.pipeline)) return value;
  const { pipeline, ...rest } = value;
  const twice = Object.keys(pipeline).filter((key) => key in rest);
  return twice.length > 0 ? { ...rest, pipeline } : { ...rest, ...renamed(pipeline) };
}

/** `override_profile` beside `debate_override` is the seeds' way to name a profile. */
function renamed(pipeline: Record<string, unknown>): Record<string, unknown> {
  const { override_profile, ...rest } = pipeline;
  if (override_profile === undefined) return rest;
  const override = isObject(rest.debate_override) ? rest.debate_override : {};
  return { ...rest, debate_override: { profile: override_profile, ...override } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
