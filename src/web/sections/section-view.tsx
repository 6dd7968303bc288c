import type { Section, SectionOf } from "../../contract/view.ts";
import { guessLang, showHidden } from "../text/words.ts";
import { Cards } from "./cards.tsx";
import { ChartView } from "./charts/chart-view.tsx";
import { Highlight } from "./highlight.tsx";
import { Runs } from "./runs.tsx";
import { Series } from "./series.tsx";
import { Steps } from "./steps.tsx";
import { SectionTable } from "./table.tsx";
import { Verdict } from "./verdict.tsx";

type Kinds = { [K in Section["kind"]]: (props: { section: SectionOf<K> }) => React.ReactNode };

const kinds: Kinds = {
  verdict: ({ section }) => <Verdict section={section} />,
  facts: ({ section }) => (
    <dl className="pairs">
      {section.rows.map(({ label, value, tone, runs }) => (
        <Pair key={label} label={label} value={value} tone={tone} runs={runs} />
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
  code: ({ section }) => <pre>{showHidden(section.text)}</pre>,
  table: ({ section }) => <SectionTable section={section} />,
  highlight: ({ section }) => <Highlight section={section} />,
  lines: ({ section }) => (
    <div className="lines">
      {section.lines.map(({ ref, text, tone }, at) => (
        <div key={at} className="line">
          <span className="ref">{ref}</span>
          <span className={tone ?? ""} lang={guessLang(text)}>
            {showHidden(text)}
          </span>
        </div>
      ))}
    </div>
  ),
  steps: ({ section }) => <Steps section={section} />,
  checks: ({ section }) => <Checks section={section} />,
  cards: ({ section }) => <Cards section={section} />,
  series: ({ section }) => <Series section={section} />,
  chart: ({ section }) => <ChartView chart={section.chart} />,
  runs: ({ section }) => <Runs section={section} />,
  group: ({ section }) => (
    <details open={!section.folded}>
      <summary>{section.title}</summary>
      <Sections sections={section.sections} />
    </details>
  ),
};

/** One section in the viewer's clothes. */
export function SectionView({ section }: { section: Section }) {
  const draw = kinds[section.kind] as (props: { section: Section }) => React.ReactNode;
  const drawn = draw({ section });
  if (drawn === null || isEmpty(section)) return null;
  const isTitled = section.title !== "" && section.kind !== "group" && section.kind !== "verdict";
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

export function Prose({ text, tone }: { text: string; tone?: string | undefined }) {
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

type PairProps = { label: string; value: string; tone?: string | undefined; runs?: string | undefined };

function Pair({ label, value, tone, runs }: PairProps) {
  return (
    <>
      <dt>{label}</dt>
      <dd className={tone ?? ""} lang={guessLang(value)}>
        {runs === undefined ? showHidden(value) : <a href={`#cases-${runs}`}>{showHidden(value)}</a>}
      </dd>
    </>
  );
}

/** What integrity checks found: what is wrong first, the rest by its names. */
function Checks({ section: { findings } }: { section: SectionOf<"checks"> }) {
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
      {held.length > 0 && <p className="secondary">{`holds: ${held.join(", ")}`}</p>}
    </>
  );
}

function isEmpty(section: Section): boolean {
  if (section.kind === "table" || section.kind === "facts") return section.rows.length === 0;
  if (section.kind === "lines") return section.lines.length === 0;
  if (section.kind === "checks") return section.findings.length === 0;
  if (section.kind === "steps") return section.steps.length === 0;
  if (section.kind === "list") return section.items.length === 0;
  return section.kind === "text" && section.text === "";
}
