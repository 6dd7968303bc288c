import { mostOfACall, noCost, type WorstCase, type Usage } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import type { Played, Player, TurnContext } from "../engine/player.ts";
import { truncated } from "../engine/read-reply.ts";
import type { AnyRole } from "../engine/role.ts";
import { scrubKnown, scrubStream } from "./secrets.ts";
import { factsOf, throwIfInterrupted, withRetry } from "./with-retry.ts";
import { buildMessages, buildReplySchema, generateReply, type Reply, streamReply, withPatience } from "./call-model.ts";
import {
  type CallOptions,
  computeCost,
  computeWorstCost,
  type ConfiguredModel,
  defaultSettings,
  type LanguageModel,
  type ModelSettings,
  type Price,
  type Traits,
  withoutStructure,
} from "./providers.ts";
import type { FailedCall } from "./endpoint-fetch.ts";

/** Plays a role with a model: reserves budget before each HTTP call, and returns the raw reply. */
export function configuredPlayer(configured: ConfiguredModel): Player {
  const habits = learnHabits(configured);
  return {
    id: configured.id,
    async play(role, input, turn): Promise<Played> {
      throwIfInterrupted(turn.signal);
      const { model } = await configured.load();
      const played = await converse({ configured, model, habits, turn }, role);
      // Asking again with the same limit would buy the same half reply.
      const final = played.finish === "length" && isLastLimit(configured.settings, played.outputLimit ?? 0);
      return { ...played, ...(final ? { final } : {}) };
    },
  };
}

type Talk = {
  configured: ConfiguredModel;
  model: LanguageModel;
  habits: ReturnType<typeof learnHabits>;
  turn: TurnContext;
};

/** Asks once, and again in another way if the endpoint refused this one. */
async function converse(talk: Talk, role: AnyRole): Promise<Played> {
  const { configured, habits, turn } = talk;
  const notes: string[] = [];
  for (;;) {
    const planned = planCall({ ...configured, traits: habits.traits() }, role, turn);
    try {
      const played = await callOnce(talk, planned);
      const usage = { ...played.usage, calls: played.usage.calls + notes.length };
      return { ...played, usage, outputLimit: planned.outputLimit, ...(notes.length > 0 ? { notes } : {}) };
    } catch (error) {
      const note = habits.adapt(error);
      if (note === null) throw error;
      notes.push(note);
    }
  }
}

async function callOnce(talk: Talk, planned: PlannedCall): Promise<Played> {
  const { configured, turn } = talk;
  const { value: reply, settle } = await callReserved(turn, estimateWorstCase(configured, planned), () =>
    send(talk, planned),
  );
  const { usage, settled } = measureUsage(configured, reply, planned.bytes);
  if (settled !== null) settle(settled);
  const text = scrubKnown(reply.text, configured.keys);
  return { reply: { text }, usage, finish: reply.finish };
}

/** Makes a call within its reservation; a call that cannot have been charged is settled at zero. */
async function callReserved<T>({ reserve, signal }: TurnContext, worst: WorstCase, call: () => Promise<T>) {
  const { settle } = await reserve(worst);
  if (signal.aborted) settle(noCost);
  throwIfInterrupted(signal);
  const value = await call().catch((error: unknown) => {
    if (factsOf(error)?.spent === "nothing") settle({ calls: 1, tokens: 0, usd: 0 });
    throw error;
  });
  return { value, settle };
}

function termsOf({ endpoint, model, keyName, secrets, settings }: ConfiguredModel, { signal }: TurnContext) {
  const failed: FailedCall = { endpoint, model, keyName, secrets, nowMs: Date.now };
  return { failed, patience: { signal, totalMs: settings.totalTimeoutMs, chunkMs: settings.chunkTimeoutMs } };
}

function send({ configured, model, habits, turn }: Talk, { options }: PlannedCall): Promise<Reply> {
  const { failed, patience } = termsOf(configured, turn);
  if (!habits.streams()) return generateReply(model, options, failed, patience);
  const scrubbed = scrubStream(configured.keys, turn.onText);
  return streamReply(model, options, failed, { ...patience, onText: scrubbed.push }).finally(scrubbed.end);
}

