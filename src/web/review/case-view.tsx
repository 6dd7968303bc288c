import { Link, useLocation } from "wouter";
import type { ReviewDetail, RunDetail } from "../../contract/api/index.ts";
import { useApi } from "../data/use-api.ts";
import { indexStory, nameSpeaker } from "../run/story-index.ts";
import { TurnCard } from "../run/turn-card.tsx";
import { SectionView } from "../sections/section-view.tsx";
import { GoContext } from "../text/page-context.tsx";
import { Loaded, ValueView } from "../text/parts.tsx";
import { guessLang, sayName, showHidden, formatAge } from "../text/words.ts";

export function CaseView({ detail }: { detail: ReviewDetail }) {
  const { item, blind, turn, input } = detail;
  const { run, reasons } = item;
  const role = useRoleName(detail);
  return (
    <div className="case">
      <header>
        <p className="secondary">{`${sayName(run.pack)} · came ${formatAge(item.since)}`}</p>
        <h2 lang={guessLang(run.subject)}>{showHidden(run.subject)}</h2>
      </header>
      <section aria-label="Why it is here">
        <h3>Why it is here</h3>
        {turn && (
          <p>{`A person is cast as ${showHidden(role)}, and it is that role's turn${turn.key.round === 0 ? "" : ` in round ${turn.key.round}`}.`}</p>
        )}
        {item.why === "budget" && (
          <p>The run has used up its budget. It can end with the current decision, or continue with a larger budget.</p>
        )}
        {item.why === "escalated" && reasons.length === 0 && <p>The debate asks for a person's ruling.</p>}
        <ul>
          {reasons.map((reason) => (
            <li key={reason} lang={guessLang(reason)}>
              {showHidden(sayName(reason))}
            </li>
          ))}
        </ul>
      </section>
      {blind ? (
        <p className="notice">The machine's decision is hidden until you have answered.</p>
      ) : (
        <Sides id={run.id} />
      )}
      <section aria-label="Source">
        <h3>Source</h3>
        <ValueView value={input} />
      </section>
      {turn && (
        <details>
          <summary>What the role is shown, word for word</summary>
          {turn.prompt.map((piece, at) => (
            <pre key={at} tabIndex={0}>
              {showHidden(piece)}
            </pre>
          ))}
        </details>
      )}
    </div>
  );
}

export function useRoleName({ item: { run }, turn }: ReviewDetail): string {
  const { data } = useApi("readRun", { params: { id: run.id } });
  const role = turn?.key.role ?? "";
  return data?.story.names?.[role] ?? sayName(role);
}

function Sides({ id }: { id: string }) {
  const [, navigate] = useLocation();
  const run = useApi("readRun", { params: { id } });
  return (
    <GoContext value={(turn) => navigate(`/runs/${id}?turn=${encodeURIComponent(turn)}`)}>
      <Loaded query={run}>{(detail) => <SidesView detail={detail} />}</Loaded>
    </GoContext>
  );
}

function SidesView({ detail }: { detail: RunDetail }) {
  const index = indexStory(detail.story);
  const verdict = detail.sections.find(({ kind }) => kind === "verdict");
  return (
    <>
      {verdict && <SectionView section={verdict} isLead />}
      <section aria-label="What each side says">
        <h3>
          What each side says <Link href={`/runs/${detail.run.id}`}>the whole debate</Link>
        </h3>
        <div className="sides">
          {listLast(detail).map((storyTurn) => (
            <TurnCard
              key={storyTurn.turn}
              storyTurn={{ ...storyTurn, speaker: nameSpeaker(index, storyTurn.turn) }}
              turn={detail.turns.find(({ id }) => id === storyTurn.turn)}
              index={index}
            />
          ))}
        </div>
      </section>
    </>
  );
}

function listLast({ story }: RunDetail) {
  const said = story.stages.flatMap(({ turns }) =>
    turns.filter(({ says, points }) => says !== "" || points.length > 0),
  );
  return [
    ...new Map(said.map((storyTurn) => [storyTurn.turn.slice(storyTurn.turn.lastIndexOf("/")), storyTurn])).values(),
  ];
}
