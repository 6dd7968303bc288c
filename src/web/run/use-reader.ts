import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { type KeyActs, useTurnKeys } from "./debate/turn-keys.ts";
import type { StoryIndex } from "./debate/story-index.ts";

export const tabs = ["Debate", "Map", "Decision", "Rules", "Cost", "Branches"] as const;
export type Tab = (typeof tabs)[number];

/** Where a reader is on a run's page: the tab and the opened turn are in the address, the rest is theirs alone. */
export function useReader(index: StoryIndex) {
  const [search, setSearch] = useSearchParams();
  const opened = search.get("turn");
  const tab = tabs.find((name) => name.toLowerCase() === search.get("tab")) ?? "Debate";
  const [at, setAt] = useState<string | null>(opened);
  const [focus, setFocus] = useState<number | null>(null);
  const [find, setFind] = useState("");
  const [isHelp, setHelp] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const set = useCallback(
    (key: "turn" | "tab", value: string | null) =>
      setSearch((now) => {
        const next = new URLSearchParams(now);
        if (value === null) next.delete(key);
        else next.set(key, value);
        return next;
      }),
    [setSearch],
  );
  const open = useCallback((turn: string | null) => set("turn", turn), [set]);
  const choose = useCallback((name: Tab) => set("tab", name === "Debate" ? null : name.toLowerCase()), [set]);
  const go = useCallback(
    (turn: string, point?: string) => {
      if (tab !== "Debate") choose("Debate");
      setFind("");
      setAt(turn);
      setFocus((now) => (now === null ? null : (index.turns.get(turn)?.stage ?? now)));
      afterDrawing(() => bringIntoView(turn, point));
    },
    [index, tab, choose],
  );
  const lead = useRef(go);
  lead.current = go;
  useEffect(() => {
    if (opened) lead.current(opened);
  }, [opened]);
  const acts = useMemo((): KeyActs => {
    const toggleFocus = () => setFocus((now) => (now === null ? (index.turns.get(at ?? "")?.stage ?? 0) : null));
    return { at, go, open, toggleFocus, find: () => field.current?.focus(), help: () => setHelp(true) };
  }, [at, go, open, index]);
  useTurnKeys(index.story, acts, opened !== null || isHelp);
  return { tab, choose, opened, open, at, focus, setFocus, find, setFind, field, isHelp, setHelp, go };
}

export type Reader = ReturnType<typeof useReader>;

/** Runs once React has drawn, and what it drew has its size. */
function afterDrawing(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

function bringIntoView(turn: string, point: string | undefined): void {
  const target = (point && document.getElementById(`point-${point}`)) || document.getElementById(`turn-${turn}`);
  target?.scrollIntoView({ block: point ? "center" : "start", inline: "nearest" });
}
