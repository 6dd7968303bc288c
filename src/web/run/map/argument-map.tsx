import { useMemo } from "react";
import { guessLang, showHidden } from "../../text/words.ts";
import { lights, useLit } from "../debate/lit.ts";
import { StandingMark, standings } from "../debate/standing.tsx";
import type { Placed, StoryIndex } from "../debate/story-index.ts";
import { layOut, nodeSize, type Place } from "./lay-out.ts";
import { listArguments } from "./list-arguments.ts";
import { MapList } from "./map-list.tsx";

type Props = { index: StoryIndex; onGo: (turn: string, point: string) => void };

/** Who answers whom, as a picture from left to right, and the same as a list. */
export default function ArgumentMap({ index, onGo }: Props) {
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
            <Node key={place.id} place={place} placed={byId.get(place.id)} index={index} onGo={onGo} />
          ))}
        </div>
      </div>
      {found.leftOut > 0 && <p className="secondary">{`${found.leftOut} later points are not in the picture.`}</p>}
      <MapList found={found} onGo={onGo} />
    </section>
  );
}

type NodeProps = Props & { place: Place; placed: Placed | undefined };

function Node({ place, placed, index, onGo }: NodeProps) {
  const isLit = useLit(place.id);
  if (!placed) return null;
  const { point, turn, speaker } = placed;
  const near = [point.id, ...(point.answers ?? []), ...(index.answeredBy.get(point.id) ?? []), ...(point.uses ?? [])];
  return (
    <button
      className={`node ${point.standing ?? ""} ${isLit ? "lit" : ""} hue-${(index.speakers.get(speaker) ?? 0) % 6}`}
      style={{ left: place.x, top: place.y, ...nodeSize }}
      title={showHidden(point.text.slice(0, 600))}
      onClick={() => onGo(turn, point.id)}
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
    </button>
  );
}
