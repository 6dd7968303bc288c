import { useCallback, useState } from "react";

/** What a reviewer has written so far; it is kept until it is sent, also over a reload. */
export type Draft = {
  reply: Record<string, unknown>;
  verdict: "uphold" | "correct" | null;
  why: string;
  gold: unknown;
  calls: string;
  usd: string;
};

const empty: Draft = { reply: {}, verdict: null, why: "", gold: null, calls: "", usd: "" };
const keyOf = (run: string): string => `parley-draft-${run}`;

export function useDraft(run: string, start: Partial<Draft>) {
  const [draft, setDraft] = useState<Draft>(() => ({ ...empty, ...start, ...readDraft(run) }));
  const change = useCallback(
    (changes: Partial<Draft>) =>
      setDraft((before) => {
        const next = { ...before, ...changes };
        sessionStorage.setItem(keyOf(run), JSON.stringify(next));
        return next;
      }),
    [run],
  );
  return { draft, change, forget: () => sessionStorage.removeItem(keyOf(run)) };
}

function readDraft(run: string): Partial<Draft> {
  try {
    return (JSON.parse(sessionStorage.getItem(keyOf(run)) ?? "{}") as Partial<Draft> | null) ?? {};
  } catch {
    return {};
  }
}
