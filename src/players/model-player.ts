import type { ToolSet } from "ai";
import { noCost, type WorstCase } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import type { Usage } from "../contract/usage.ts";
import { addUsage } from "../engine/budget.ts";
import type { Played, Player, ToolUse, TurnContext } from "../engine/player.ts";
import { truncated } from "../engine/read-reply.ts";
import type { AnyRole } from "../engine/role.ts";
import { computeCost, computeWorstCost, type Price } from "./prices.ts";
import { scrubKnown, scrubStream } from "./secrets.ts";
import { factsOf, throwIfInterrupted, withRetry } from "./with-retry.ts";
import { buildMessages, buildReplySchema, generateReply, type Reply, streamReply, withPatience } from "./call-model.ts";
import {
  type CallOptions,
  type ConfiguredModel,
  defaultSettings,
  type LanguageModel,
  type ModelSettings,
  type Traits,
  type EmbeddingModel,
} from "./providers.ts";
import type { FailedCall } from "./endpoint-fetch.ts";

/** A model that plays a role: a reservation before each HTTP call, and the raw reply whatever it is. */
export function configuredPlayer(seat: ConfiguredModel): Player {
  let loading: Promise<LanguageModel> | null = null;
  const habits = learnHabits(seat);
  return {
    id: seat.id,
    async play(role, input, turn): Promise<Played> {
      throwIfInterrupted(turn.signal);
      loading ??= seat.load();
      const played = await converse({ seat, model: await loading, habits, turn }, role);
      // Asking again with the same limit would pay for the same half of a reply, and asking again after a refusal for the refusal.
      const final =
        played.finish === "content-filter" ||
        (played.finish === "length" && isLastLimit(seat.settings, played.outputLimit ?? 0));
      return { ...played, ...(final ? { final } : {}) };
    },
  };
}

type Talk = { seat: ConfiguredModel; model: LanguageModel; habits: EndpointHabits; turn: TurnContext };

/** The most times that a model may call tools before it answers. */
const mostToolSteps = 8;

/** Asks until the model answers: again in another way where the endpoint refused this one, and with the results of its tools. */
async function converse(talk: Talk, role: AnyRole): Promise<Played> {
  const { seat, habits, turn } = talk;
  const notes: string[] = [];
  const used: ToolUse[] = [];
  let usage: Played["usage"] | null = null;
  let refused = 0;
  let planned = planCall({ ...seat, traits: habits.traits() }, role, turn);
  const own = seat.tools ? { tools: seat.tools, ...(await import("./tools.ts")) } : null;
  if (own) planned.options.tools = await own.describeTools(own.tools);
  for (let steps = 0; ; ) {
    let said: { played: Played; reply: Reply };
    try {
      said = await callOnce(talk, planned);
    } catch (error) {
      const note = habits.adapt(error);
      if (note === null) throw error;
      notes.push(note);
      refused += 1;
      const { tools, prompt } = planned.options;
      planned = planCall({ ...seat, traits: habits.traits() }, role, turn);
      if (tools) planned.options = { ...planned.options, tools, ...(used.length > 0 ? { prompt } : {}) };
      continue;
    }
    const { played, reply } = said;
    usage = usage === null ? played.usage : addUsage(usage, played.usage);
    const more = own && steps < mostToolSteps ? await own.runTools(own.tools, reply.toolCalls, turn.signal) : null;
    if (more) {
      steps += 1;
      used.push(...more.used);
      planned.options = { ...planned.options, prompt: [...planned.options.prompt, ...more.messages] };
      planned.bytes += Buffer.byteLength(JSON.stringify(more.messages));
      continue;
    }
    return {
      ...played,
      usage: { ...usage, calls: usage.calls + refused },
      outputLimit: planned.outputLimit,
      ...(notes.length > 0 ? { notes } : {}),
      ...(used.length > 0 ? { tools: used } : {}),
    };
  }
}

async function callOnce(talk: Talk, planned: PlannedCall): Promise<{ played: Played; reply: Reply }> {
  const { seat, turn } = talk;
  const reservation = await turn.reserve(estimateWorstCase(seat, planned));
  if (turn.signal.aborted) reservation.settle(noCost);
  throwIfInterrupted(turn.signal);
  const reply = await send(talk, planned).catch((error: unknown) => {
    if (factsOf(error)?.spent === "nothing") reservation.settle({ calls: 1, tokens: 0, usd: 0 });
    throw error;
  });
  const used = measureUsage(seat, reply, planned.bytes);
  if (used.settled !== null) reservation.settle(used.settled);
  const text = scrubKnown(reply.text, seat.keys);
  return { played: { reply: { text }, usage: used.usage, finish: reply.finish }, reply };
}

