import { fillIn } from "../../contract/frame-words.ts";
import { anchorOf, GoLink, useWords } from "../text/page-context.tsx";
import { memo } from "react";
import type { Exhibit, Point, Standing } from "../../contract/story.ts";
import { LongText, Track } from "../text/parts.tsx";
import { cutAtWord, guessLang, showHidden } from "../text/words.ts";
import type { Placed, StoryIndex } from "./story-index.ts";

type Props = { point: Point; index: StoryIndex };

export const PointCard = memo(function PointCard({ point, index }: Props) {
  const words = useWords();
  const answers = findPlaced(index, point.answers ?? []);
  const answeredBy = findPlaced(index, index.answeredBy.get(point.id) ?? []);
  const used = (point.uses ?? []).flatMap((id) => index.exhibits.get(id) ?? []);
  const link = (placed: Placed) => <PointLink key={placed.point.id} placed={placed} />;
  const isBrief = point.text.length <= 60 && !point.change && !point.repeats;
  return (
    <li className={`point ${point.standing ?? ""}`} id={anchorOf("point", point.id)}>
      <div className="point-head">
        <span className="point-name">
          <strong lang={guessLang(point.name)}>{showHidden(point.name)}</strong>
          {isBrief && <span lang={guessLang(point.text)}>{showHidden(point.text)}</span>}
          {point.repeats && <span className="secondary">{words.kept}</span>}
          {point.tags?.map((tag) => (
            <span key={tag} className="tag">
              {showHidden(tag)}
            </span>
          ))}
          {point.standing && <StandingMark standing={point.standing} status={point.status} why={point.why} />}
        </span>
        {point.score && <Score {...point.score} />}
      </div>
      {!isBrief && !point.repeats && <PointText point={point} />}
      {!point.repeats && (
        <>
          {point.more && point.more.length > 0 && <More more={point.more} />}
          <div className="links">
            <Links label={words.answers} to={answers}>
              {link}
            </Links>
            <Links label={words.answeredBy} to={answeredBy}>
              {link}
            </Links>
            <Links label={words.restsOn} to={used}>
              {(exhibit) => <Cite key={exhibit.id} exhibit={exhibit} />}
            </Links>
          </div>
        </>
      )}
    </li>
  );
});

function PointText({ point: { text, change } }: { point: Point }) {
  const words = useWords();
  if (!change) return <LongText text={text} most={280} />;
  const isShort = change.before.length + change.after.length < 60;
  return (
    <>
      {text !== change.after && <LongText text={text} />}
      <p className={`change ${isShort ? "short" : ""}`}>
        <del lang={guessLang(change.before)}>{showHidden(change.before)}</del>
        <span title={words.becomes}> → </span>
        <ins lang={guessLang(change.after)}>{showHidden(change.after)}</ins>
      </p>
    </>
  );
}

function Score({ label, value, most }: { label: string; value: number; most: number }) {
  return (
    <span className="score" title={showHidden(`${label} ${value} of ${most}`)}>
      <span className="number">{most > 1 ? Math.round(value) : value.toFixed(2)}</span>
      <Track share={value / most} />
      <span className="hidden">{label}</span>
    </span>
  );
}

function More({ more }: { more: NonNullable<Point["more"]> }) {
  return (
    <details className="fold">
      <summary>
        {more
          .map(({ label }) => label)
          .filter((label, at, all) => all.indexOf(label) === at)
          .join(", ")}
      </summary>
      {more.map(({ label, text }, at) => (
        <div key={at}>
          <p className="key">{label}</p>
          <LongText text={text} most={1_200} />
        </div>
      ))}
    </details>
  );
}

const mostLinks = 3;

type LinksProps<T> = { label: string; to: readonly T[]; children: (one: T) => React.ReactNode };

function Links<T>({ label, to, children }: LinksProps<T>) {
  const words = useWords();
  if (to.length === 0) return null;
  const more = to.length - mostLinks;
  return (
    <span className="link-group">
      <span className="key">{label}</span>
      {to.slice(0, mostLinks).map(children)}
      {more > 0 && <span className="secondary">{fillIn(words.andMore, { count: more })}</span>}
    </span>
  );
}

function PointLink({ placed: { point, turn, speaker } }: { placed: Placed }) {
  const isPlain = point.name.length >= 4 && !/^\p{Ll}/u.test(point.name);
  return (
    <GoLink turn={turn} point={point.id} title={showHidden(point.text.slice(0, 300))}>
      {showHidden(isPlain ? point.name : `${speaker} ${point.name}`)}
    </GoLink>
  );
}

function Cite({ exhibit: { id, place, quote, struck } }: { exhibit: Exhibit }) {
  return (
    <a
      className={`cite ${struck ? "struck" : ""}`}
      href={`#${anchorOf("exhibit", id)}`}
      title={showHidden(quote.slice(0, 300))}
    >
      {showHidden(place || `“${cutAtWord(quote, 32)}”`)}
    </a>
  );
}

function findPlaced({ points }: StoryIndex, ids: readonly string[]): Placed[] {
  return ids.flatMap((id) => points.get(id) ?? []);
}

const standings: Record<Standing, { sign: string; tone: string }> = {
  stands: { sign: "●", tone: "good" },
  contested: { sign: "◐", tone: "warn" },
  conceded: { sign: "↺", tone: "bad" },
  dropped: { sign: "○", tone: "neutral" },
};

function StandingMark({ standing, status, why }: { standing: Standing; status?: string; why?: string }) {
  const { sign, tone } = standings[standing];
  const word = useWords().standings[standing];
  return (
    <span className={`standing ${tone}`} title={showHidden(why ?? word)}>
      <span aria-hidden="true">{sign}</span> {showHidden(status ?? word)}
    </span>
  );
}
