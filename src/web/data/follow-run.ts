import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { RunDetail, StreamEvent } from "../../contract/api/index.ts";
import { readPartial } from "../text/words.ts";
import { useApi } from "./use-api.ts";

export type Live = {
  speaking: Record<string, { player: string; raw: string; text: string }>;
  said: string | null;
  isLost: boolean;
};

const quiet: Live = { speaking: {}, said: null, isLost: false };
const durable = ["turn", "review", "end"] as const;

const againMs = 250;
const reconnectMs = 1_000;

export function useRun(id: string) {
  const queries = useQueryClient();
  const run = useApi("readRun", { params: { id } });
  const isOpen = run.data !== undefined && (run.data.run.outcome === null || run.data.run.live);
  useEffect(() => {
    if (!isOpen) return queries.removeQueries({ queryKey: ["live", id] });
    return follow(id, queries);
  }, [id, isOpen, queries]);
  const live = useQuery({ queryKey: ["live", id], queryFn: () => quiet, enabled: false, staleTime: Infinity });
  return { run, live: live.data ?? quiet };
}

function follow(id: string, queries: QueryClient): () => void {
  const set = (change: (now: Live) => Live): void =>
    void queries.setQueryData<Live>(["live", id], (now) => change(now ?? quiet));
  let source: EventSource | null = null;
  let again: ReturnType<typeof setTimeout> | null = null;
  let retry: ReturnType<typeof setTimeout> | null = null;
  const refresh = (): void => {
    again ??= setTimeout(() => {
      again = null;
      void queries.invalidateQueries({ queryKey: ["readRun", { params: { id } }] });
    }, againMs);
  };
  const open = (): void => {
    const opened = new EventSource(`/api/runs/${id}/events`);
    source = opened;
    opened.addEventListener("open", () => {
      set(() => quiet);
      refresh();
    });
    for (const type of durable) opened.addEventListener(type, refresh);
    opened.addEventListener("turn_started", (event) => set((now) => startTurn(now, read(event))));
    opened.addEventListener("text", (event) => set((now) => addText(now, read(event))));
    opened.addEventListener("turn", (event) => set((now) => endTurn(now, JSON.parse(event.data))));
    opened.addEventListener("status", (event) => {
      const status = read<"status">(event);
      set((now) => ({ ...now, said: status.message }));
      refresh();
    });
    opened.addEventListener("error", () => {
      set((now) => ({ ...now, isLost: true }));
      // A run that ended meanwhile sends no more events; only the run itself tells.
      refresh();
      opened.close();
      retry = setTimeout(open, reconnectMs);
    });
  };
  open();
  return () => {
    source?.close();
    if (again) clearTimeout(again);
    if (retry) clearTimeout(retry);
  };
}

function read<T extends StreamEvent["type"]>(event: MessageEvent<string>): Extract<StreamEvent, { type: T }> {
  return JSON.parse(event.data) as Extract<StreamEvent, { type: T }>;
}

function startTurn(now: Live, { turn, player }: Extract<StreamEvent, { type: "turn_started" }>): Live {
  return { ...now, speaking: { ...now.speaking, [turn]: { player, raw: "", text: "" } } };
}

function addText(now: Live, { turn, text }: Extract<StreamEvent, { type: "text" }>): Live {
  const before = now.speaking[turn] ?? { player: "", raw: "", text: "" };
  const raw = before.raw + text;
  return { ...now, speaking: { ...now.speaking, [turn]: { ...before, raw, text: readPartial(raw) } } };
}

function endTurn(now: Live, { turn }: { turn: string }): Live {
  const { [turn]: _done, ...speaking } = now.speaking;
  return { ...now, speaking };
}

/** Fetched once there is a decision, and cached: a finished run does not change. */
export function useWhy({ run: { id, outcome }, result, withheld }: RunDetail) {
  const isDecided = result !== null && result.decision !== null && outcome !== "failed" && !withheld;
  return useApi("explainRun", { params: { id } }, { enabled: isDecided, staleTime: Infinity, retry: false });
}
