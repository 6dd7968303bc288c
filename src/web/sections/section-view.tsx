import { fillIn } from "../../contract/frame-words.ts";
import { useWords } from "../text/page-context.tsx";
import { isEmpty, textBlocks } from "../../contract/section-parts.ts";
import type { Section, SectionOf } from "../../contract/view.ts";
import { Track } from "../text/parts.tsx";
import { guessLang, sayName, showHidden } from "../text/words.ts";
import { SectionTable, Steps } from "./blocks.tsx";
import { ChartView } from "./charts.tsx";

type Kinds = { [K in Section["kind"]]: (props: { section: SectionOf<K>; isLead: boolean }) => React.ReactNode };

const kinds: Kinds = {
  verdict: Verdict,
  facts: ({ section }) => (
    <dl className="pairs">
      {section.rows.map(({ label, value, tone }, at) => (
        <div key={at} className="bar-row">
          <dt>{showHidden(label)}</dt>
          <dd className={tone ?? ""} lang={guessLang(value)}>
            {showHidden(value)}
          </dd>
        </div>
      ))}
    </dl>
  ),
  text: Prose,
  list: ({ section }) => <Items {...section} />,
  code: ({ section }) => <pre tabIndex={0}>{showHidden(section.text)}</pre>,
  table: SectionTable,
  highlight: Highlight,
  steps: Steps,
  checks: Checks,
  chart: ({ section }) => (
    <figure className={`chart-${section.chart.type}`}>
      <ChartView chart={section.chart} />
    </figure>
  ),
  group: ({ section }) => (
    <details open={!section.folded}>
      <summary>{section.title}</summary>
      <Sections sections={section.sections} />
    </details>
  ),
};

export function SectionView({ section, isLead = false }: { section: Section; isLead?: boolean }) {
  const Kind = kinds[section.kind] as (props: { section: Section; isLead: boolean }) => React.ReactNode;
  if (isEmpty(section)) return null;
  const isTitled = section.title !== "" && section.kind !== "group" && !isLead;
  return (
    <section className="section" id={section.id}>
      {isTitled && <h2>{section.title}</h2>}
      {section.note && <p className="secondary">{section.note}</p>}
      <Kind section={section} isLead={isLead} />
    </section>
  );
}

export function Sections({ sections }: { sections: readonly Section[] }) {
  return sections.map((section, at) => <SectionView key={section.id ?? at} section={section} />);
}

function Prose({ section: { text, tone } }: { section: SectionOf<"text"> }) {
  return (
    <div className={tone ? "notice" : "speech"} lang={guessLang(text)}>
      {textBlocks(text).map((block, at) =>
        block.kind === "list" ? (
          <Items key={at} {...block} />
        ) : (
          <p key={at} className="prose">
            {showHidden(block.lines.join("\n"))}
          </p>
        ),
      )}
    </div>
  );
}

function Items({ items, ordered = false }: { items: readonly string[]; ordered?: boolean }) {
  const List = ordered ? "ol" : "ul";
  return (
    <List>
      {items.map((item, at) => (
        <li key={at} lang={guessLang(item)}>
          {showHidden(item)}
        </li>
      ))}
    </List>
  );
}

function Checks({ section: { findings } }: { section: SectionOf<"checks"> }) {
  const { holds } = useWords();
  const held = [...new Set(findings.filter(({ ok }) => ok).map(({ check }) => check))];
  return (
    <>
      {findings.map(({ check, ok, where, message }, at) =>
        ok ? null : (
          <p key={at} className="bad">
            {showHidden(`${check}, ${where}: ${message}`)}
          </p>
        ),
      )}
      {held.length > 0 && <p className="secondary">{fillIn(holds, { names: held.map(sayName).join(", ") })}</p>}
    </>
  );
}

const longAnswer = 200;

/** A page has one answer; a verdict further down, such as a panel's within a study, is set as a part. */
function Verdict({ section, isLead }: { section: SectionOf<"verdict">; isLead: boolean }) {
  const { answer, tone, confidence, points } = section;
  return (
    <div className={`verdict ${tone}`}>
      <p
        className={!isLead ? "finding" : answer.length > longAnswer ? "answer long" : "answer"}
        lang={guessLang(answer)}
      >
        {showHidden(answer)}
      </p>
      {confidence !== undefined && <Sure value={confidence} word={section.sure} />}
      {points.length > 0 && <Items items={points} />}
    </div>
  );
}

function Sure({ value, word }: { value: number; word?: string }) {
  const { sure } = useWords();
  return (
    <div className="sure">
      <span className="secondary">{word ?? sure}</span>
      <span className="number">{value.toFixed(2)}</span>
      <Track share={value} />
    </div>
  );
}

function Highlight({ section }: { section: SectionOf<"highlight"> }) {
  const { text, marks } = section;
  const parts: React.ReactNode[] = [];
  let at = 0;
  for (const mark of [...marks].sort((a, b) => a.start - b.start)) {
    if (mark.start < at) continue;
    parts.push(showHidden(text.slice(at, mark.start)));
    parts.push(
      <mark key={mark.start} className={mark.tone ?? "neutral"} title={showHidden(mark.label)}>
        {showHidden(text.slice(mark.start, mark.end))}
        {mark.kind === "subject" && <sup aria-hidden="true">{signs[mark.tone ?? "neutral"]}</sup>}
      </mark>,
    );
    at = mark.end;
  }
  parts.push(showHidden(text.slice(at)));
  return (
    <p className="marked" lang={guessLang(text)}>
      {parts}
    </p>
  );
}

const signs = { good: "+", bad: "−", neutral: "·", warn: "!" };
