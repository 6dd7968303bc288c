import { Link } from "wouter";
import type { BranchNode } from "../../contract/api/index.ts";
import { useApi } from "../data/use-api.ts";
import { Age, Loaded, OutcomeChip } from "../text/parts.tsx";
import { showHidden } from "../text/words.ts";

export default function Branches({ id }: { id: string }) {
  const tree = useApi("listBranches", { params: { id } });
  return (
    <section className="section" aria-label="Branches">
      <h2>Branches</h2>
      <Loaded query={tree} lines={4}>
        {({ nodes, complete }) => (
          <>
            {nodes.length === 1 && (
              <p className="secondary">
                Nobody has gone another way from here. <code>parley branch {id} --from STEP</code> does, and so do the
                settings under Rules.
              </p>
            )}
            <ul className="tree">
              {nodes
                .filter(({ parent }) => parent === null || !nodes.some(({ run }) => run === parent.run))
                .map((root) => (
                  <BranchView key={root.run} node={root} nodes={nodes} current={id} />
                ))}
            </ul>
            {!complete && (
              <p className="secondary">The store has more runs than were looked through; branches may be missing.</p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function BranchView({ node, nodes, current }: { node: BranchNode; nodes: BranchNode[]; current: string }) {
  const under = nodes.filter(({ parent }) => parent?.run === node.run);
  return (
    <li>
      <div className={`branch ${node.run === current ? "at" : ""}`}>
        {node.run === current ? <strong>{node.run}</strong> : <Link href={`/runs/${node.run}`}>{node.run}</Link>}
        <OutcomeChip run={node} />
        <span className="headline">{showHidden(node.headline)}</span>
        <span className="secondary">
          {node.parent
            ? `from ${node.parent.from}, ${node.shared} turns shared, ${node.own} of its own`
            : `${node.own} turns`}
        </span>
        <span className="number">{node.usd === null ? "price unknown" : `$${node.usd.toFixed(4)}`}</span>
        <Age at={node.createdAt} />
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