function send({ seat, model, habits, turn }: Talk, { options }: PlannedCall): Promise<Reply> {
  const { endpoint, keyName, secrets, settings } = seat;
  const failed: FailedCall = { endpoint, model: seat.model, keyName, secrets, nowMs: Date.now };
  const patience = { signal: turn.signal, totalMs: settings.totalTimeoutMs, chunkMs: settings.chunkTimeoutMs };
  if (!habits.streams() || seat.tools) return generateReply(model, options, failed, patience);
  const scrubbed = scrubStream(seat.keys, turn.onText);
  return streamReply(model, options, failed, { ...patience, onText: scrubbed.push }).finally(scrubbed.end);
}

/** How an endpoint is asked, learnt from what it refused: a refused request costs nothing, so it is made again in another way. */
export type EndpointHabits = {
  streams(): boolean;
  traits(): Traits;
  /** Takes a failed call and returns what to change from now on, or null when nothing can be changed. */
  adapt(error: unknown): string | null;
};

/** The habits of one model. Streaming and structured output are given up once the endpoint has refused them. */
export function learnHabits({
  settings,
  isWatched,
  traits,
}: Pick<ConfiguredModel, "settings" | "isWatched" | "traits">): EndpointHabits {
  let isStreamed = settings.stream === "on" || (settings.stream === "auto" && isWatched);
  let isStructured = traits.structuredOutput;
  return {
    streams: () => isStreamed,
    traits: () => (isStructured ? traits : { ...traits, structuredOutput: false, schemaInPrompt: true }),
    adapt(error) {
      if (isStructured && isRefused(error, /response_?format|json_?schema|structured[ _]output|grammar/i)) {
        isStructured = false;
        return "the endpoint refused response_format: asked with the schema in the prompt";
      }
      if (isStreamed && settings.stream === "auto" && isRefused(error, /stream/i)) {
        isStreamed = false;
        return "the endpoint refused to stream: asked for the whole reply";
      }
      return null;
    },
  };
}

function isRefused(error: unknown, about: RegExp): boolean {
  const status = factsOf(error)?.status ?? 0;
  return status >= 400 && status < 502 && status !== 429 && status !== 500 && about.test((error as Error).message);
}

/** What the call cost; when the endpoint does not say, tokens are estimated and the reservation stays spent. */
export function measureUsage(
  seat: ConfiguredModel,
  reply: Reply,
  bytes: number,
): { usage: Usage; settled: WorstCase | null } {
  const { inputTokens: input, outputTokens: output } = reply.usage;
  const known = input.total !== undefined && output.total !== undefined;
  const tokens = {
    inputTokens: count(input.total ?? bytes / 4),
    outputTokens: count(output.total ?? Buffer.byteLength(reply.text) / 4),
    cachedTokens: count(input.cacheRead ?? 0),
    reasoningTokens: count(output.reasoning ?? 0),
  };
  const cost = computeCost(seat.price, { ...tokens, cacheWriteTokens: count(input.cacheWrite ?? 0) });
  const costUsd = known || cost === 0 ? cost : null;
  const usage: Usage = { calls: 1, ...tokens, costUsd };
  return {
    usage,
    settled: known ? { calls: 1, tokens: tokens.inputTokens + tokens.outputTokens, usd: costUsd } : null,
  };
}

function count(tokens: number): number {
  return Number.isFinite(tokens) ? Math.max(0, Math.ceil(tokens)) : 0;
}

/** One HTTP call before it is made: what is sent, how large it is, and how much may come back. */
export type PlannedCall = { options: CallOptions; bytes: number; outputLimit: number };

/** Plans the call of a turn. A repair of a reply that was cut off may be longer than the reply. */
export function planCall(
  seat: Pick<ConfiguredModel, "traits" | "settings">,
  role: AnyRole,
  turn: Pick<TurnContext, "prompt" | "rendered" | "repair" | "seed">,
): PlannedCall {
  const { traits, settings } = seat;
  const schema = buildReplySchema(role.reply);
  const { messages, bytes } = buildMessages(turn, traits, schema.text);
  const outputLimit = turn.repair?.problems.some(({ code }) => code === truncated)
    ? raiseLimit(settings)
    : settings.maxOutputTokens;
  const options: CallOptions = { prompt: messages, maxOutputTokens: outputLimit };
  if (traits.structuredOutput) options.responseFormat = { type: "json", schema: schema.strict, name: "reply" };
  if (traits.seed) options.seed = turn.seed;
  if (settings.temperature !== null) options.temperature = settings.temperature;
  if (settings.reasoning !== null) options.reasoning = settings.reasoning;
  return { options, bytes: bytes + (traits.structuredOutput ? schema.strictBytes : 0), outputLimit };
}

/** Four times the room, up to the ceiling; the same when there is no more to give. */
function raiseLimit({ maxOutputTokens, outputCeiling }: ModelSettings): number {
  return Math.max(maxOutputTokens, Math.min(4 * maxOutputTokens, outputCeiling));
}

