import { lazy, Suspense, useMemo, useState } from "react";
import type { RunDetail } from "../../contract/api/index.ts";
import type { Section } from "../../contract/view.ts";
import { type Live, useRunSource, useWhy } from "../data/follow-run.ts";
import { Sections } from "../sections/section-view.tsx";
import { type Go, GoContext } from "../text/page-context.tsx";
import { Skeleton } from "../text/parts.tsx";
import { Debate } from "./debate.tsx";
import { EvidencePane } from "./evidence.tsx";
import { KeyHelp, type Reader, type Tab, tabs, useReader } from "./use-reader.tsx";
import { MindStrip } from "./positions.tsx";
import { type Decisive, indexStory, sayDecisive, type StoryIndex } from "./story-index.ts";
import { TurnDrawer } from "./turn-drawer.tsx";
import { Cost } from "./cost.tsx";
import { WhyLine } from "./why-line.tsx";
import { WhatIf } from "./what-if.tsx";

const ArgumentMap = lazy(() => import("./argument-map.tsx"));
const Branches = lazy(() => import("./branches.tsx"));

type Props = { detail: RunDetail; live: Live; index: StoryIndex; reader: Reader; decisive: Decisive };

/** Who stood where, then the debate, what was decided, by which rules, and what it cost; the evidence beside it. */
export function RunBody({ detail, live, verdict }: { detail: RunDetail; live: Live; verdict: React.ReactNode }) {
  const index = useMemo(() => indexStory(detail.story), [detail.story]);
  const reader = useReader(index);
  const why = useWhy(detail).data;
  const decisive = useMemo(() => sayDecisive(why), [why]);
  const props = { detail, live, index, reader, decisive };
  return (
    <GoContext value={reader.go}>
      <div className="run-lead">
        <div>
          {verdict}
          <WhyLine detail={detail} onMore={() => reader.choose("Rules")} />
        </div>
        <MindStrip positions={detail.positions} index={index} decisive={decisive} />
      </div>
      <TabRow {...props} />
      {reader.tab === "Debate" && reader.focus === null && <Parts detail={detail} pick={isLead} />}
      <div className={`columns ${reader.focus === null && reader.tab !== "Map" ? "pane" : ""}`}>
        <div>
          <Suspense fallback={<Skeleton lines={6} />}>{panels[reader.tab](props)}</Suspense>
        </div>
        <Evidence index={index} reader={reader} />
      </div>
      {reader.opened && <TurnDrawer run={detail.run.id} turn={reader.opened} onClose={() => reader.open(null)} />}
      {reader.isHelp && <KeyHelp onClose={() => reader.setHelp(false)} />}
    </GoContext>
  );
}

const panels: Record<Tab, (props: Props) => React.ReactNode> = {
  Debate: ({ detail, live, index, reader, decisive }) => (
    <Debate
      detail={detail}
      index={index}
      decisive={decisive}
      live={live}
      at={reader.at}
      focus={reader.focus}
      find={reader.find}
      onOpen={reader.open}
    />
  ),
  Map: ({ index }) => <ArgumentMap index={index} />,
  Decision: ({ detail }) => (
    <>
      <Parts detail={detail} pick={isOther} />
      <WhySections detail={detail} />
    </>
  ),
  Rules: ({ detail }) => (
    <>
      <Parts detail={detail} pick={isRule} />
      {detail.result && <WhatIf detail={detail} />}
    </>
  ),
  Cost: ({ detail }) => <Cost detail={detail} />,
  Branches: ({ detail }) => <Branches detail={detail} />,
};

/** What the decision hangs on, change by change. */
function WhySections({ detail }: { detail: RunDetail }) {
  const why = useWhy(detail);
  if (why.isLoading) return <Skeleton lines={4} />;
  if (why.isError) return <p className="secondary">{why.error.message}</p>;
  return <Sections sections={why.data?.sections ?? []} />;
}

function TabRow({ index, reader }: Props) {
  const { canAct } = useRunSource();
  const has: Partial<Record<Tab, boolean>> = { Map: index.answeredBy.size > 0, Branches: canAct };
  return (
    <div className="tab-row">
      <div className="tabs" role="tablist" aria-label="Parts of the run">
        {tabs
          .filter((name) => has[name] !== false)
          .map((name) => (
            <button key={name} role="tab" aria-selected={reader.tab === name} onClick={() => reader.choose(name)}>
              {name}
            </button>
          ))}
      </div>
      {reader.tab === "Debate" && <DebateTools index={index} reader={reader} />}
    </div>
  );
}

function DebateTools({ index, reader }: Pick<Props, "index" | "reader">) {
  const { stages } = index.story;
  return (
    <div className="debate-tools">
      {stages.length > 1 && (
        <select
          aria-label="Stage"
          value={reader.focus ?? ""}
          onChange={(event) => reader.setFocus(event.target.value === "" ? null : Number(event.target.value))}
        >
          <option value="">All stages</option>
          {stages.map(({ title }, at) => (
            <option key={at} value={at}>
              {title}
            </option>
          ))}
        </select>
      )}
      <label className="find">
        <span className="hidden">Search the debate</span>
        <input
          ref={reader.field}
          type="search"
          placeholder="Search ( / )"
          value={reader.find}
          onChange={(event) => reader.setFind(event.target.value)}
        />
      </label>
      <button className="plain" title="Keys ( ? )" aria-label="Keys" onClick={() => reader.setHelp(true)}>
        ?
      </button>
    </div>
  );
}

/** The evidence: beside the debate where there is room, else a sheet that comes up from below. */
function Evidence({ index, reader }: Pick<Props, "index" | "reader">) {
  const [isOpen, setOpen] = useState(false);
  const count = index.story.exhibits.length;
  if (count === 0) return null;
  const go: Go = (turn, point) => {
    setOpen(false);
    reader.go(turn, point);
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
        <GoContext value={go}>
          <EvidencePane index={index} />
        </GoContext>
      </aside>
    </>
  );
}

function Parts({ detail, pick }: { detail: RunDetail; pick: (section: Section) => boolean }) {
  const sections = useMemo(() => detail.sections.filter(pick), [detail.sections, pick]);
  return <Sections sections={sections} />;
}

function isLead({ lead, kind }: Section): boolean {
  return lead === true && kind !== "verdict";
}

function isRule({ kind, lead }: Section): boolean {
  return kind === "steps" && lead !== true;
}

function isOther(section: Section): boolean {
  return !isRule(section) && !isLead(section) && section.kind !== "verdict";
}
