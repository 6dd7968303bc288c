import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { BranchNode, RunDetail } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { Failure, Skeleton } from "../text/parts.tsx";
import { sayOutcome, showHidden, tellAge, tellTime } from "../text/words.ts";

export default function Branches({ detail }: { detail: RunDetail }) {
  const { id } = detail.run;
  const tree = useQuery({
    queryKey: ["branches", id],
    queryFn: () => callApi("listBranches", { params: { id } }),
  });
  if (tree.isPending) return <Skeleton lines={4} />;
  if (tree.isError) return <Failure error={tree.error} />;
  const { nodes, complete } = tree.data;
  const root = nodes.find(({ parent }) => parent === null || !nodes.some(({ run }) => run === parent.run));
  return (
    <section className="section" aria-label="Branches">
      <h2>Branches</h2>
      {nodes.length === 1 && (
        <p className="secondary">
          Nobody has gone another way from here. <code>parley branch {id} --from STEP</code> does, and so do the
          settings under Rules.
        </p>
      )}
      {root && (
        <ul className="tree">
          <BranchView node={root} nodes={nodes} current={id} />
        </ul>
      )}
      {!complete && (
        <p className="secondary">The store has more runs than were looked through; branches may be missing.</p>
      )}
    </section>
  );
}

function BranchView({ node, nodes, current }: { node: BranchNode; nodes: BranchNode[]; current: string }) {
  const under = nodes.filter(({ parent }) => parent?.run === node.run);
  const { word, tone } = sayOutcome(node.status, node.outcome);
  return (
    <li>
      <div className={`branch ${node.run === current ? "at" : ""}`}>
        {node.run === current ? <strong>{node.run}</strong> : <Link href={`/runs/${node.run}`}>{node.run}</Link>}
        <span className={`chip ${tone}`}>{word}</span>
        <span className="headline">{showHidden(node.headline)}</span>
        <span className="secondary">
          {node.parent
            ? `from ${node.parent.from}, ${node.shared} turns shared, ${node.own} of its own`
            : `${node.own} turns`}
        </span>
        <span className="number">{node.usd === null ? "price unknown" : `$${node.usd.toFixed(4)}`}</span>
        <time className="faint" dateTime={node.createdAt} title={tellTime(node.createdAt)}>
          {tellAge(node.createdAt)}
        </time>
        {node.parent && <Link href={`/compare?a=${node.parent.run}&b=${node.run}`}>what differs</Link>}
      </div>
      {under.length > 0 && (
        <ul>
          {under.map((one) => (
            <BranchView key={one.run} node={one} nodes={nodes} current={current} />
          ))}
        </ul>
      )}
    </li>
  );
}
