import { anchorOf } from "../text/page-context.tsx";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import type { Story } from "../../contract/story.ts";
import type { StoryIndex } from "./story-index.ts";

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
  const target =
    (point && document.getElementById(anchorOf("point", point))) || document.getElementById(anchorOf("turn", turn));
  target?.scrollIntoView({ block: point ? "center" : "start", inline: "nearest" });
}

/** What the keys can do on a run's page. */
type KeyActs = {
  at: string | null;
  go: (turn: string) => void;
  open: (turn: string) => void;
  toggleFocus: () => void;
  find: () => void;
  help: () => void;
};

const keyHelp: [string, string][] = [
  ["j, k", "next and previous turn"],
  ["h, l", "previous and next stage"],
  ["f", "one stage at a time, and back"],
  ["p, Enter", "prompt, raw reply and tokens of the turn"],
  ["/", "search the debate"],
  ["?", "these keys"],
];

/** j and k walk the turns, h and l the stages; nothing happens while someone types. */
function useTurnKeys(story: Story | undefined, acts: KeyActs, isOff: boolean): void {
  useEffect(() => {
    if (!story || isOff) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.metaKey || event.ctrlKey || event.altKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      if (event.key === "Enter" && /^(?:A|BUTTON|SUMMARY)$/.test(target.tagName)) return;
      if (press(event.key, story, acts)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [story, acts, isOff]);
}

function press(key: string, story: Story, acts: KeyActs): boolean {
  const { at, go, open, toggleFocus, find, help } = acts;
  const next = findNext(key, story, at);
  if (next !== null) go(next);
  else if (key === "f") toggleFocus();
  else if (key === "/") find();
  else if (key === "?") help();
  else if ((key === "p" || key === "Enter") && at !== null) open(at);
  else return false;
  return true;
}

/** The turn that a key leads to from where the reader is. */
export function findNext(key: string, { stages }: Story, at: string | null): string | null {
  const all = stages.flatMap(({ turns }) => turns.map(({ turn }) => turn));
  const place = at === null ? -1 : all.indexOf(at);
  if (key === "j" || key === "k") {
    const next = place < 0 ? 0 : place + (key === "j" ? 1 : -1);
    return all[Math.min(all.length - 1, Math.max(0, next))] ?? null;
  }
  if (key !== "h" && key !== "l") return null;
  const stage = stages.findIndex(({ turns }) => turns.some(({ turn }) => turn === at));
  const row = Math.max(0, stages[stage]?.turns.findIndex(({ turn }) => turn === at) ?? 0);
  const beside = stages[stage < 0 ? 0 : Math.min(stages.length - 1, Math.max(0, stage + (key === "l" ? 1 : -1)))];
  return beside?.turns[Math.min(row, beside.turns.length - 1)]?.turn ?? null;
}

/** The keys of this page. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog ref={box} className="key-help" onClose={onClose} aria-label="Keys">
      <h2>Keys</h2>
      <dl className="pairs">
        {keyHelp.map(([keys, what]) => (
          <div key={keys} className="bar-row">
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button onClick={() => box.current?.close()}>Close</button>
    </dialog>
  );
}
