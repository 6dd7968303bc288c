import { noCost } from "../../contract/budget.ts";
import { addUsage } from "../../engine/budget.ts";
import type { Played, Player, ToolUse, TurnContext } from "../../engine/player.ts";
import type { AnyRole } from "../../engine/role.ts";
import { factsOf } from "../calls/failure-facts.ts";
import { throwIfInterrupted } from "../calls/interruption.ts";
import { scrubKnown, scrubStream } from "../calls/secrets.ts";
import { generateReply, type Reply, streamReply } from "./call-model.ts";
import type { ConfiguredModel } from "./configured-model.ts";
import { type EndpointHabits, learnHabits } from "./endpoint-habits.ts";
import type { FailedCall } from "./endpoint-failure.ts";
import type { LanguageModel } from "./language-model.ts";
import { measureUsage } from "./model-usage.ts";
import { estimateWorstCase, isLastLimit, planCall, type PlannedCall } from "./plan-call.ts";
import { describeTools, runTools } from "./tools.ts";

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
  if (seat.tools) planned.options.tools = await describeTools(seat.tools);
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
    const more = seat.tools && steps < mostToolSteps ? await runTools(seat.tools, reply.toolCalls, turn.signal) : null;
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
