import * as z from "zod";
import { noCost } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import type { Played, TurnContext } from "../engine/player.ts";
import { renderPrompt } from "../engine/prompt.ts";
import { defineRole } from "../engine/role.ts";
import { factsOf } from "../players/with-retry.ts";
import { buildCast, parseCast, readPlayer } from "../players/cast.ts";
import { type CastOptions, type EndpointConfig, resolvePlace } from "../players/seat.ts";
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

/** What a model's endpoint can do, as one small structured call, and another for what the first could not, showed. */
export type Probed = {
  structuredOutput: "strict" | "in the prompt only";
  /** Whether the reply was one JSON object of the right shape, and nothing else. */
  replied: "as asked" | "otherwise";
  streams: boolean;
  /** Some APIs have no seed at all. */
  seed: "taken" | "refused" | "not offered";
  usage: boolean;
  ms: number;
  tokens: number;
  calls: number;
};

type Settings = { structuredOutput: boolean; stream: boolean; seed: boolean };

/** Asks a model once, with all that a debate would use; what it refuses is left out, and asked again. */
export async function probeModel(io: Io, config: UserConfig, model: string): Promise<Probed> {
  const wanted: Settings = { structuredOutput: true, stream: true, seed: true };
  for (let calls = 1; ; calls += 1) {
    try {
      return describe(await askOnce(io, config, model, wanted), wanted, calls);
    } catch (error) {
      const refused = findRefused(error, wanted);
      if (refused === null) throw error;
      wanted[refused] = false;
    }
  }
}

/** What of the request an endpoint says it does not take; null when it says something else. */
function findRefused(error: unknown, wanted: Settings): keyof Settings | null {
  const status = factsOf(error)?.status ?? 0;
  const said = error instanceof ParleyError ? error.message : "";
  if (status < 400 || status >= 500 || status === 401 || status === 403 || status === 404 || status === 429)
    return null;
  if (wanted.seed && /\bseed\b/i.test(said)) return "seed";
  if (wanted.stream && /stream/i.test(said)) return "stream";
  if (wanted.structuredOutput && /response_format|json_schema|schema|structured|grammar/i.test(said))
    return "structuredOutput";
  return null;
}

type Asked = Played & { ms: number; reported: boolean; offersSeed: boolean };

async function askOnce(io: Io, config: UserConfig, model: string, wanted: Settings): Promise<Asked> {
  const { structuredOutput, stream, seed } = wanted;
  const { provider } = readPlayer(model, config) as { provider?: string };
  const others = (config.endpoints ?? []).filter(({ name }) => name !== provider);
  const own = (config.endpoints ?? []).find(({ name }) => name === provider);
  const endpoint = { ...own, name: provider ?? "", structured_output: structuredOutput, stream: stream ? "on" : "off" };
  const endpoints = [...others, { ...endpoint, ...(seed ? {} : { seed }) } as EndpointConfig];
  const options: CastOptions = { env: io.env, endpoints, prices: config.prices ?? {}, retry: { tries: 1 } };
  const player = buildCast(parseCast(model, ["probe"], options), {
    ...options,
    settings: { maxOutputTokens: 2048, outputCeiling: 2048 },
  })("probe");
  const started = performance.now();
  let reported = false;
  const played = await player.play(
    probe,
    {},
    makeContext(io, () => (reported = true)),
  );
  const ms = performance.now() - started;
  return { ...played, ms, reported, offersSeed: offersSeed(model, options) };
}

function offersSeed(model: string, options: CastOptions): boolean {
  const plan = readPlayer(model, options);
  return plan.kind === "model" && resolvePlace(plan, options).traits.seed;
}

/** A turn outside any debate; a call is only settled when its usage is known. */
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

function describe({ reply, usage, ms, reported, offersSeed: offered }: Asked, wanted: Settings, calls: number): Probed {
  const text = "text" in reply ? reply.text : "";
  return {
    structuredOutput: wanted.structuredOutput ? "strict" : "in the prompt only",
    replied: isAsAsked(text) ? "as asked" : "otherwise",
    streams: wanted.stream,
    seed: !wanted.seed ? "refused" : offered ? "taken" : "not offered",
    usage: reported,
    ms,
    tokens: usage.inputTokens + usage.outputTokens,
    calls,
  };
}

function isAsAsked(text: string): boolean {
  try {
    return probe.reply.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
