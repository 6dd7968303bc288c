import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { RunDetail } from "../../contract/api/index.ts";
import type { Section } from "../../contract/view.ts";
import { callApi } from "../../contract/api/client.ts";
import { type Live, useRun, useWhy } from "../data/follow-run.ts";
import { Sections, SectionView } from "../sections/section-view.tsx";
import { anchorOf, type Go, GoContext } from "../text/page-context.tsx";
import { Age, Loaded, OutcomeChip, Skeleton } from "../text/parts.tsx";
import { formatDuration } from "../../text/format.ts";
import { guessLang, showHidden } from "../text/words.ts";
import { useSession } from "../shell/session.tsx";
import { Debate } from "./debate.tsx";
import { EvidencePane, lightLinked } from "./evidence.tsx";
import { LiveBar, saySpent } from "./live-bar.tsx";
import { MindStrip } from "./positions.tsx";
import { indexStory, sayDecisive, type StoryIndex } from "./story-index.ts";
import { PlayedNote } from "./turn-card.tsx";
import { TurnDrawer } from "./turn-drawer.tsx";
import { WhyLine } from "./what-if.tsx";

const ContestForm = lazy(() => import("./contest.tsx"));

export default function RunPage({ id }: { id: string }) {
  const { run, live } = useRun(id);
  return (
    <Loaded query={run} lines={10}>
      {(detail) => (
        <>
          <RunHead detail={detail} said={live.said} />
          <RunBody detail={detail} live={live} />
          <LiveBar detail={detail} live={live} />
        </>
      )}
    </Loaded>
  );
}

function RunHead({ detail, said }: { detail: RunDetail; said: string | null }) {
  const { run, result, elapsedMs } = detail;
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: async (what: "cancelRun" | "resumeRun") => {
      await callApi(what, { params: { id: run.id }, body: {} });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["readRun"] }),
  });
  const [isContesting, setContesting] = useState(false);
  const mayContest = useSession().data?.role !== "reader" && result?.decision != null;
  const { challenge } = detail.manifest;
  return (
    <div className="head">
      <div className="meta">
        <OutcomeChip run={run} />
        <span>{run.pack}</span>
        <Age at={run.createdAt} />
        <span>cast {run.cast}</span>
        <PlayedNote turns={detail.turns} />
        {elapsedMs !== null && <span>{formatDuration(elapsedMs)}</span>}
        <span>{saySpent(detail)}</span>
        {run.live && <span className="live">live</span>}
        <span className="actions">
          {run.live && <button onClick={() => act.mutate("cancelRun")}>Stop</button>}
          {!run.live && run.status === "interrupted" && <button onClick={() => act.mutate("resumeRun")}>Resume</button>}
          {run.parent && <Link href={`/runs/${run.parent.run}`}>Branch of {run.parent.run}</Link>}
          {run.parent && <Link href={`/compare?a=${run.parent.run}&b=${run.id}`}>Compare with its parent</Link>}
          {run.outcome === "escalated" && <Link href={`/inbox?run=${run.id}`}>Rule on it</Link>}
          {mayContest && <button onClick={() => setContesting(true)}>Contest the decision</button>}
          {(["html", "md", "json"] as const).map((format) => (
            <a key={format} href={`/api/runs/${run.id}/export?format=${format}`}>
              {{ html: "HTML", md: "Markdown", json: "JSON" }[format]}
            </a>
          ))}
        </span>
      </div>
      <h1 lang={guessLang(run.subject)}>{showHidden(run.subject)}</h1>
      {challenge && (
        <p className="notice">{`Asked again because ${showHidden(challenge.by)} contested the decision: ${showHidden(challenge.statement)}`}</p>
      )}
      {isContesting && (
        <Suspense fallback={<Skeleton lines={4} />}>
          <ContestForm id={run.id} onClose={() => setContesting(false)} />
        </Suspense>
      )}
      {said && <p className="secondary">{said}</p>}
      {act.isError && <p className="bad">{act.error.message}</p>}
    </div>
  );
}

function RunVerdict({ detail }: { detail: RunDetail }) {
  const verdict = detail.sections.find(({ kind }) => kind === "verdict");
  if (verdict)
    return (
      <>
        <SectionView section={verdict} isLead />
        <Sections sections={detail.sections.filter(isSaidByPeople)} />
      </>
    );
  if (detail.withheld) return <p className="notice">The decision is hidden until a reviewer has answered.</p>;
  if (detail.run.outcome !== null) return <p className="notice bad">{detail.result?.reasons.join("; ")}</p>;
  return (
    <p className="notice" role="status">
      {detail.run.status === "waiting" ? (
        <>
          This run waits for a person. <Link href={`/inbox?run=${detail.run.id}`}>Answer in the inbox</Link>
        </>
      ) : (
        `${detail.turns.length} turns so far; nothing is decided yet.`
      )}
    </p>
  );
}

