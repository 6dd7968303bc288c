import { renderToStaticMarkup } from "react-dom/server";
import { fillIn } from "../contract/frame-words.ts";
import type { DocumentPage, PageRenderer, RunPage } from "../contract/api/page.ts";
import { EvidencePane } from "./run/evidence.tsx";
import { MindStrip } from "./run/positions.tsx";
import { indexStory, type StoryIndex } from "./run/story-index.ts";
import { PlayedNote, TurnCard, Turns } from "./run/turn-card.tsx";
import { type Content, Contents, listContents, splitVerdict } from "./sections/contents.tsx";
import { Sections, SectionView } from "./sections/section-view.tsx";
import baseStyle from "./style/base.css?inline";
import runStyle from "./style/run.css?inline";
import sectionStyle from "./style/sections.css?inline";
import staticStyle from "./style/static.css?inline";
import { PageContext } from "./text/page-context.tsx";
import { guessLang, showHidden } from "./text/words.ts";

export const renderDocument: PageRenderer["renderDocument"] = (page) => {
  const { verdict, rest } = splitVerdict(page.sections);
  return renderFile(
    page,
    <>
      <p className="secondary">{showHidden(page.intro)}</p>
      {verdict && (
        <>
          <p className="ask">{showHidden(verdict.title)}</p>
          <SectionView section={verdict} isLead />
        </>
      )}
    </>,
    <Sections sections={rest} />,
    listContents(rest),
  );
};

export const renderRun: PageRenderer["renderRun"] = (page) => {
  const { words, story, turns, end } = page;
  const index = indexStory(story);
  const { verdict, rest: main } = splitVerdict(page.sections);
  const contents = [
    ...listContents(main),
    ...(turns.length > 0 ? [{ id: "debate", title: words.debate }] : []),
    ...(story.exhibits.length > 0 ? [{ id: "evidence", title: words.page.evidence }] : []),
    ...listContents(end),
  ];
  return renderFile(
    page,
    <>
      <RunHead page={page} />
      {verdict && <SectionView section={verdict} isLead />}
      <MindStrip positions={page.positions} index={index} decisive={new Map()} />
    </>,
    <>
      <Sections sections={main} />
      {turns.length > 0 && <StaticDebate page={page} index={index} />}
      {story.exhibits.length > 0 && (
        <section className="section static-evidence" aria-labelledby="evidence">
          <h2 id="evidence">{words.page.evidence}</h2>
          <details className="fold">
            <summary>{`${words.page.evidence} (${story.exhibits.length})`}</summary>
            <EvidencePane index={index} />
          </details>
        </section>
      )}
      <Sections sections={end} />
    </>,
    contents,
  );
};

function RunHead({ page: { outcome, headline, reasons, figures, goesOn, turns } }: { page: RunPage }) {
  return (
    <>
      <p className="outcome-line">
        <span className={`chip ${outcome.tone}`}>{outcome.word}</span>{" "}
        {Object.entries(headline).map(([name, text]) => (
          <span key={name} className="says">
            <span className="key">{name}</span> <strong lang={guessLang(text)}>{showHidden(text)}</strong>{" "}
          </span>
        ))}
        {goesOn && (
          <>
            {goesOn.before}
            <code>{goesOn.command}</code>
            {goesOn.after}
          </>
        )}
      </p>
      {reasons.length > 0 && (
        <ul>
          {reasons.map((reason, at) => (
            <li key={at}>{showHidden(reason)}</li>
          ))}
        </ul>
      )}
      <p className="secondary">
        {showHidden(figures)} <PlayedNote turns={turns} />
      </p>
    </>
  );
}

const mostOpen = 8;

/** The last stage is open unless it is long; links and printing open the others. */
function StaticDebate({ page: { words, turns }, index }: { page: RunPage; index: StoryIndex }) {
  const items = new Map(turns.map((turn) => [turn.id, turn]));
  const { stages } = index.story;
  return (
    <section className="section" aria-labelledby="debate">
      <h2 id="debate">{words.debate}</h2>
      {stages.map(({ title, turns: spoken }, at) => (
        <details
          key={at}
          className="stage"
          open={at === stages.length - 1 && spoken.flatMap(({ points }) => points).length <= mostOpen}
        >
          <summary>
            {showHidden(title)} <span className="faint">{fillIn(words.turns, { turns: spoken.length })}</span>
          </summary>
          <Turns
            turns={spoken}
            card={(turn) => <TurnCard key={turn.turn} storyTurn={turn} turn={items.get(turn.turn)} index={index} />}
          />
        </details>
      ))}
    </section>
  );
}

/** One printable file without scripts or outside resources; bidirectional controls are made visible everywhere. */
function renderFile(
  page: DocumentPage | RunPage,
  head: React.ReactNode,
  main: React.ReactNode,
  contents: readonly Content[],
): string {
  const { title, language, from, foot, words } = page;
  const body = renderToStaticMarkup(
    <PageContext value={{ frame: words, isStatic: true }}>
      <a className="skip" href="#main">
        {words.ways.skip}
      </a>
      <header className="static-head">
        <p className="secondary">{showHidden(from)}</p>
        <h1 className={title.length > 90 ? "long" : ""} lang={guessLang(title)}>
          {showHidden(title)}
        </h1>
        {head}
      </header>
      <div className="static-frame">
        <Contents label={words.ways.contents} contents={contents} />
        <main id="main">{main}</main>
      </div>
      <footer className="secondary">{showHidden(foot)}</footer>
    </PageContext>,
  );
  const headings = renderToStaticMarkup(<title>{`${showHidden(title)} · Parley`}</title>);
  return `<!doctype html>
<html lang="${/^[a-z]{2}$/.test(language) ? language : "en"}" class="static">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
${headings}
<style>${baseStyle}${sectionStyle}${runStyle}${staticStyle}</style>
</head>
<body>${showHidden(body)}</body>
</html>
`;
}