/** True when a reply that is cut off at this limit would be cut off again. */
export function isLastLimit(settings: ModelSettings, outputLimit: number): boolean {
  return outputLimit >= raiseLimit(settings);
}

/** What providers may add to a request: a preamble for structured output, separators. */
const preambleTokens = 512;

/** A true upper bound: a token is at least one byte, and no more than the output limit comes back. */
export function estimateWorstCase(
  { price }: Pick<ConfiguredModel, "price">,
  { bytes, outputLimit }: Pick<PlannedCall, "bytes" | "outputLimit">,
): WorstCase {
  const input = bytes + preambleTokens;
  return { calls: 1, tokens: input + outputLimit, usd: computeWorstCost(price, input, outputLimit) };
}

/** A model object of the AI SDK, whichever provider made it. */
export type SdkModel = {
  specificationVersion: string;
  provider: string;
  modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
};

/** How a model object plays: its price, settings that differ from the defaults, and tools of the AI SDK. */
export type SdkPlayerOptions = {
  price?: Price;
  settings?: Partial<ModelSettings>;
  tools?: ToolSet;
};

/** A player of any model object of the AI SDK. Without a price its cost is unknown, and a budget in USD refuses it. */
export function modelPlayer(model: SdkModel, { price, settings, tools }: SdkPlayerOptions = {}): Player {
  if (model.specificationVersion !== "v4" && model.specificationVersion !== "v3")
    throw new ParleyError(
      "bad_cast",
      `${model.provider}/${model.modelId} is a model of the AI SDK's specification ${model.specificationVersion}; v3 and v4 can play`,
    );
  const traits: Traits = { structuredOutput: true, schemaInPrompt: false, seed: false, cacheHint: null };
  const player = configuredPlayer({
    id: `${model.provider}/${model.modelId}`,
    model: model.modelId,
    endpoint: model.provider,
    load: async () => model as unknown as LanguageModel,
    traits,
    settings: { ...defaultSettings, ...settings },
    isWatched: false,
    price: price ?? null,
    keyName: null,
    keys: [],
    secrets: [],
    ...(tools ? { tools } : {}),
  });
  return withRetry(player);
}

/** True for a model object of the AI SDK. */
export function isSdkModel(value: unknown): value is SdkModel {
  return typeof (value as SdkModel | null)?.doGenerate === "function";
}

/** The name under which a cast has an embedding model: `embedder=openai/text-embedding-3-small`. */
export const embedderName = "embedder";

/** A model that embeds texts: its input is a list of texts, its reply their vectors. */
export function embeddingPlayer(seat: ConfiguredModel): Player {
  if (!seat.loadEmbedding)
    throw new ParleyError("bad_cast", `${seat.id} has no embedding models; cast ${embedderName} to another provider`);
  return { id: seat.id, play: async (_role, input, turn) => playEmbedding(seat, input as string[], turn) };
}

/** One reservation and one HTTP call, the vectors as they came. */
async function playEmbedding(seat: ConfiguredModel, texts: string[], turn: TurnContext): Promise<Played> {
  const model = await (seat.loadEmbedding as NonNullable<ConfiguredModel["loadEmbedding"]>)();
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const reservation = await turn.reserve({ calls: 1, tokens: bytes, usd: computeWorstCost(seat.price, bytes, 0) });
  if (turn.signal.aborted) reservation.settle(noCost);
  throwIfInterrupted(turn.signal);
  const { embeddings, usage } = await embed(seat, model, texts, turn).catch((error: unknown) => {
    if (factsOf(error)?.spent === "nothing") reservation.settle({ calls: 1, tokens: 0, usd: 0 });
    throw error;
  });
  const inputTokens = Math.ceil(usage?.tokens ?? bytes / 4);
  const tokens = { inputTokens, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
  const cost = computeCost(seat.price, { ...tokens, cacheWriteTokens: 0 });
  const costUsd = usage !== undefined || cost === 0 ? cost : null;
  if (usage !== undefined) reservation.settle({ calls: 1, tokens: inputTokens, usd: costUsd });
  return { reply: { value: { vectors: embeddings } }, usage: { calls: 1, ...tokens, costUsd }, finish: null };
}

function embed(
  { endpoint, model, keyName, secrets, settings }: ConfiguredModel,
  embedder: EmbeddingModel,
  values: string[],
  turn: TurnContext,
) {
  const call = { endpoint, model, keyName, secrets, nowMs: Date.now };
  const patience = { signal: turn.signal, totalMs: settings.totalTimeoutMs, chunkMs: settings.chunkTimeoutMs };
  return withPatience(patience, call, async (abortSignal) => embedder.doEmbed({ values, abortSignal }));
}
