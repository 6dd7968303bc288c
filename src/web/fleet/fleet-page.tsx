import { Link } from "wouter";
import type { FleetState } from "../../contract/api/index.ts";
import type { Section } from "../../contract/view.ts";
import { useApi } from "../data/use-api.ts";
import { Sections } from "../sections/section-view.tsx";
import { Empty, Loaded } from "../text/parts.tsx";
import { showHidden, tellAge, tellDuration } from "../text/words.ts";

export default function FleetPage() {
  const state = useApi("readFleet", {}, { refetchInterval: 2_000 });
  return (
    <Loaded query={state}>
      {({ fleet }) => (
        <div className="fleet">
          <h1>Fleet</h1>
          {fleet ? (
            <FleetView fleet={fleet} />
          ) : (
            <Empty command="parley serve --store postgres://… --fleet&#10;parley worker --store postgres://…">
              This server plays its runs itself. On a store in PostgreSQL, workers on any number of machines can share
              them.
            </Empty>
          )}
        </div>
      )}
    </Loaded>
  );
}

function FleetView({ fleet }: { fleet: FleetState }) {
  const { workers, queues, dead, deadCount } = fleet;
  const waits = queues.reduce((sum, { ready }) => sum + ready, 0);
  const works = queues.reduce((sum, { playing }) => sum + playing, 0);
  const who = `${workers.length} ${workers.length === 1 ? "worker" : "workers"}`;
  return (
    <>
      <p className={`say ${workers.length === 0 && waits > 0 ? "warn" : ""}`} role="status">
        {`${workers.length === 0 ? "No worker has given a sign of life" : who}; ${waits} waiting, ${works} being played, ${deadCount} given up.`}
      </p>
      <Sections sections={listTables(fleet)} />
      {dead.length > 0 && (
        <section className="section" aria-label="Given up">
          <h2>Given up</h2>
          <ul>
            {dead.map(({ run, pack, reason, at }) => (
              <li key={run}>
                <Link href={`/runs/${run}`}>{run}</Link> {showHidden(`${pack}, ${tellAge(at)}: ${reason}`)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function listTables({ queues, workers, limits, purses }: FleetState): Section[] {
  return [
    {
      kind: "table",
      title: "Queue",
      columns: ["pack", "ready", "later", "playing", "oldest waits"],
      rows: queues.map(({ pack, ready, later, playing, oldestSeconds }) => [
        pack,
        ...[ready, later, playing].map(String),
        oldestSeconds === null ? "–" : tellDuration(oldestSeconds * 1_000),
      ]),
    },
    {
      kind: "table",
      title: "Workers",
      columns: ["machine", "packs", "plays", "last sign"],
      rows: workers.map(({ host, pid, packs, concurrency, playing, silentMs }) => [
        `${host}, process ${pid}`,
        packs.join(", "),
        `${playing} of ${concurrency}`,
        `${tellDuration(silentMs)} ago`,
      ]),
    },
    {
      kind: "table",
      title: "Endpoints, last minute",
      columns: ["endpoint", "calls", "tokens", "pauses for"],
      rows: limits.map(({ name, requests, tokens, pausedMs }) => [
        name,
        sayShare(requests),
        sayShare(tokens),
        pausedMs > 0 ? tellDuration(pausedMs) : "–",
      ]),
    },
    {
      kind: "table",
      title: "Budgets",
      columns: ["budget", "calls", "tokens", "usd"],
      rows: purses.map(({ name, calls, tokens, usd }) => [name, ...[calls, tokens, usd].map(sayShare)]),
    },
  ];
}

function sayShare({ used, most }: { used: number; most: number | null }): string {
  const write = (value: number) => Number(value.toFixed(4)).toLocaleString("en");
  return most === null ? write(used) : `${write(used)} of ${write(most)}`;
}
