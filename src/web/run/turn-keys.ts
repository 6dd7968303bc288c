import { useEffect, useState } from "react";
import type { TurnItem } from "../../contract/api/index.ts";

/** j and k walk the turns, p opens the one that is marked; nothing happens while someone types. */
export function useTurnKeys(turns: readonly TurnItem[], open: (turn: string) => void, isOff: boolean): string | null {
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (isOff || event.metaKey || event.ctrlKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      if (event.key === "j" || event.key === "k") {
        const next = Math.min(turns.length - 1, Math.max(0, (at ?? -1) + (event.key === "j" ? 1 : -1)));
        setAt(next);
        document.getElementById(`turn-${turns[next]?.id}`)?.scrollIntoView({ block: "center" });
      }
      const turn = at === null ? undefined : turns[at];
      if ((event.key === "p" || event.key === "Enter") && turn && target === document.body) open(turn.id);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [turns, at, open, isOff]);
  return at === null ? null : (turns[at]?.id ?? null);
}
