import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { FleetState } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { Empty, Failure, Skeleton } from "../text/parts.tsx";
import { showHidden, tellAge, tellDuration } from "../text/words.ts";

/** The machines that share the work: what waits, who works, what is spent, and what was given up and why. */
export default function FleetPage() {
  const fleet = useQuery({ queryKey: ["fleet"], queryFn: () => callApi("readFleet", {}), refetchInterval: 2_000 });
  if (fleet.isPending) return <Skeleton lines={8} />;
  if (fleet.isError) return <Failure error={fleet.error} again={() => void fleet.refetch()} />;
  return (
    <div className="fleet">
      <h1>Fleet</h1>
      {fleet.data.fleet ? (
        <FleetView fleet={fleet.data.fleet} />
      ) : (
        <Empty command="parley serve --store postgres://… --fleet&#10;parley worker --store postgres://…">
          This server plays its runs itself. On a store in PostgreSQL, workers on any number of machines can share them.
        </Empty>
      )}
    </div>
  );
}

function FleetView({ fleet: { workers, queues, dead, deadCount, limits, purses } }: { fleet: FleetState }) {
  const waits = queues.reduce((sum, { ready }) => sum + ready, 0);
  const works = queues.reduce((sum, { playing }) => sum + playing, 0);
  const who = `${workers.length} ${workers.length === 1 ? "worker" : "workers"}`;
  return (
    <>
      <p className={`say ${workers.length === 0 && waits > 0 ? "warn" : ""}`} role="status">
        {`${workers.length === 0 ? "No worker has given a sign of life" : who}; ${waits} waiting, ${works} being played, ${deadCount} given up.`}
      </p>
      <Part
        title="Queue"
        names={["pack", "ready", "later", "playing", "oldest waits"]}
        rows={queues.map(({ pack, ready, later, playing, oldestSeconds }) => [
          pack,
          ready,
          later,
          playing,
          oldestSeconds === null ? "–" : tellDuration(oldestSeconds * 1_000),
        ])}
      />
      <Part
        title="Workers"
        names={["machine", "packs", "plays", "last sign"]}
        rows={workers.map(({ host, pid, packs, concurrency, playing, silentMs }) => [
          `${host}, process ${pid}`,
          packs.join(", "),
          `${playing} of ${concurrency}`,
          `${tellDuration(silentMs)} ago`,
        ])}
      />
      <Part
        title="Given up"
        names={["run", "pack", "why", "when"]}
        rows={dead.map(({ run, pack, reason, at }) => [
          <Link key={run} href={`/runs/${run}`}>
            {run}
          </Link>,
          pack,
          reason,
          tellAge(at),
        ])}
      />
      <Part
        title="Endpoints, last minute"
        names={["endpoint", "calls", "tokens", ""]}
        rows={limits.map(({ name, requests, tokens, pausedMs }) => [
          name,
          sayShare(requests),
          sayShare(tokens),
          pausedMs > 0 ? `pauses for ${tellDuration(pausedMs)}` : "",
        ])}
      />
      <Part
        title="Budgets"
        names={["budget", "calls", "tokens", "usd"]}
        rows={purses.map(({ name, calls, tokens, usd }) => [name, sayShare(calls), sayShare(tokens), sayShare(usd)])}
      />
    </>
  );
}

function Part({ title, names, rows }: { title: string; names: string[]; rows: ReactNode[][] }) {
  if (rows.length === 0) return null;
  return (
    <section className="section">
      <h2>{title}</h2>
      <div className="scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              {names.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, at) => (
                  <td key={at} className={typeof cell === "number" ? "number" : ""}>
                    {typeof cell === "string" ? showHidden(cell) : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function sayShare({ used, most }: { used: number; most: number | null }): string {
  const write = (value: number) => Number(value.toFixed(4)).toLocaleString("en");
  return most === null ? write(used) : `${write(used)} of ${write(most)}`;
}