/** Stops using streaming or structured output once the endpoint has refused it, which costs nothing. */
function learnHabits({ settings, isWatched, traits }: Pick<ConfiguredModel, "settings" | "isWatched" | "traits">) {
  let isStreamed = settings.stream === "on" || (settings.stream === "auto" && isWatched);
  let isStructured = traits.structuredOutput;
  return {
    streams: (): boolean => isStreamed,
    traits: (): Traits => (isStructured ? traits : withoutStructure(traits)),
    adapt(error: unknown): string | null {
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

/** The cost of a call; without usage from the endpoint, tokens are estimated and the reservation stays spent. */
function measureUsage({ price }: ConfiguredModel, reply: Pick<Reply, "text" | "usage">, bytes: number) {
  const { inputTokens: input, outputTokens: output } = reply.usage;
  const known = input.total !== undefined && output.total !== undefined;
  const tokens = {
    inputTokens: count(input.total ?? bytes / 4),
    outputTokens: count(output.total ?? Buffer.byteLength(reply.text) / 4),
    cachedTokens: count(input.cacheRead ?? 0),
    reasoningTokens: count(output.reasoning ?? 0),
  };
  const cost = computeCost(price, { ...tokens, cacheWriteTokens: count(input.cacheWrite ?? 0) });
  const costUsd = known || cost === 0 ? cost : null;
  const settled: WorstCase = { calls: 1, tokens: tokens.inputTokens + tokens.outputTokens, usd: costUsd };
  const usage: Usage = { calls: 1, ...tokens, costUsd };
  return { usage, settled: known ? settled : null };
}

function count(tokens: number): number {
  return Number.isFinite(tokens) ? Math.min(mostOfACall / 2, Math.max(0, Math.ceil(tokens))) : 0;
}

type PlannedCall = { options: CallOptions; bytes: number; outputLimit: number };

/** Plans the call of a turn. A repair may be longer than the reply that was cut off. */
export function planCall(
  configured: Pick<ConfiguredModel, "traits" | "settings">,
  role: AnyRole,
  turn: Pick<TurnContext, "prompt" | "rendered" | "repair" | "seed">,
): PlannedCall {
  const { traits, settings } = configured;
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

function raiseLimit({ maxOutputTokens, outputCeiling }: ModelSettings): number {
  return Math.max(maxOutputTokens, Math.min(4 * maxOutputTokens, outputCeiling));
}

function isLastLimit(settings: ModelSettings, outputLimit: number): boolean {
  return outputLimit >= raiseLimit(settings);
}

const preambleTokens = 512;

/** A true upper bound: a token is at least one byte, and output is limited. */
export function estimateWorstCase(
  { price }: Pick<ConfiguredModel, "price">,
  { bytes, outputLimit }: Pick<PlannedCall, "bytes" | "outputLimit">,
): WorstCase {
  const input = bytes + preambleTokens;
  return { calls: 1, tokens: input + outputLimit, usd: computeWorstCost(price, input, outputLimit) };
}

/** A model object of the AI SDK, from any provider. */
export type SdkModel = {
  specificationVersion: string;
  provider: string;
  modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
};

/** Price and settings of a model object. */
export type SdkPlayerOptions = {
  price?: Price;
  settings?: Partial<ModelSettings>;
};

/** Makes a player from any AI SDK model. Without a price its cost is unknown, and a USD budget refuses it. */
export function modelPlayer(model: SdkModel, { price, settings }: SdkPlayerOptions = {}): Player {
  if (model.specificationVersion !== "v4" && model.specificationVersion !== "v3")
    throw new ParleyError(
      "bad_cast",
      `${model.provider}/${model.modelId} is a model of the AI SDK's specification ${model.specificationVersion}; v3 and v4 can play`,
    );
  const loaded = { model: model as unknown as LanguageModel, embedding: null };
  const player = configuredPlayer({
    id: `${model.provider}/${model.modelId}`,
    model: model.modelId,
    endpoint: model.provider,
    load: async () => loaded,
    traits: { structuredOutput: true, schemaInPrompt: false, seed: false, cacheHint: null },
    settings: { ...defaultSettings, ...settings },
    isWatched: false,
    price: price ?? null,
    keyName: null,
    keys: [],
    secrets: [],
  });
  return withRetry(player);
}

export function isSdkModel(value: unknown): value is SdkModel {
  return typeof (value as SdkModel | null)?.doGenerate === "function";
}

/** The cast entry of an embedding model: `embedder=openai/text-embedding-3-small`. */
export const embedderName = "embedder";

export function embeddingPlayer(configured: ConfiguredModel): Player {
  return { id: configured.id, play: async (_role, input, turn) => playEmbedding(configured, input as string[], turn) };
}

async function playEmbedding(configured: ConfiguredModel, values: string[], turn: TurnContext): Promise<Played> {
  const { embedding: model } = await configured.load();
  const bytes = values.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const worst = { calls: 1, tokens: bytes, usd: computeWorstCost(configured.price, bytes, 0) };
  const { failed, patience } = termsOf(configured, turn);
  const { value: made, settle } = await callReserved(turn, worst, () =>
    withPatience(patience, failed, async (abortSignal) => model?.doEmbed({ values, abortSignal })),
  );
  // A text has no more tokens than bytes, whatever the endpoint says.
  const said = made?.usage?.tokens;
  const total = said === undefined ? undefined : Math.min(said, bytes);
  const input = { total, cacheRead: 0, cacheWrite: 0, noCache: undefined };
  const output = { total: 0, text: 0, reasoning: 0 };
  const used = measureUsage(configured, { text: "", usage: { inputTokens: input, outputTokens: output } }, bytes);
  if (used.settled !== null) settle(used.settled);
  return { reply: { value: { vectors: made?.embeddings } }, usage: used.usage, finish: null };
}
