import { Link, useSearchParams } from "wouter";
import type { RunItem } from "../../contract/api/index.ts";
import { useApi } from "../data/use-api.ts";
import { Sections } from "../sections/section-view.tsx";
import { Age, Loaded, OutcomeChip } from "../text/parts.tsx";
import { guessLang, showHidden } from "../text/words.ts";

export default function ComparePage() {
  const [search] = useSearchParams();
  const query = { a: search.get("a") ?? "", b: search.get("b") ?? "" };
  const compared = useApi("compareRuns", { query }, { retry: false });
  return (
    <div className="compare">
      <h1>Compare two runs</h1>
      <Loaded query={compared}>
        {({ a, b, same, sections }) => (
          <>
            <div className="versus">
              <Side side="First" run={a} />
              <Side side="Second" run={b} />
            </div>
            {same && <p role="status">The two runs are the same in everything that counts.</p>}
            <Sections sections={sections} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Side({ side, run }: { side: string; run: RunItem }) {
  return (
    <div>
      <p className="secondary">
        <strong>{side}</strong> <Age at={run.createdAt} />
      </p>
      <Link href={`/runs/${run.id}`} lang={guessLang(run.subject)}>
        {showHidden(run.subject) || run.id}
      </Link>
      <p>
        <OutcomeChip run={run} /> <span className="secondary">{`cast ${run.cast}`}</span>
      </p>
    </div>
  );
}
