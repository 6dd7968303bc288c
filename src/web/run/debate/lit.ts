import { useSyncExternalStore } from "react";

/** What the pointer or the focus is on, and what belongs to it: only what is lit is drawn again. */
let lit: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Lights these points and exhibits, and nothing else. */
export function light(ids: Iterable<string>): void {
  lit = new Set(ids);
  for (const listener of listeners) listener();
}

export function useLit(id: string): boolean {
  return useSyncExternalStore(subscribe, () => lit.has(id));
}

/** What makes an element light things while the pointer or the focus is on it. */
export function lights(ids: () => Iterable<string>) {
  return {
    onPointerEnter: () => light(ids()),
    onPointerLeave: () => light([]),
    onFocus: () => light(ids()),
    onBlur: () => light([]),
  };
}
