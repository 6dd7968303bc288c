export { remember } from "../../../text/remember.ts";

/** Calls a loader when its value is first asked for, and keeps the value. */
export function loadOnce<T extends object>(load: () => T): () => T {
  let held: T | undefined;
  return () => {
    held ??= load();
    return held;
  };
}
