import { fillIn } from "../../contract/frame-words.ts";
import { useWords } from "../text/page-context.tsx";
import type { Section, SectionOf } from "../../contract/view.ts";
import { Track } from "../text/parts.tsx";
import { guessLang, sayName, showHidden } from "../text/words.ts";
import { Cards, Runs, SectionTable, Steps } from "./blocks.tsx";
import { ChartView } from "./charts.tsx";

type Kinds = { [K in Section["kind"]]: (props: { section: SectionOf<K>; isLead: boolean }) => React.ReactNode };

const kinds: Kinds = {
  verdict: ({ section, isLead }) => <Verdict section={section} isLead={isLead} />,
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
  text: ({ section }) => <Prose text={section.text} tone={section.tone} />,
  list: ({ section }) => {
    const items = section.items.map((item, at) => (
      <li key={at} lang={guessLang(item)}>
        {showHidden(item)}
      </li>
    ));
    return section.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
  },
  code: ({ section }) => <pre tabIndex={0}>{showHidden(section.text)}</pre>,
  table: ({ section }) => <SectionTable section={section} />,
  highlight: ({ section }) => <Highlight section={section} />,
  steps: ({ section }) => <Steps section={section} />,
  checks: ({ section }) => <Checks section={section} />,
  cards: ({ section }) => <Cards section={section} />,
  chart: ({ section }) => (
    <figure className={`chart-${section.chart.type}`}>
      <ChartView chart={section.chart} />
    </figure>
  ),
  runs: ({ section }) => <Runs section={section} />,
  group: ({ section }) => (
    <details open={!section.folded}>
      <summary>{section.title}</summary>
      <Sections sections={section.sections} />
    </details>
  ),
};

export function SectionView({ section, isLead = false }: { section: Section; isLead?: boolean }) {
  const draw = kinds[section.kind] as (props: { section: Section; isLead: boolean }) => React.ReactNode;
  const drawn = draw({ section, isLead });
  if (drawn === null || isEmpty(section)) return null;
  const isTitled = section.title !== "" && section.kind !== "group" && !isLead;
  return (
    <section className="section" id={section.id}>
      {isTitled && <h2>{section.title}</h2>}
      {section.note && <p className="secondary">{section.note}</p>}
      {drawn}
    </section>
  );
}

export function Sections({ sections }: { sections: readonly Section[] }) {
  return sections.map((section, at) => <SectionView key={section.id ?? at} section={section} />);
}

function Prose({ text, tone }: { text: string; tone?: string | undefined }) {
  return (
    <div className={tone ? "notice" : "speech"} lang={guessLang(text)}>
      {showHidden(text)
        .split(/\n{2,}/)
        .map((part, at) => (
          <p key={at} className="prose">
            {part}
          </p>
        ))}
    </div>
  );
}

function Checks({ section: { findings } }: { section: SectionOf<"checks"> }) {
  const { holds } = useWords();
  const held = [...new Set(findings.filter(({ ok }) => ok).map(({ check }) => check))];
  return (
    <>
      <ul>
        {findings.map(({ check, ok, where, message }, at) =>
          ok ? null : (
            <li key={at} className="bad">
              {showHidden(`${check}, ${where}: ${message}`)}
            </li>
          ),
        )}
      </ul>
      {held.length > 0 && <p className="secondary">{fillIn(holds, { names: held.map(sayName).join(", ") })}</p>}
    </>
  );
}

function isEmpty(section: Section): boolean {
  if (section.kind === "group") return section.sections.every(isEmpty);
  if ("text" in section) return section.text.trim() === "";
  const [items] = Object.entries(section).filter(([key]) => listed.includes(key));
  return items?.[1].length === 0;
}

const listed = ["rows", "steps", "items", "cards", "findings"];

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
      {points.length > 0 && (
        <ul>
          {points.map((point, at) => (
            <li key={at} lang={guessLang(point)}>
              {showHidden(point)}
            </li>
          ))}
        </ul>
      )}
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
