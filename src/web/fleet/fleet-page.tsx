import { Link } from "wouter";
import type { FleetState } from "../../contract/api/index.ts";
import { buildFleetSections, describeFleet } from "../../contract/api/fleet-sections.ts";
import { useApi } from "../data/use-api.ts";
import { Sections } from "../sections/section-view.tsx";
import { Empty, Loaded } from "../text/parts.tsx";
import { showHidden, tellAge } from "../text/words.ts";

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
  const { workers, queues, dead } = fleet;
  const isStuck = workers.length === 0 && queues.some(({ ready }) => ready > 0);
  return (
    <>
      <p className={`say ${isStuck ? "warn" : ""}`} role="status">
        {describeFleet(fleet)}
      </p>
      <Sections sections={buildFleetSections(fleet)} />
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
