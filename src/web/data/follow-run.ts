import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { RunDetail, StreamEvent } from "../../contract/api/index.ts";
import { call } from "./call.ts";

/** What is happening right now: who speaks, and the words that have come so far. */
export type Live = { speaking: Record<string, { player: string; text: string }>; said: string | null };

const quiet: Live = { speaking: {}, said: null };
const durable = ["turn", "review", "ended", "attempt", "call"] as const;

/** A run, kept up to date while it goes on; a reload or a restart of the server loses nothing. */
export function useRun(id: string) {
  const queries = useQueryClient();
  const run = useQuery({ queryKey: ["run", id], queryFn: () => call("readRun", `/api/runs/${id}`) });
  const isOpen = run.data !== undefined && run.data.run.outcome === null;
  const [live, setLive] = useState(quiet);
  useEffect(() => {
    if (!isOpen) return setLive(quiet);
    const source = new EventSource(`/api/runs/${id}/events`);
    const again = () => void queries.invalidateQueries({ queryKey: ["run", id] });
    for (const type of durable) source.addEventListener(type, again);
    source.addEventListener("turn_started", (event) => setLive((now) => startTurn(now, read(event))));
    source.addEventListener("text", (event) => setLive((now) => addText(now, read(event))));
    source.addEventListener("turn", (event) => setLive((now) => endTurn(now, read(event))));
    source.addEventListener("status", (event) => {
      const status = read<"status">(event);
      setLive((now) => ({ ...now, said: status.message }));
      if (status.outcome !== null || status.status === "waiting") again();
    });
    return () => source.close();
  }, [id, isOpen, queries]);
  return { ...run, live };
}

function read<T extends StreamEvent["type"]>(event: MessageEvent<string>): Extract<StreamEvent, { type: T }> {
  return JSON.parse(event.data) as Extract<StreamEvent, { type: T }>;
}

function nameTurn({ round, step, role }: RunDetail["turns"][number]["key"]): string {
  return `${round}/${step}/${role}`;
}

function startTurn(now: Live, { key, player }: Extract<StreamEvent, { type: "turn_started" }>): Live {
  return { ...now, speaking: { ...now.speaking, [nameTurn(key)]: { player, text: "" } } };
}

function addText(now: Live, { key, text }: Extract<StreamEvent, { type: "text" }>): Live {
  const turn = now.speaking[nameTurn(key)] ?? { player: "", text: "" };
  return { ...now, speaking: { ...now.speaking, [nameTurn(key)]: { ...turn, text: turn.text + text } } };
}

function endTurn(now: Live, { turn }: Extract<StreamEvent, { type: "turn" }>): Live {
  const { [nameTurn(turn.key)]: _done, ...speaking } = now.speaking;
  return { ...now, speaking };
}
