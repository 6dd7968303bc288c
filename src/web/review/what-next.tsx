import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Reviewed } from "../../contract/api/index.ts";
import { call } from "../data/call.ts";
import { sayOutcome } from "../text/words.ts";

const stateWords: Record<Reviewed["state"], string> = {
  resumed: "The run went on",
  settled: "Your ruling is recorded",
  closed: "It ends with what stands",
  refused: "It was not taken",
};

/** What came of the last answer: the run went on, and how it ended. */
export function WhatNext({ reviewed: { id, state, agreed } }: { reviewed: Reviewed }) {
  const run = useQuery({
    queryKey: ["run", id],
    queryFn: () => call("readRun", `/api/runs/${id}`),
    refetchInterval: ({ state: { data } }) =>
      data && data.run.outcome === null && data.run.status === "running" ? 1_000 : false,
  });
  const now = run.data && sayOutcome(run.data.run.status, run.data.run.outcome).word;
  return (
    <p className="notice done" role="status">
      {stateWords[state]}
      {now && ` → ${now}`}.{" "}
      {agreed !== null && (agreed ? "You and the machine agree. " : "The machine had decided otherwise. ")}
      <Link href={`/runs/${id}`}>Look at it</Link>
    </p>
  );
}
