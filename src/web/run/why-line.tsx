import { GoLink } from "../text/page-context.tsx";
import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { Levers, Redecided, RunDetail, WhyReply } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { useWhy } from "../data/follow-run.ts";
import { Failure, Skeleton } from "../text/parts.tsx";
import { sayName, showHidden } from "../text/words.ts";

type Lever = Levers["levers"][number];
type Props = { detail: RunDetail; onMore: () => void };

/** How many settings are named beside the verdict; the rest are under Rules. */
const shown = 2;

/** Beside the verdict: what it hangs on, and what would change it, with a button that makes it so. */
export function WhyLine({ detail, onMore }: Props) {
  const why = useWhy(detail);
  const { data } = why;
  const attempt = useMutation({
    mutationFn: (set: string[]) => callApi("redecideRun", { params: { id: detail.run.id }, body: { set } }),
  });
  if (why.isError)
    return <p className="why-line secondary">{`What it hangs on cannot be told: ${why.error.message}`}</p>;
  if (why.isLoading)
    return (
      <div className="why-line" role="status">
        <p className="secondary">Working out what it hangs on: each turn is left out once…</p>
        <Skeleton lines={1} />
      </div>
    );
  if (!data) return null;
  const { levers } = data.levers;
  return (
    <section className="why-line" aria-label="What it hangs on">
      <HangsOn why={data} detail={detail} />
      {levers.length === 0 && <p className="secondary">{sayNone(data.levers)}</p>}
      {levers.slice(0, shown).map((lever) => (
        <p key={lever.setting}>
          <span className="key">would change</span> if <code>{lever.setting}</code> were {sayValue(lever)}:{" "}
          {sayFlips(lever)}{" "}
          <button className="small" disabled={attempt.isPending} onClick={() => attempt.mutate(toSet(lever))}>
            Try it
          </button>
        </p>
      ))}
      {levers.length > shown && (
        <button className="plain small" onClick={onMore}>{`${levers.length - shown} more settings would`}</button>
      )}
      {attempt.data && attempt.variables && (
        <>
          <RedecidedView redecided={attempt.data} />
          <div className="why-acts">
            <button onClick={() => attempt.reset()}>As it was</button>{" "}
            {attempt.data.from !== null && (
              <KeepBranch detail={detail} set={attempt.variables} from={attempt.data.from} />
            )}
          </div>
        </>
      )}
      {attempt.isError && <Failure error={attempt.error} />}
    </section>
  );
}

const mostTurns = 4;

function HangsOn({ why, detail }: { why: WhyReply; detail: RunDetail }) {
  const { decisive } = why;
  const spoken = detail.turns.filter(({ status }) => status !== "abstained").length;
  if (decisive.length === 0) return <p className="secondary">{`It hangs on no single turn of the ${spoken}.`}</p>;
  const names = new Map(
    detail.story.stages.flatMap(({ title, turns }) =>
      turns.map(({ turn, speaker }) => [turn, [...new Set([speaker, title])].join(", ")]),
    ),
  );
  return (
    <p>
      <span className="key">hangs on</span> {`${decisive.length} of ${spoken} turns, each by itself: `}
      {decisive.slice(0, mostTurns).map((turn) => (
        <GoLink key={turn} turn={turn}>
          <span aria-hidden="true">◆ </span>
          {showHidden(sayName(names.get(turn) ?? turn))}
        </GoLink>
      ))}
      {decisive.length > mostTurns && <span className="secondary">and {decisive.length - mostTurns} more</span>}
    </p>
  );
}

/** What is said when no setting that was tried changes anything. */
export function sayNone({ tried, untried }: Levers): string {
  if (tried === 0 && untried.length === 0) return "No single setting could be tried over the recorded turns.";
  const rest = untried.length === 0 ? "" : `; the debate is too long to have tried ${untried.join(", ")} in full`;
  return `None of ${tried} single settings would change the decision${rest}.`;
}

function toSet({ setting, to }: Lever): string[] {
  return [`${setting}=${typeof to === "string" ? to : JSON.stringify(to)}`];
}

function sayValue({ from, to, direction }: Lever): string {
  return `${String(to)}${direction === null ? "" : ` ${direction}`} instead of ${String(from)}`;
}

function sayFlips({ flips }: Lever): string {
  return flips
    .map(({ name, before, after }) => `${sayName(name)} ${showHidden(before)} → ${showHidden(after)}`)
    .join(", ");
}

type KeepBranchProps = { detail: RunDetail; set: string[]; from: string };

/** Makes a change stay: a branch with these settings, which shares every turn before the first that would not be asked again. */
export function KeepBranch({ detail, set, from }: KeepBranchProps) {
  const [, navigate] = useLocation();
  const branch = useMutation({
    mutationFn: () => callApi("branchRun", { params: { id: detail.run.id }, body: { from, set } }),
    onSuccess: ({ id }) => navigate(`/runs/${id}`),
  });
  return (
    <>
      <button
        className="primary"
        title={`Shares every turn before ${from}`}
        disabled={branch.isPending}
        onClick={() => branch.mutate()}
      >
        Keep it as a branch
      </button>
      {branch.isError && <Failure error={branch.error} />}
    </>
  );
}

/** What the rules come to with other settings, over the same turns: what changes of what a reader acts on, and by which rules. */
export function RedecidedView({ redecided: { headline, outcome, rules } }: { redecided: Redecided }) {
  const lines = [{ name: "outcome", ...outcome }, ...headline].filter(({ before, after }) => before !== after);
  return (
    <div className="whatif" role="status">
      <strong className={lines.length === 0 ? "secondary" : "warn"}>
        {lines.length === 0 ? "The decision stays the same." : "The decision changes:"}
      </strong>
      {lines.map(({ name, before, after }) => (
        <p key={name}>{`${sayName(name)}: ${showHidden(before)} → ${showHidden(after)}`}</p>
      ))}
      {rules.length > 0 && (
        <p className="secondary">{`rules that decide otherwise: ${rules.map(({ rule, about }) => `${sayName(rule)} ${about}`).join(", ")}`}</p>
      )}
      <p className="faint small">No call was made: the recorded turns were decided again.</p>
    </div>
  );
}
