import * as z from "zod";
import { noCost } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import type { TurnContext } from "../engine/player.ts";
import { renderPrompt } from "../engine/prompt.ts";
import { defineRole } from "../engine/role.ts";
import { buildCast, parseCast } from "../players/cast.ts";
import type { CastOptions } from "../players/endpoints.ts";
import type { DoctorCheck } from "../runs/doctor.ts";
import type { UserConfig } from "../runs/user-config.ts";
import type { Io } from "./io.ts";

const probe = defineRole({
  name: "probe",
  reply: z.strictObject({ reason: z.string(), ok: z.boolean() }),
  prompt: () => ({
    instructions: 'Say in one word why, and that you are ready: {"reason": "ready", "ok": true}.',
    blocks: [],
    own: [],
  }),
});

export async function probeModel(io: Io, config: UserConfig, model: string): Promise<DoctorCheck> {
  const { endpoints, prices } = config;
  const options: CastOptions = { env: io.env, endpoints, prices, retry: { tries: 1 } };
  const started = performance.now();
  let isReported = false;
  try {
    const settings = { maxOutputTokens: 2048, outputCeiling: 2048 };
    const player = buildCast(parseCast(model, ["probe"], options), { ...options, settings })("probe");
    const context = makeContext(io, () => (isReported = true));
    const { reply, usage } = await player.play(probe, {}, context);
    const isAsAsked = fits("text" in reply ? reply.text : "");
    const known = isReported
      ? `reported (${usage.inputTokens + usage.outputTokens} tokens)`
      : "not reported: calls count as the most they can cost";
    const message = `answered ${isAsAsked ? "as asked" : "differently"} in ${Math.round(performance.now() - started)} ms, usage ${known}`;
    if (isAsAsked) return { name: model, state: "ok", message };
    const fix = "it does not follow the schema: expect repairs; a larger model may do better";
    return { name: model, state: "note", message, fix };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { name: model, state: "wrong", message: error.message, fix: adviseFix(error) };
  }
}

/** Endpoint settings that turn off what it refused. */
const refusals = {
  "seed: false": /\bseed\b/i,
  "stream: off": /stream/i,
  "structured_output: false": /response_format|json_schema|structured|grammar/i,
};

function adviseFix({ code, message }: ParleyError): string {
  if (code === "missing_key") return "export the variable in this shell, or name another under `endpoints` (key_env)";
  if (code === "bad_cast" || code === "bad_config") return "write it as PROVIDER/MODEL, e.g. openai/gpt-5-mini";
  const [refused] = Object.entries(refusals).find(([, said]) => said.test(message)) ?? [];
  if (refused !== undefined) return `under \`endpoints\` set ${refused} for it`;
  return "check that the address is right and reachable, that the key may use this model, and the model's name";
}

/** A turn outside any debate; a call is settled only if its usage is known. */
function makeContext(io: Io, onSettled: () => void): TurnContext {
  const prompt = probe.prompt({});
  const rendered = renderPrompt(prompt);
  return {
    key: { round: 0, step: "probe", role: "probe" },
    prompt,
    rendered,
    requestHash: rendered.system,
    seed: 0,
    signal: io.signal,
    repair: null,
    reserve: async () => ({ settle: (spent) => void (spent !== noCost && onSettled()) }),
    onText: () => {},
  };
}

function fits(text: string): boolean {
  try {
    return probe.reply.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
