import { type AGUIEvent, EventType } from "@ag-ui/core";
import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import * as z from "zod";
import { type Reviewed, RunIdSchema, type StartRun, StartRunSchema } from "../../contract/api/index.ts";
import { hasCode, ParleyError } from "../../contract/error.ts";
import type { DebateEvent } from "../../contract/event.ts";
import { turnIdOf } from "../../contract/turn.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { readRun } from "../../runs/record/read-run.ts";
import { checkValue } from "../../runs/settings/read-settings.ts";
import { finishedOf, headlineOf } from "../../runs/record/show-run.ts";
import { findWaitingTurn } from "../../runs/review/review-turn.ts";
import { openEventStream } from "../live/event-stream.ts";
import { makeRequest } from "../routes/act-on-runs.ts";
import { answerAs } from "../routes/reviews.ts";
import type { Server } from "../setting/server.ts";

/** What an agent front end may say beside its messages. */
const PropsSchema = StartRunSchema.partial({ pack: true }).omit({ text: true });

type Conversation = { threadId: string; runId: string };
type Emit = (event: AGUIEvent) => void;

/** A debate for agent front ends: rounds as steps, turns as messages, the decision as state, a person's turn as an interrupt. */
export async function serveAgUi(server: Server, body: unknown): Promise<Response> {
  const parsed = RunAgentInputSchema.safeParse(body);
  if (!parsed.success) throw new ParleyError("bad_input", `not an AG-UI request: ${z.prettifyError(parsed.error)}`);
  const { threadId, runId, messages, forwardedProps, resume } = parsed.data;
  const [answer] = resume ?? [];
  const request = answer ? null : await makeRequest(server, readStart(messages, forwardedProps));
  const { body: stream, sink } = openEventStream(() => undefined);
  const emit: Emit = (event) => void sink.send(`data: ${JSON.stringify(event)}\n\n`);
  const follow = createTeller(emit);
  const play = async (): Promise<void> => {
    emit({ type: EventType.RUN_STARTED, threadId, runId });
    if (answer) {
      const reply: unknown = answer.status === "resolved" ? answer.payload : null;
      checkValue(RunIdSchema, answer.interruptId, "interruptId", "bad_input");
      const told = await answerAs(server, answer.interruptId, { reviewer: "an AG-UI client", reply });
      return tellEnd(server, { threadId, runId }, answer.interruptId, emit, told);
    }
    if (!request) return;
    const { id, done } = await server.live.start(request, follow.onEvent);
    await done.catch((error: unknown) => {
      if (!hasCode(error, "parked")) throw error;
    });
    follow.end();
    await tellEnd(server, { threadId, runId }, id, emit);
  };
  void play()
    .catch((error: unknown) => emit({ type: EventType.RUN_ERROR, ...describeFailure(error) }))
    .finally(() => sink.end());
  return new Response(stream, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

function describeFailure(error: unknown): { message: string; code: string } {
  if (error instanceof ParleyError) return { message: error.message, code: error.code };
  return { message: "something went wrong inside the server; its log says more", code: "internal" };
}

/** The case is the last thing that the user said, unless the front end gives one in full. */
function readStart(messages: { role: string; content?: unknown }[], props: unknown): StartRun {
  const given = checkValue(PropsSchema, props ?? {}, "forwardedProps", "bad_input");
  const said = messages.findLast(({ role }) => role === "user")?.content;
  const text = typeof said === "string" && given.input === undefined ? { text: said } : {};
  return { pack: "question", ...given, ...text };
}

/** Tells a debate's events in AG-UI's; a step ends where the next begins. */
function createTeller(emit: Emit): { onEvent(event: DebateEvent): void; end(): void } {
  let step: string | null = null;
  const endStep = (): void => {
    if (step !== null) emit({ type: EventType.STEP_FINISHED, stepName: step });
    step = null;
  };
  return {
    onEvent(event) {
      if (event.type === "round_started") {
        endStep();
        step = `round-${event.round}`;
        emit({ type: EventType.STEP_STARTED, stepName: step });
      }
      if (event.type !== "turn") return;
      const messageId = turnIdOf(event.turn.key);
      emit({ type: EventType.TEXT_MESSAGE_START, messageId, role: "assistant" });
      emit({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: JSON.stringify(event.turn.reply ?? null) });
      emit({ type: EventType.TEXT_MESSAGE_END, messageId });
    },
    end: endStep,
  };
}

/** How a run stands: decided, as state; or interrupted by a turn that a person has to take. */
async function tellEnd(server: Server, talk: Conversation, id: string, emit: Emit, told?: Reviewed): Promise<void> {
  const stored = await readRun(server.store, id);
  const pack = await loadPackOf(stored.run.manifest);
  const { result } = stored;
  const waiting = stored.run.status === "waiting" ? await findWaitingTurn(pack, stored, server.config) : null;
  if (waiting) {
    const problems = told?.problems ?? [];
    const message = [...problems, ...waiting.prompt].join("\n\n");
    const interrupts = [{ id, reason: "person_turn", message, responseSchema: waiting.schema }];
    return emit({ type: EventType.RUN_FINISHED, ...talk, outcome: { type: "interrupt", interrupts } });
  }
  const headline = headlineOf(pack, finishedOf(stored));
  const snapshot = { run: id, outcome: result?.outcome ?? null, headline, decision: result?.decision ?? null };
  emit({ type: EventType.STATE_SNAPSHOT, snapshot });
  emit({ type: EventType.RUN_FINISHED, ...talk, result: snapshot, outcome: { type: "success" } });
}
