import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import type { Comparison, RunItem } from "../../contract/api/index.ts";
import { CompareArms } from "../compare/arms.tsx";
import { Differences, Part, TurnDifference } from "../compare/differences.tsx";
import { RunPicker } from "../compare/run-picker.tsx";
import { call, toQuery } from "../data/call.ts";
import { Failure, Skeleton } from "../text/states.tsx";
import { tellAge, tellTime } from "../text/time.ts";
import { guessLang, sayName, sayOutcome, showHidden } from "../text/words.ts";

/** Two runs or two arms of a study side by side: only what differs, and where they part. */
export default function ComparePage() {
  const [search, setSearch] = useSearchParams();
  const study = search.get("study");
  return study === null ? <CompareRuns search={search} setSearch={setSearch} /> : <CompareArms study={study} />;
}

type Search = ReturnType<typeof useSearchParams>;

function CompareRuns({ search, setSearch }: { search: Search[0]; setSearch: Search[1] }) {
  const [a, b] = [search.get("a"), search.get("b")];
  const compared = useQuery({
    queryKey: ["compare", a, b],
    queryFn: () => call("compareRuns", `/api/compare${toQuery({ a: a ?? "", b: b ?? "" })}`),
    enabled: a !== null && b !== null,
    retry: false,
  });
  const pick = (side: "a" | "b") => (id: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      next.set(side, id);
      return next;
    });
  return (
    <div className="compare">
      <h1>Compare two runs</h1>
      {a === null && <RunPicker side="A" other={b} onPick={pick("a")} />}
      {a !== null && b === null && <RunPicker side="B" other={a} onPick={pick("b")} />}
      {a !== null && b !== null && compared.isPending && <Skeleton lines={8} />}
      {compared.isError && (
        <>
          <Failure error={compared.error} />
          <p>
            <Link href={`/compare?a=${a}`}>Compare with another run</Link>
          </p>
        </>
      )}
      {compared.data && <Compared comparison={compared.data} />}
    </div>
  );
}

function Compared({ comparison }: { comparison: Comparison }) {
  const { a, b, same, start, turns, rules } = comparison;
  const headline = comparison.headline.filter(({ before, after }) => before !== after);
  return (
    <>
      <div className="versus">
        <Side side="A" run={a} />
        <Side side="B" run={b} />
      </div>
      <p className="say" role="status">
        {sayComparison(comparison)}
      </p>
      {!same && (
        <>
          <Part title="What was decided" count={headline.length}>
            <Differences
              title="What was decided"
              rows={headline.map(({ name, ...sides }) => ({ path: name, ...sides }))}
            />
          </Part>
          <Part title="What they were started with" count={start.length}>
            <Differences title="What they were started with" rows={start} />
          </Part>
          <Part title="Turns that differ" count={turns.length}>
            {turns.map((turn, at) => (
              <TurnDifference key={turn.turn} turn={turn} a={a.id} b={b.id} isFirst={at === 0} />
            ))}
          </Part>
          <Part title="Rules that decided otherwise" count={rules.length}>
            {rules.map(({ rule, about, change, differences }, at) => (
              <details key={at}>
                <summary>
                  {`${sayName(rule)} ${showHidden(about)}`} <span className="secondary">{change}</span>
                </summary>
                <Differences title={sayName(rule)} rows={differences} />
              </details>
            ))}
          </Part>
        </>
      )}
    </>
  );
}

/** How two runs stand to each other, in a sentence. */
function sayComparison({ same, headline, turns, a, b }: Comparison): string {
  if (same) return "The two runs are the same in everything that counts.";
  const isOther = headline.some(({ before, after }) => before !== after);
  const decided =
    a.outcome !== b.outcome || isOther ? "They came to different decisions" : "They came to the same decision";
  if (turns.length === 0) return `${decided}, over the same turns.`;
  return `${decided}; ${turns.length === 1 ? "one turn differs" : `${turns.length} turns differ`}.`;
}

function Side({ side, run }: { side: "A" | "B"; run: RunItem }) {
  const { word, tone } = sayOutcome(run.status, run.outcome);
  return (
    <div>
      <p className="secondary">
        <strong>{side}</strong> <time title={tellTime(run.createdAt)}>{tellAge(run.createdAt)}</time>
      </p>
      <Link href={`/runs/${run.id}`} lang={guessLang(run.subject)}>
        {showHidden(run.subject) || run.id}
      </Link>
      <p>
        <span className={`chip ${tone}`}>{word}</span> <span className="secondary">{`cast ${run.cast}`}</span>
      </p>
    </div>
  );
}
