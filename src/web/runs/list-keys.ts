import { useEffect, useState } from "react";
import { useLocation } from "wouter";

type Item = { id: string };

/** j and k walk a list, enter opens, x marks; two marked runs are compared. */
export function useListKeys(items: readonly Item[], onMove: (index: number) => void): { at: number; marked: string[] } {
  const [at, setAt] = useState(-1);
  const [marked, setMarked] = useState<string[]>([]);
  const [, go] = useLocation();
  useEffect(() => {
    const move = (to: number) => {
      const next = Math.max(0, Math.min(items.length - 1, to));
      setAt(next);
      onMove(next);
    };
    const mark = (id: string) => {
      const next = marked.includes(id) ? marked.filter((one) => one !== id) : [...marked, id];
      if (next.length === 2) go(`/compare?a=${next[0]}&b=${next[1]}`);
      setMarked(next);
    };
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (/^(?:INPUT|TEXTAREA|SELECT|BUTTON)$/.test(target.tagName)) return;
      const item = items[at];
      if (event.key === "j") move(at + 1);
      else if (event.key === "k") move(at - 1);
      else if (event.key === "x" && item) mark(item.id);
      else if (event.key === "Enter" && item && target.tagName !== "A") go(`/runs/${item.id}`);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [items, at, marked, go, onMove]);
  return { at, marked };
}
