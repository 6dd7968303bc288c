import { useEffect } from "react";
import type { Story } from "../../../contract/story.ts";

/** What the keys can do on a run's page. */
export type KeyActs = {
  at: string | null;
  go: (turn: string) => void;
  open: (turn: string) => void;
  toggleFocus: () => void;
  find: () => void;
  help: () => void;
};

export const keyHelp: [string, string][] = [
  ["j, k", "next and previous turn"],
  ["h, l", "previous and next stage"],
  ["f", "one stage at a time, and back"],
  ["p, Enter", "prompt, raw reply and tokens of the turn"],
  ["/", "search the debate"],
  ["?", "these keys"],
];

/** j and k walk the turns, h and l the stages; nothing happens while someone types. */
export function useTurnKeys(story: Story | undefined, acts: KeyActs, isOff: boolean): void {
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
