import { useCallback, useEffect, useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { RunDetail } from "../../contract/api/index.ts";
import type { Section } from "../../contract/view.ts";
import { useRun } from "../data/follow-run.ts";
import { Cost } from "../run/cost.tsx";
import { Debate } from "../run/debate.tsx";
import { MindStrip } from "../run/mind-strip.tsx";
import { RunHead } from "../run/run-head.tsx";
import { TurnDrawer } from "../run/turn-drawer.tsx";
import { useTurnKeys } from "../run/turn-keys.ts";
import { WhatIf } from "../run/what-if.tsx";
import { Sections, SectionView } from "../sections/section-view.tsx";
import { Failure, Skeleton } from "../text/states.tsx";

const tabs = ["Debate", "Decision", "Rules", "Cost"] as const;
type Tab = (typeof tabs)[number];

/** A run: the verdict and why above everything, then who stood where, the debate, the rules, the cost. */
export function RunPage({ id }: { id: string }) {
  const { data: detail, error, isPending, live, refetch } = useRun(id);
  const [search, setSearch] = useSearchParams();
  const [tab, setTab] = useState<Tab>("Debate");
  const opened = search.get("turn");
  const open = useCallback((turn: string) => setSearch({ turn }), [setSearch]);
  const close = useCallback(() => setSearch({}), [setSearch]);
  const at = useTurnKeys(detail?.turns ?? [], open, opened !== null);
  useEffect(() => {
    if (opened) document.getElementById(`turn-${opened}`)?.scrollIntoView({ block: "center" });
  }, [opened]);
  if (isPending) return <Skeleton lines={10} />;
  if (error) return <Failure error={error} again={() => void refetch()} />;
  return (
    <>
      <RunHead detail={detail} said={live.said} />
      <RunVerdict detail={detail} />
      <div className="columns pane">
        <div>
          <MindStrip positions={detail.positions} />
          <div className="tabs" role="tablist" aria-label="Parts of the run">
            {tabs.map((name) => (
              <button key={name} role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
                {name}
              </button>
            ))}
          </div>
          {tab === "Debate" && <Debate detail={detail} live={live} at={opened ?? at} onOpen={open} />}
          {tab === "Decision" && <Parts detail={detail} pick={(section) => !isRule(section) && !isEvidence(section)} />}
          {tab === "Rules" && (
            <>
              <Parts detail={detail} pick={isRule} />
              {detail.result && <WhatIf detail={detail} />}
            </>
          )}
          {tab === "Cost" && <Cost detail={detail} />}
        </div>
        <aside className="aside" aria-label="Evidence">
          <Parts detail={detail} pick={isEvidence} />
        </aside>
      </div>
      {opened && <TurnDrawer run={id} turn={opened} onClose={close} />}
    </>
  );
}

function RunVerdict({ detail }: { detail: RunDetail }) {
  const verdict = detail.sections.find(({ kind }) => kind === "verdict");
  if (verdict) return <SectionView section={verdict} />;
  if (detail.withheld) return <p className="notice">The verdict is kept back until a reviewer has answered.</p>;
  if (detail.run.outcome === null)
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
  return <p className="notice bad">{detail.result?.reasons.join("; ")}</p>;
}

function Parts({ detail, pick }: { detail: RunDetail; pick: (section: Section) => boolean }) {
  const sections = useMemo(
    () => detail.sections.filter((section) => section.kind !== "verdict" && pick(section)),
    [detail.sections, pick],
  );
  return <Sections sections={sections} />;
}

function isRule({ kind }: Section): boolean {
  return kind === "steps";
}

function isEvidence({ kind }: Section): boolean {
  return kind === "highlight" || kind === "lines";
}
