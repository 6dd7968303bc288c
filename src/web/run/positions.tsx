import { useState } from "react";
import { fillIn, type PageWords } from "../../contract/frame-words.ts";
import type { PositionItem } from "../../contract/story.ts";
import { GoLink, useIsStatic, useWords } from "../text/page-context.tsx";
import { guessLang, sayName, showHidden } from "../text/words.ts";
import { type Decisive, listAnswered, nameRole, type StoryIndex } from "./story-index.ts";

type Props = { positions: readonly PositionItem[]; index: StoryIndex; decisive: Decisive };

export function MindStrip({ positions, index, decisive }: Props) {
  const isStatic = useIsStatic();
  const [isWhole, setWhole] = useState(isStatic);
  const words = useWords();
  // A single position shows neither a change nor a difference.
  if (positions.length < 2) return null;
  const rounds = new Set(pickRounds(positions, isWhole ? Infinity : undefined));
  const some = positions.filter(({ round }) => rounds.has(round));
  const changes = listFlips(positions).length;
  return (
    <section className="section" aria-label={words.stood}>
      <div className="section-head">
        <h2>{words.stood}</h2>
        <p className="secondary">{changes === 0 ? words.stayed : fillIn(words.moved, { count: changes })}</p>
        {!isStatic && (isWhole || some.length < positions.length) && (
          <button className="plain small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? words.someRounds : words.allRounds}
          </button>
        )}
      </div>
      <div className="scroll" tabIndex={0} role="region" aria-label={words.positions}>
        <Strip positions={some} index={index} decisive={decisive} />
      </div>
    </section>
  );
}

type Lane = { name: string; cells: (PositionItem | undefined)[] };

function Strip({ positions, index, decisive }: Props) {
  const words = useWords();
  const { first, heads, lanes } = lay(positions, index, words);
  const answers = [...new Set(positions.map(({ answer }) => answer))];
  return (
    <table className="strip">
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {heads.map(({ name, hint }, at) => (
            <th key={at} scope="col" title={hint}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lanes.map(({ name, cells }) => (
          <tr key={name}>
            <th scope="row" lang={guessLang(name)}>
              {name}
            </th>
            {cells.map((cell, at) => (
              <td key={at}>
                {cell && (
                  <StripCell
                    cell={cell}
                    before={cells.slice(0, at).findLast((one) => one !== undefined)}
                    look={answers.indexOf(cell.answer) % 6}
                    index={index}
                    decisive={decisive}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Layout = { first: string; heads: { name: string; hint?: string }[]; lanes: Lane[] };

/** A lane for each speaker and a column for each round, or a lane for each item and a column for each turn. */
export function lay(positions: readonly PositionItem[], index: StoryIndex, words: PageWords): Layout {
  const isSeveral = positions.some(({ item }) => item !== undefined);
  const laneOf = ({ role, item = "" }: PositionItem) => (isSeveral ? item : role);
  const columnOf = ({ role, round }: PositionItem) => (isSeveral ? `${round}/${role}` : String(round));
  const inOrder = positions.toSorted((a, b) => a.round - b.round);
  const columns = [...new Map(inOrder.map((one) => [columnOf(one), one]))];
  return {
    first: isSeveral ? words.about : words.speaker,
    heads: columns.map(([, { role, round }]) =>
      isSeveral
        ? { name: nameRole(positions, index, role), hint: nameRound(round, words) }
        : { name: nameRound(round, words) },
    ),
    lanes: [...new Set(positions.map(laneOf))].map((lane) => ({
      name: isSeveral ? showHidden(lane || words.implicit) : nameRole(positions, index, lane),
      cells: columns.map(([column]) => positions.findLast((one) => laneOf(one) === lane && columnOf(one) === column)),
    })),
  };
}

function nameRound(round: number, words: PageWords): string {
  return round === 0 ? words.before : fillIn(words.round, { round });
}

type CellProps = {
  cell: PositionItem;
  before: PositionItem | undefined;
  look: number;
  index: StoryIndex;
  decisive: Decisive;
};

function StripCell({ cell, before, look, index, decisive }: CellProps) {
  const words = useWords();
  const { answer, turn, right } = cell;
  const flipped = before !== undefined && before.answer !== answer;
  const [answered] = flipped && turn ? listAnswered(index, turn) : [];
  const lever = turn === undefined ? undefined : decisive.get(turn);
  const said = showHidden(answer) || words.noAnswer;
  const hint = [said, ...(flipped ? [`≠ ${before.answer}`] : []), ...(lever === undefined ? [] : [lever])];
  const inside = (
    <>
      {flipped && <span aria-hidden="true">↻ </span>}
      {lever !== undefined && <span aria-hidden="true">◆ </span>}
      <span lang={guessLang(answer)}>{said}</span>
      {right !== undefined && (
        <span className={right ? "good" : "bad"}>{right ? ` ✓ ${words.right}` : ` ✗ ${words.wrong}`}</span>
      )}
    </>
  );
  return (
    <span className={`cell look-${look} ${flipped ? "flip" : ""}`} title={showHidden(hint.join("; "))}>
      {turn === undefined ? (
        <span className="stand">{inside}</span>
      ) : (
        <GoLink className="stand" turn={turn}>
          {inside}
        </GoLink>
      )}
      {answered && (
        <GoLink className="why-flip" turn={answered}>
          {fillIn(words.afterWhom, {
            name: showHidden(sayName(index.turns.get(answered)?.storyTurn.speaker ?? answered)),
          })}
        </GoLink>
      )}
    </span>
  );
}

function listFlips(positions: readonly PositionItem[]): number[] {
  const lanes = Map.groupBy(positions, ({ role, item = "" }) => `${role}\n${item}`);
  return [...lanes.values()].flatMap((lane) =>
    lane
      .toSorted((a, b) => a.round - b.round)
      .filter((one, at, all) => at > 0 && all[at - 1]?.answer !== one.answer)
      .map(({ round }) => round),
  );
}

const mostRounds = 24;

export function pickRounds(positions: readonly PositionItem[], most = mostRounds): number[] {
  const rounds = [...new Set(positions.map(({ round }) => round))].sort((a, b) => a - b);
  if (rounds.length <= most) return rounds;
  const ends = [...rounds.slice(0, 2), ...rounds.slice(-4)];
  const changed = [...new Set(listFlips(positions))].filter((round) => !ends.includes(round)).sort((a, b) => a - b);
  return [...ends, ...changed.slice(0, most - ends.length)].sort((a, b) => a - b);
}
