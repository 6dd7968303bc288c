import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { FleetState } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { Empty, Failure, Skeleton } from "../text/parts.tsx";
import { sayName, showHidden, tellAge, tellDuration, tellTime } from "../text/words.ts";

/** How often a fleet is looked at while its page is open. */
const againMs = 2_000;

/** The machines that share the work: what waits, who works, what is spent, and what was given up and why. */
export default function FleetPage() {
  const fleet = useQuery({
    queryKey: ["fleet"],
    queryFn: () => callApi("readFleet", {}),
    refetchInterval: againMs,
  });
  if (fleet.isPending) return <Skeleton lines={8} />;
  if (fleet.isError) return <Failure error={fleet.error} again={() => void fleet.refetch()} />;
  return (
    <div className="fleet">
      <h1>Fleet</h1>
      {fleet.data.fleet ? <FleetView fleet={fleet.data.fleet} /> : <NoFleet />}
    </div>
  );
}

function NoFleet() {
  return (
    <Empty command="parley serve --store postgres://… --fleet&#10;parley worker --store postgres://…">
      This server plays its runs itself. On a store in PostgreSQL, workers on any number of machines can share them.
    </Empty>
  );
}

function FleetView({ fleet }: { fleet: FleetState }) {
  const { workers, queues, dead, deadCount, paused, runs, limits, purses } = fleet;
  const waits = queues.reduce((sum, { ready }) => sum + ready, 0);
  const works = queues.reduce((sum, { playing }) => sum + playing, 0);
  return (
    <>
      <p className={`say ${workers.length === 0 && waits > 0 ? "warn" : ""}`} role="status">
        {sayFleet({ workers: workers.length, waits, works, dead: deadCount })}
      </p>
      {paused.length > 0 && (
        <p className="notice">{`Paused: ${paused.includes("*") ? "every pack" : paused.join(", ")}. Nothing of it is handed out.`}</p>
      )}
      <Part
        title="Queue"
        note="Runs that wait, by pack."
        names={["pack", "#ready", "#later", "#playing", "oldest waits"]}
      >
        {queues.map(({ pack, ready, later, playing, oldestSeconds }) => (
          <Row
            key={pack}
            cells={[pack, ready, later, playing, oldestSeconds === null ? "–" : tellDuration(oldestSeconds * 1_000)]}
          />
        ))}
      </Part>
      <Part title="Workers" note="Those who gave a sign of life." names={["machine", "packs", "plays", "last sign"]}>
        {workers.map(({ host, pid, packs, concurrency, playing, silentMs }) => (
          <Row
            key={`${host}/${pid}`}
            cells={[
              `${host}, process ${pid}`,
              packs.join(", "),
              `${playing} of ${concurrency}`,
              silentMs < 1_000 ? "just now" : `${tellDuration(silentMs)} ago`,
            ]}
          />
        ))}
      </Part>
      <DeadLetters dead={dead} count={deadCount} />
      <Part title="Endpoints" note="Calls and tokens of the last minute." names={["endpoint", "calls", "tokens", ""]}>
        {limits.map(({ name, requests, tokens, pausedMs }) => (
          <Row
            key={name}
            cells={[
              name,
              sayShare(requests),
              sayShare(tokens),
              pausedMs > 0 ? `pauses for ${tellDuration(pausedMs)}` : "",
            ]}
          />
        ))}
      </Part>
      <Part title="Budgets" note="Those that several runs share." names={["budget", "calls", "tokens", "usd"]}>
        {purses.map(({ name, calls, tokens, usd }) => (
          <Row key={name} cells={[name, sayShare(calls), sayShare(tokens), sayShare(usd)]} />
        ))}
      </Part>
      <Part title="Runs of the store" note="" names={["state", "#runs"]}>
        {runs.map(({ state, count }) => (
          <Row key={state} cells={[sayName(state), count]} />
        ))}
      </Part>
    </>
  );
}

function DeadLetters({ dead, count }: { dead: FleetState["dead"]; count: number }) {
  const more = count - dead.length;
  return (
    <Part
      title="Given up"
      isWide
      note={more > 0 ? `The newest; ${more} more are not shown.` : "Runs that are no longer handed out."}
      names={["run", "pack", "why", "when"]}
    >
      {dead.map(({ run, pack, reason, at }) => (
        <tr key={run}>
          <td>
            <Link href={`/runs/${run}`}>{run}</Link>
          </td>
          <td>{pack}</td>
          <td className="prose">{showHidden(reason)}</td>
          <td>
            <time dateTime={at} title={tellTime(at)}>
              {tellAge(at)}
            </time>
          </td>
        </tr>
      ))}
    </Part>
  );
}

/** A name that begins with # is that of a column of numbers. */
type PartProps = { title: string; note: string; names: string[]; children: ReactNode[]; isWide?: boolean };

function Part({ title, note, names, children, isWide = false }: PartProps) {
  return (
    <section className={`section ${isWide ? "wide" : ""}`}>
      <h2>{title}</h2>
      {children.length === 0 ? (
        <p className="secondary">None.</p>
      ) : (
        <>
          {note !== "" && <p className="secondary">{note}</p>}
          <div className="scroll" tabIndex={0} role="region" aria-label={title}>
            <table>
              <thead>
                <tr>
                  {names.map((name) => (
                    <th key={name} scope="col" className={name.startsWith("#") ? "number" : ""}>
                      {name.replace("#", "")}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>{children}</tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}

function Row({ cells }: { cells: (string | number)[] }) {
  return (
    <tr>
      {cells.map((cell, at) => (
        <td key={at} className={typeof cell === "number" ? "number" : ""}>
          {typeof cell === "number" ? cell.toLocaleString("en") : showHidden(cell)}
        </td>
      ))}
    </tr>
  );
}

function sayShare({ used, most }: { used: number; most: number | null }): string {
  const write = (value: number) => Number(value.toFixed(4)).toLocaleString("en");
  return most === null ? write(used) : `${write(used)} of ${write(most)}`;
}

/** How the fleet stands, in a sentence. */
function sayFleet({ workers, waits, works, dead }: Record<"workers" | "waits" | "works" | "dead", number>): string {
  const rest = `${waits} waiting, ${works} being played, ${dead} given up.`;
  if (workers === 0) return `No worker has given a sign of life; ${rest}`;
  return `${workers} ${workers === 1 ? "worker" : "workers"}; ${rest}`;
}