const tabs = ["Debate", "Decision", "Rules"] as const;
type Tab = (typeof tabs)[number];

function RunBody({ detail, live }: { detail: RunDetail; live: Live }) {
  const index = useMemo(() => indexStory(detail.story), [detail.story]);
  const { tab, choose, opened, open, at, go } = usePlace();
  const why = useWhy(detail);
  const decisive = useMemo(() => sayDecisive(why.data), [why.data]);
  const panels: Record<Tab, () => React.ReactNode> = {
    Debate: () => <Debate detail={detail} index={index} decisive={decisive} live={live} at={at} onOpen={open} />,
    Decision: () => (
      <>
        <Sections
          sections={detail.sections.filter((one) => !isRule(one) && one.lead !== true && one.kind !== "verdict")}
        />
        {why.isError && <p className="secondary">{why.error.message}</p>}
        <Sections sections={why.data?.sections ?? []} />
      </>
    ),
    Rules: () => <Sections sections={detail.sections.filter(isRule)} />,
  };
  const hasPart = (name: Tab): boolean => name !== "Rules" || detail.sections.some(isRule);
  return (
    <GoContext value={go}>
      <div className="run-lead">
        <div>
          <RunVerdict detail={detail} />
          <WhyLine detail={detail} />
        </div>
        <MindStrip positions={detail.positions} index={index} decisive={decisive} />
      </div>
      <div className="tabs" role="tablist" aria-label="Parts of the run">
        {tabs.filter(hasPart).map((name) => (
          <button key={name} role="tab" aria-selected={tab === name} onClick={() => choose(name)}>
            {name}
          </button>
        ))}
      </div>
      {tab === "Debate" && <Sections sections={detail.sections.filter(isLead)} />}
      <div
        className="columns pane"
        onPointerOver={({ target }) => lightLinked(target)}
        onPointerLeave={() => lightLinked(null)}
        onFocus={({ target }) => lightLinked(target)}
        onBlur={() => lightLinked(null)}
      >
        <div>
          <Suspense fallback={<Skeleton lines={6} />}>{panels[tab]()}</Suspense>
        </div>
        <Evidence index={index} go={go} />
      </div>
      {opened && <TurnDrawer run={detail.run.id} turn={opened} onClose={() => open(null)} />}
    </GoContext>
  );
}

function usePlace() {
  const [search, setSearch] = useSearchParams();
  const opened = search.get("turn");
  const tab = tabs.find((name) => name.toLowerCase() === search.get("tab")) ?? "Debate";
  const [at, setAt] = useState<string | null>(opened);
  const set = useCallback(
    (key: "turn" | "tab", value: string | null) =>
      setSearch((now) => {
        const next = new URLSearchParams(now);
        if (value === null) next.delete(key);
        else next.set(key, value);
        return next;
      }),
    [setSearch],
  );
  const choose = useCallback((name: Tab) => set("tab", name === "Debate" ? null : name.toLowerCase()), [set]);
  const open = useCallback((turn: string | null) => set("turn", turn), [set]);
  const go: Go = useCallback(
    (turn, point) => {
      choose("Debate");
      setAt(turn);
      afterDrawing(() => bringIntoView(turn, point));
    },
    [choose],
  );
  useEffect(() => {
    if (opened === null) return;
    setAt(opened);
    afterDrawing(() => bringIntoView(opened));
  }, [opened]);
  return { tab, choose, opened, open, at, go };
}

/** Runs after React has rendered and layout is known. */
function afterDrawing(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

function bringIntoView(turn: string, point?: string): void {
  const target =
    (point && document.getElementById(anchorOf("point", point))) || document.getElementById(anchorOf("turn", turn));
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
  target?.scrollIntoView({ block: point ? "center" : "start", inline: "nearest" });
}

function Evidence({ index, go }: { index: StoryIndex; go: Go }) {
  const [isOpen, setOpen] = useState(false);
  const count = index.story.exhibits.length;
  if (count === 0) return null;
  const leave: Go = (turn, point) => {
    setOpen(false);
    go(turn, point);
  };
  return (
    <>
      <button className="sheet-open" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Close evidence" : `Evidence ${count}`}
      </button>
      <aside className={`aside ${isOpen ? "open" : ""}`} aria-label="Evidence" tabIndex={0}>
        <h2>
          Evidence <span className="faint">{count}</span>
        </h2>
        <GoContext value={leave}>
          <EvidencePane index={index} />
        </GoContext>
      </aside>
    </>
  );
}

function isLead(section: Section): boolean {
  return section.lead === true && section.kind !== "verdict" && !isSaidByPeople(section);
}

function isSaidByPeople({ id }: Section): boolean {
  return id === "ruling" || id === "people";
}

function isRule({ kind, lead }: Section): boolean {
  return kind === "steps" && lead !== true;
}
