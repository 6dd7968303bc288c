import { noCost } from "../../contract/budget.ts";
import type { Played, Player, TurnContext } from "../../engine/player.ts";
import { factsOf } from "../calls/failure-facts.ts";
import { throwIfInterrupted } from "../calls/interruption.ts";
import { scrubKnown, scrubStream } from "../calls/secrets.ts";
import { generateReply, type Reply, streamReply } from "./call-model.ts";
import type { ConfiguredModel } from "./configured-model.ts";
import type { FailedCall } from "./endpoint-failure.ts";
import type { LanguageModel } from "./language-model.ts";
import { measureUsage } from "./model-usage.ts";
import { estimateWorstCase, isLastLimit, planCall, type PlannedCall } from "./plan-call.ts";
import { playEmbedding } from "./play-embedding.ts";
import { chooseStreaming, type StreamChoice } from "./stream-choice.ts";

/** A model that plays a role: one reservation and one HTTP call per turn, and the raw reply whatever it is. */
export function modelPlayer(seat: ConfiguredModel): Player {
  let loading: Promise<LanguageModel> | null = null;
  const streams = chooseStreaming(seat);
  return {
    id: seat.id,
    async play(role, input, turn): Promise<Played> {
      throwIfInterrupted(turn.signal);
      if (role.embeds) return playEmbedding(seat, role.embeds(input), turn);
      loading ??= seat.load();
      const called: Called = { seat, model: await loading, planned: planCall(seat, role, turn), turn };
      const first = await callOnce(called, streams).catch((error: unknown) => {
        if (streams.giveUp(error)) return null;
        throw error;
      });
      const played = first ?? countRefused(await callOnce(called, streams));
      // Asking again with the same limit would pay for the same half of a reply, and asking again after a refusal for the refusal.
      const final =
        played.finish === "content-filter" ||
        (played.finish === "length" && isLastLimit(seat.settings, called.planned.outputLimit));
      return { ...played, outputLimit: called.planned.outputLimit, ...(final ? { final } : {}) };
    },
  };
}

type Called = { seat: ConfiguredModel; model: LanguageModel; planned: PlannedCall; turn: TurnContext };

async function callOnce(called: Called, streams: StreamChoice): Promise<Played> {
  const { seat, planned, turn } = called;
  const reservation = await turn.reserve(estimateWorstCase(seat, planned));
  if (turn.signal.aborted) reservation.settle(noCost);
  throwIfInterrupted(turn.signal);
  const reply = await send(called, streams.isOn()).catch((error: unknown) => {
    if (factsOf(error)?.spent === "nothing") reservation.settle({ calls: 1, tokens: 0, usd: 0 });
    throw error;
  });
  const used = measureUsage(seat, reply, planned.bytes);
  if (used.settled !== null) reservation.settle(used.settled);
  return { reply: { text: scrubKnown(reply.text, seat.keys) }, usage: used.usage, finish: reply.finish };
}

function send({ seat, model, planned, turn }: Called, stream: boolean): Promise<Reply> {
  const { endpoint, keyName, secrets, settings } = seat;
  const failed: FailedCall = { endpoint, model: seat.model, keyName, secrets, nowMs: Date.now };
  const patience = { signal: turn.signal, totalMs: settings.totalTimeoutMs, chunkMs: settings.chunkTimeoutMs };
  if (!stream) return generateReply(model, planned.options, failed, patience);
  const scrubbed = scrubStream(seat.keys, turn.onText);
  return streamReply(model, planned.options, failed, { ...patience, onText: scrubbed.push }).finally(scrubbed.end);
}

/** Counts the streamed call that was refused before this one. */
function countRefused(played: Played): Played {
  return { ...played, usage: { ...played.usage, calls: played.usage.calls + 1 } };
}
