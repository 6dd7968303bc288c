import { guessLang, showHidden } from "../../text/words.ts";
import { StandingMark } from "../debate/standing.tsx";
import type { Placed } from "../debate/story-index.ts";
import type { Arguments } from "./list-arguments.ts";

type Props = { found: Arguments; onGo: (turn: string, point: string) => void };

const deepest = 8;

/** The argument map as a list: what answers stands under what it answers. */
export function MapList({ found, onGo }: Props) {
  const answering = new Set(found.edges.map(({ to }) => to));
  const roots = found.nodes.filter(({ point }) => !answering.has(point.id));
  return (
    <details className="fold">
      <summary>The same as a list</summary>
      <ul className="map-list">
        {roots.map((node) => (
          <Branch key={node.point.id} node={node} found={found} onGo={onGo} depth={0} />
        ))}
      </ul>
    </details>
  );
}

function Branch({ node, found, onGo, depth }: Props & { node: Placed; depth: number }) {
  const { point, turn, speaker } = node;
  const next = found.edges.filter(({ from }) => from === point.id).map(({ to }) => to);
  const under = found.nodes.filter((one) => next.includes(one.point.id));
  return (
    <li>
      <button className="plain" onClick={() => onGo(turn, point.id)}>
        {showHidden(`${speaker}: ${point.name}`)}
      </button>{" "}
      {point.standing && <StandingMark standing={point.standing} status={point.status} why={point.why} />}{" "}
      <span lang={guessLang(point.text)}>{showHidden(point.text.slice(0, 300))}</span>
      {under.length > 0 && depth < deepest && (
        <ul>
          {under.map((one) => (
            <Branch key={one.point.id} node={one} found={found} onGo={onGo} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  );
}
