import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call, toQuery } from "../data/call.ts";
import { RunCells } from "../runs/run-line.tsx";
import { Empty, Failure, Skeleton } from "../text/states.tsx";

type Props = { side: "A" | "B"; other: string | null; onPick: (id: string) => void };

/** Finds a run to compare; beside one that is chosen already, runs of its pack are offered. */
export function RunPicker({ side, other, onPick }: Props) {
  const [words, setWords] = useState("");
  const first = useQuery({
    queryKey: ["run", other],
    queryFn: () => call("readRun", `/api/runs/${other}`),
    enabled: other !== null,
  });
  const asked = { text: words.trim(), pack: first.data?.run.pack, limit: 12 };
  const runs = useQuery({
    queryKey: ["pick", asked],
    queryFn: () => call("listRuns", `/api/runs${toQuery(asked)}`),
    enabled: other === null || first.data !== undefined,
  });
  const offered = runs.data?.runs.filter(({ id }) => id !== other) ?? [];
  return (
    <section className="form" aria-label={`Run ${side}`}>
      <div className="field">
        <label htmlFor="pick">{side === "A" ? "Which run?" : "And which other one?"}</label>
        <input
          id="pick"
          type="search"
          placeholder="Words of its case"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      {runs.isPending && <Skeleton lines={5} />}
      {runs.isError && <Failure error={runs.error} />}
      {runs.data && offered.length === 0 && <Empty>No other run is like that.</Empty>}
      <ul className="plain-list pick">
        {offered.map((run) => (
          <li key={run.id}>
            <button className="run-row" onClick={() => onPick(run.id)}>
              <RunCells run={run} isPlain />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
