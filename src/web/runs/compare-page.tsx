import { Link, useSearchParams } from "wouter";
import type { Comparison, RunItem } from "../../contract/api/index.ts";
import { useApi } from "../data/use-api.ts";
import { Age, Loaded, OutcomeChip, ValueView } from "../text/parts.tsx";
import { guessLang, sayName, showHidden } from "../text/words.ts";

export default function ComparePage() {
  const [search] = useSearchParams();
  const query = { a: search.get("a") ?? "", b: search.get("b") ?? "" };
  const compared = useApi("compareRuns", { query }, { retry: false });
  return (
    <div className="compare">
      <h1>Compare two runs</h1>
      <Loaded query={compared}>{(comparison) => <Compared comparison={comparison} />}</Loaded>
    </div>
  );
}

function Compared({ comparison }: { comparison: Comparison }) {
  const { a, b, start, turns, rules } = comparison;
  const decided = comparison.headline.filter(({ before, after }) => before !== after);
  return (
    <>
      <div className="versus">
        <Side side="A" run={a} />
        <Side side="B" run={b} />
      </div>
      <p className="say" role="status">
        {sayComparison(comparison)}
      </p>
      <Differences title="What was decided" rows={decided.map(({ name, ...sides }) => ({ path: name, ...sides }))} />
      <Differences title="What they were started with" rows={start} />
      {turns.length > 0 && <h2>Turns that differ</h2>}
      {turns.map(({ turn, change, prompt, reply }, at) => (
        <details key={turn} open={at === 0} className="fold">
          <summary>
            <strong>{sayTurn(turn)}</strong> {changeWords[change]}
            {at === 0 && <span className="here">here they part</span>}
          </summary>
          {prompt && <p className="secondary">{showHidden(prompt)}</p>}
          <p className="links">
            {change !== "only_in_second" && <Link href={`/runs/${a.id}?turn=${encodeURIComponent(turn)}`}>in A</Link>}
            {change !== "only_in_first" && <Link href={`/runs/${b.id}?turn=${encodeURIComponent(turn)}`}>in B</Link>}
          </p>
          <Differences title="" rows={reply} />
        </details>
      ))}
      {rules.length > 0 && <h2>Rules that decided differently</h2>}
      {rules.map(({ rule, about, change, differences }, at) => (
        <details key={at} className="fold">
          <summary>
            {`${sayName(rule)} ${showHidden(about)}`} <span className="secondary">{change}</span>
          </summary>
          <Differences title="" rows={differences} />
        </details>
      ))}
    </>
  );
}

function sayComparison({ same, headline, turns, a, b }: Comparison): string {
  if (same) return "The two runs are the same in everything that counts.";
  const isOther = a.outcome !== b.outcome || headline.some(({ before, after }) => before !== after);
  const decided = `They came to ${isOther ? "different decisions" : "the same decision"}`;
  if (turns.length === 0) return `${decided}, over the same turns.`;
  return `${decided}; ${turns.length === 1 ? "one turn differs" : `${turns.length} turns differ`}.`;
}

function Side({ side, run }: { side: "A" | "B"; run: RunItem }) {
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

const mostShown = 60;

function Differences({ title, rows }: { title: string; rows: { path: string; before?: unknown; after?: unknown }[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="section">
      {title !== "" && <h2>{title}</h2>}
      <table className="differences">
        <tbody>
          {rows.slice(0, mostShown).map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">{showHidden(sayName(path).replaceAll(".", ", ")) || "all of it"}</th>
              <td>
                <ValueView value={before} />
              </td>
              <td>
                <ValueView value={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostShown && <p className="secondary">{`and ${rows.length - mostShown} more`}</p>}
    </section>
  );
}

const changeWords: Record<Comparison["turns"][number]["change"], string> = {
  only_in_first: "was only held in A",
  only_in_second: "was only held in B",
  prompt: "was asked something else",
  reply: "answered differently",
  status: "ended differently",
};

function sayTurn(id: string): string {
  const [round = "", step = "", role = ""] = id.split("/");
  const place = round === "0" ? [] : [`round ${round}`];
  return showHidden([...new Set([sayName(role), sayName(step), ...place])].join(", "));
}
