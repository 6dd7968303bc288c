import { GoLink } from "../text/page-context.tsx";
import { Graph, layout } from "@dagrejs/dagre";
import { useMemo } from "react";
import { guessLang, showHidden } from "../text/words.ts";
import { lights, useLit } from "./evidence.tsx";
import { StandingMark, standings } from "./point-card.tsx";
import type { Placed, StoryIndex } from "./story-index.ts";

type Props = { index: StoryIndex };

/** Who answers whom, as a picture from left to right, and the same as a list. */
export default function ArgumentMap({ index }: Props) {
  const found = useMemo(() => listArguments(index), [index]);
  const drawn = useMemo(() => layOut(found), [found]);
  const byId = new Map(found.nodes.map((node) => [node.point.id, node]));
  if (found.nodes.length === 0) return <p className="secondary">Nothing that was said answers anything else.</p>;
  return (
    <section className="section" aria-label="Argument map">
      <p className="legend">
        {Object.values(standings).map(({ sign, word, tone }) => (
          <span key={word} className={tone}>
            {sign} {word}
          </span>
        ))}
        <span className="secondary">What answers stands to the right of what it answers.</span>
      </p>
      <div className="scroll map" tabIndex={0} role="region" aria-label="The map">
        <div className="canvas" style={{ width: drawn.width, height: drawn.height }}>
          <svg width={drawn.width} height={drawn.height} aria-hidden="true">
            <defs>
              <marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
                <path d="M0,0 L8,4 L0,8 z" className="tip" />
              </marker>
            </defs>
            {drawn.lines.map(({ id, path }) => (
              <path key={id} d={path} className="edge" markerEnd="url(#tip)" />
            ))}
          </svg>
          {drawn.places.map((place) => (
            <Node key={place.id} place={place} placed={byId.get(place.id)} index={index} />
          ))}
        </div>
      </div>
      {found.leftOut > 0 && <p className="secondary">{`${found.leftOut} later points are not in the picture.`}</p>}
      <MapList found={found} />
    </section>
  );
}

type NodeProps = Props & { place: Place; placed: Placed | undefined };

function Node({ place, placed, index }: NodeProps) {
  const isLit = useLit(place.id);
  if (!placed) return null;
  const { point, turn, speaker } = placed;
  const near = [point.id, ...(point.answers ?? []), ...(index.answeredBy.get(point.id) ?? []), ...(point.uses ?? [])];
  return (
    <GoLink
      className={`node ${point.standing ?? ""} ${isLit ? "lit" : ""} hue-${(index.speakers.get(speaker) ?? 0) % 6}`}
      style={{ left: place.x, top: place.y, ...nodeSize }}
      title={showHidden(point.text.slice(0, 600))}
      turn={turn}
      point={point.id}
      {...lights(() => near)}
    >
      <span className="node-head">
        <strong>{showHidden(point.name)}</strong>
        {point.standing && <StandingMark standing={point.standing} status={point.status} why={point.why} />}
      </span>
      <span className="node-text" lang={guessLang(point.text)}>
        {showHidden(point.change?.after ?? point.text).slice(0, 140)}
      </span>
      <span className="faint small">{showHidden(speaker)}</span>
    </GoLink>
  );
}

/** What was argued, and what answers what; a point that only repeats an earlier one is that one. */
type Arguments = { nodes: Placed[]; edges: { from: string; to: string }[]; leftOut: number };

/** More than this nobody can read as a picture. */
const mostNodes = 120;

/** The arguments of a debate as a graph: every point that answers another or is answered. */
export function listArguments({ points }: StoryIndex): Arguments {
  const resolve = (id: string): string => {
    const seen = new Set<string>();
    let at = id;
    for (let next = points.get(at)?.point.repeats; next && !seen.has(next); next = points.get(at)?.point.repeats) {
      seen.add(at);
      at = next;
    }
    return at;
  };
  const edges = new Map<string, { from: string; to: string }>();
  for (const { point } of points.values())
    for (const answered of point.answers ?? []) {
      const [from, to] = [resolve(answered), resolve(point.id)];
      if (from !== to && points.has(from) && points.has(to)) edges.set(`${from}\n${to}`, { from, to });
    }
  const linked = new Set([...edges.values()].flatMap(({ from, to }) => [from, to]));
  const nodes = [...points.values()].filter(({ point }) => linked.has(point.id));
  const shown = nodes.slice(0, mostNodes);
  const ids = new Set(shown.map(({ point }) => point.id));
  const drawn = [...edges.values()].filter(({ from, to }) => ids.has(from) && ids.has(to));
  return { nodes: shown, edges: drawn, leftOut: nodes.length - shown.length };
}

const nodeSize = { width: 216, height: 92 };
type Place = { id: string; x: number; y: number };
type Drawn = { width: number; height: number; places: Place[]; lines: { id: string; path: string }[] };

/** Puts each argument in its place: what answers stands to the right of what it answers. */
function layOut({ nodes, edges }: Arguments): Drawn {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 56, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { point } of nodes) graph.setNode(point.id, { ...nodeSize });
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    places: nodes.map(({ point }) => {
      const { x, y } = graph.node(point.id) as { x: number; y: number };
      return { id: point.id, x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 };
    }),
    lines: edges.map(({ from, to }) => {
      const { points } = graph.edge(from, to) as { points: { x: number; y: number }[] };
      return { id: `${from}\n${to}`, path: drawPath(points) };
    }),
  };
}

function drawPath(points: { x: number; y: number }[]): string {
  const [first, ...rest] = points.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
  if (!first) return "";
  const last = rest.at(-1) ?? first;
  const middle = Math.round((first.x + last.x) / 2);
  const start = `M${first.x},${first.y}`;
  if (rest.length <= 2) return `${start} C${middle},${first.y} ${middle},${last.y} ${last.x},${last.y}`;
  return `${start} ${rest.map(({ x, y }) => `L${x},${y}`).join(" ")}`;
}

type MapListProps = { found: Arguments };

const deepest = 8;

/** The argument map as a list: what answers stands under what it answers. */
function MapList({ found }: MapListProps) {
  const answering = new Set(found.edges.map(({ to }) => to));
  const roots = found.nodes.filter(({ point }) => !answering.has(point.id));
  return (
    <details className="fold">
      <summary>The same as a list</summary>
      <ul className="map-list">
        {roots.map((node) => (
          <Branch key={node.point.id} node={node} found={found} depth={0} />
        ))}
      </ul>
    </details>
  );
}

function Branch({ node, found, depth }: MapListProps & { node: Placed; depth: number }) {
  const { point, turn, speaker } = node;
  const next = found.edges.filter(({ from }) => from === point.id).map(({ to }) => to);
  const under = found.nodes.filter((one) => next.includes(one.point.id));
  return (
    <li>
      <GoLink turn={turn} point={point.id}>
        {showHidden(`${speaker}: ${point.name}`)}
      </GoLink>{" "}
      {point.standing && <StandingMark standing={point.standing} status={point.status} why={point.why} />}{" "}
      <span lang={guessLang(point.text)}>{showHidden(point.text.slice(0, 300))}</span>
      {under.length > 0 && depth < deepest && (
        <ul>
          {under.map((one) => (
            <Branch key={one.point.id} node={one} found={found} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  );
}
