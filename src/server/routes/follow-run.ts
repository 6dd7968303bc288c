import type { PassingEvent } from "../../contract/api/index.ts";
import type { Run } from "../../contract/run.ts";
import { ParleyError } from "../../contract/error.ts";
import { RequestError } from "../http/request-error.ts";
import { openEventStream } from "../live/event-stream.ts";
import { writeEvent } from "../live/stream-events.ts";
import type { Server } from "../setting/server.ts";
import { requireRun } from "./run-items.ts";

/** The stream of a run's events, from after the last one that the follower has; 204 when there is nothing to come. */
export async function followRun(server: Server, id: string, lastEventId: string | undefined): Promise<Response> {
  const { tails, rules, live } = server;
  const run = await requireRun(server, id);
  const seq = readLastId(run, lastEventId);
  const isOver = run.status === "finished" && !live.has(id);
  if (isOver && seq >= run.entryCount - 1) return new Response(null, { status: 204 });
  if (tails.count() >= rules.maxFollowers)
    throw new RequestError("too_many", "too many are following runs already; try again later", { "retry-after": "5" });
  const { body, sink } = openEventStream(() => following.leave());
  sink.send("retry: 1000\n\n");
  const following = tails.follow(id, seq, sink);
  void following.caughtUp.then(async () => {
    const now = await requireRun(server, id);
    sink.send(writeEvent(describeStatus(now, live.has(id), null)));
    if (now.status === "finished" && !live.has(id)) {
      following.leave();
      sink.end();
    }
  }, sink.end);
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

/** How a run stands, as an event. */
export function describeStatus({ status, outcome }: Run, live: boolean, message: string | null): PassingEvent {
  return { type: "status", status, outcome, live, message };
}

/** The id counts inside this run alone; one that this run never gave out is refused. */
function readLastId(run: Run, given: string | undefined): number {
  if (given === undefined || given === "") return -1;
  const seq = Number(given);
  if (/^\d{1,9}$/.test(given) && seq < run.entryCount) return seq;
  throw new ParleyError("bad_input", `Last-Event-ID: run ${run.id} has no such event; leave it out to begin anew`);
}
