import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import type { RunDetail } from "../../contract/api/index.ts";
import type { Section } from "../../contract/view.ts";
import type { Live } from "../data/follow-run.ts";
import { Sections } from "../sections/section-view.tsx";
import { Debate } from "./debate/debate.tsx";
import { EvidencePane } from "./debate/evidence-pane.tsx";
import { KeyHelp } from "./debate/key-help.tsx";
import { MindStrip } from "./debate/mind-strip.tsx";
import { indexStory } from "./debate/story-index.ts";
import { TurnDrawer } from "./debate/turn-drawer.tsx";
import { useTurnKeys } from "./debate/turn-keys.ts";
import { Cost } from "./decision/cost.tsx";
import { WhatIf } from "./decision/what-if.tsx";

const tabs = ["Debate", "Decision", "Rules", "Cost"] as const;
type Tab = (typeof tabs)[number];

/** Who stood where, then the debate, what was decided, by which rules, and what it cost; the evidence beside it. */
export function RunBody({ detail, live }: { detail: RunDetail; live: Live }) {
  const index = useMemo(() => indexStory(detail.story), [detail.story]);
  const [search, setSearch] = useSearchParams();
  const opened = search.get("turn");
  const [tab, setTab] = useState<Tab>("Debate");
  const [at, setAt] = useState<string | null>(opened);
  const [focus, setFocus] = useState<number | null>(null);
  const [find, setFind] = useState("");
  const [isHelp, setHelp] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const open = useCallback((turn: string) => setSearch({ turn }), [setSearch]);
  const close = useCallback(() => setSearch({}), [setSearch]);
  const go = useCallback(
    (turn: string, point?: string) => {
      setTab("Debate");
      setFind("");
      setAt(turn);
      setFocus((now) => (now === null ? null : (index.turns.get(turn)?.stage ?? now)));
      requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(turn, point)));
    },
    [index],
  );
  useEffect(() => {
    if (opened) go(opened);
    // Only the address leads here; a story that grows must not move the reader.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [opened]);
  const acts = useMemo(
    () => ({
      at,
      go,
      open,
      toggleFocus: () => setFocus((now) => (now === null ? (index.turns.get(at ?? "")?.stage ?? 0) : null)),
      find: () => field.current?.focus(),
      help: () => setHelp(true),
    }),
    [at, go, open, index],
  );
  useTurnKeys(detail.story, acts, opened !== null);
  const isWide = focus !== null;
  return (
    <>
      <Parts detail={detail} pick={isLead} />
      <MindStrip positions={detail.positions} index={index} onGo={go} />
      <div className="tabs" role="tablist" aria-label="Parts of the run">
        {tabs.map((name) => (
          <button key={name} role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
            {name}
          </button>
        ))}
        {tab === "Debate" && (
          <label className="find">
            <span className="hidden">Search the debate</span>
            <input
              ref={field}
              type="search"
              placeholder="Search the debate ( / )"
              value={find}
              onChange={(event) => setFind(event.target.value)}
            />
          </label>
        )}
      </div>
      <div className={`columns ${isWide ? "" : "pane"}`}>
        <div>
          {tab === "Debate" && (
            <Debate
              detail={detail}
              index={index}
              live={live}
              at={at}
              focus={focus}
              find={find}
              onOpen={open}
              onGo={go}
            />
          )}
          {tab === "Decision" && <Parts detail={detail} pick={isOther} />}
          {tab === "Rules" && (
            <>
              <Parts detail={detail} pick={isRule} />
              {detail.result && <WhatIf detail={detail} />}
            </>
          )}
          {tab === "Cost" && <Cost detail={detail} />}
        </div>
        {index.story.exhibits.length > 0 && (
          <aside className="aside" aria-label="Evidence" tabIndex={0}>
            <h2>Evidence</h2>
            <EvidencePane index={index} onGo={go} />
          </aside>
        )}
      </div>
      {opened && <TurnDrawer run={detail.run.id} turn={opened} onClose={close} />}
      {isHelp && <KeyHelp onClose={() => setHelp(false)} />}
    </>
  );
}

/** Brings a turn, or a point of it, into view; folded text around it is opened by being drawn. */
function scrollTo(turn: string, point: string | undefined): void {
  const target = (point && document.getElementById(`point-${point}`)) || document.getElementById(`turn-${turn}`);
  target?.scrollIntoView({ block: "center", inline: "nearest" });
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
