import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";

type Item = { id: string };
type Place = { at: number; marked: string[] };

/** j and k walk a list, enter opens, x marks; two marked runs are compared. */
export function useListKeys(items: readonly Item[], onMove: (index: number) => void): Place {
  const [now, setNow] = useState<Place>({ at: -1, marked: [] });
  // Keys may come faster than the page is drawn: each finds what the one before it left.
  const latest = useRef(now);
  const [, go] = useLocation();
  useEffect(() => {
    const hold = (next: Place) => {
      latest.current = next;
      setNow(next);
    };
    const move = (by: number) => {
      const at = Math.max(0, Math.min(items.length - 1, latest.current.at + by));
      hold({ ...latest.current, at });
      onMove(at);
    };
    const mark = (id: string) => {
      const { at, marked } = latest.current;
      const next = marked.includes(id) ? marked.filter((one) => one !== id) : [...marked, id];
      hold({ at, marked: next });
      if (next.length === 2) go(`/compare?a=${next[0]}&b=${next[1]}`);
    };
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (/^(?:INPUT|TEXTAREA|SELECT|BUTTON)$/.test(target.tagName)) return;
      const item = items[latest.current.at];
      if (event.key === "j") move(1);
      else if (event.key === "k") move(-1);
      else if (event.key === "x" && item) mark(item.id);
      else if (event.key === "Enter" && item && target.tagName !== "A") go(`/runs/${item.id}`);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [items, go, onMove]);
  return now;
}
