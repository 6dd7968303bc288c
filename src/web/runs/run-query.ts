import { useCallback } from "react";
import type { Outcome } from "../../contract/result.ts";
import type { RunStatus } from "../../contract/run.ts";
import { useSearchParams } from "wouter";
import { outcomeWords, statusWords } from "../text/words.ts";

/** What is looked for, as it stands in the address. */
export type RunQuery = {
  text: string;
  pack: string;
  /** How a run ended or stands: an outcome or a status. */
  state: string;
  batch: string;
  case: string;
  /** Made in the last so many days. */
  days: string;
  group: string;
};

const names = ["text", "pack", "state", "batch", "case", "days", "group"] as const satisfies (keyof RunQuery)[];

/** The states that a list can be narrowed to, in the order in which a reader asks for them. */
export const states: Record<string, string> = {
  ...Object.fromEntries(Object.entries(outcomeWords).map(([name, { word }]) => [name, word])),
  ...Object.fromEntries(
    Object.entries(statusWords).flatMap(([name, { word }]) => (name === "finished" ? [] : [[name, word]])),
  ),
};

/** The query of the address, and a way to change it; an empty value leaves it out. */
export function useRunQuery(): [RunQuery, (changes: Partial<RunQuery>) => void] {
  const [search, setSearch] = useSearchParams();
  const query = readQuery(search);
  const change = useCallback(
    (changes: Partial<RunQuery>) =>
      setSearch((before) => writeQuery({ ...readQuery(before), ...changes }), { replace: true }),
    [setSearch],
  );
  return [query, change];
}

function readQuery(search: URLSearchParams): RunQuery {
  const state = search.get("state") ?? search.get("outcome") ?? search.get("status") ?? "";
  return { ...(Object.fromEntries(names.map((name) => [name, search.get(name) ?? ""])) as RunQuery), state };
}

export function writeQuery(query: RunQuery): URLSearchParams {
  return new URLSearchParams(names.flatMap((name) => (query[name] === "" ? [] : [[name, query[name]]])));
}

/** The query as the API takes it; the hour is rounded, so that asking again asks for the same. */
export function toApiQuery({ state, days, group: _group, ...rest }: RunQuery, nowMs = Date.now()) {
  const hourMs = 3_600_000;
  const from = days === "" ? undefined : new Date(Math.floor(nowMs / hourMs) * hourMs - Number(days) * 24 * hourMs);
  return {
    ...rest,
    ...(state in outcomeWords ? { outcome: state as Outcome } : state === "" ? {} : { status: state as RunStatus }),
    ...(from && !Number.isNaN(from.getTime()) && { from: from.toISOString() }),
  };
}

/** True when nothing narrows the list. */
export function isPlain(query: RunQuery): boolean {
  return names.every((name) => name === "group" || query[name] === "");
}
