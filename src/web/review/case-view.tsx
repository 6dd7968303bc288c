import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { ReviewDetail, RunDetail } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { Sections, SectionView } from "../sections/section-view.tsx";
import { Failure, Skeleton, ValueView } from "../text/parts.tsx";
import { guessLang, sayName, showHidden, tellAge } from "../text/words.ts";
import { Deadline } from "./inbox-page.tsx";

type Props = { detail: ReviewDetail; isHidden: boolean; onHide: (isHidden: boolean) => void };

/** The case: why it is here, what each side says, and the source beside it. */
export function CaseView({ detail, isHidden, onHide }: Props) {
  const { item, blind, turn } = detail;
  const words = {};
  const { run, reasons } = item;
  return (
    <div className="case">
      <header>
        <p className="secondary">
          {`${sayName(run.pack)} · came ${tellAge(item.since)}`}
          <Deadline item={item} />
        </p>
        <h2 lang={guessLang(run.subject)}>{showHidden(run.subject)}</h2>
      </header>
      <section aria-label="Why it is here">
        <h3>Why it is here</h3>
        {turn ? (
          <p>{`A person plays the ${sayName(turn.key.role)}, and it is that role's turn (${turn.key.round === 0 ? "before the debate" : `round ${turn.key.round}`}).`}</p>
        ) : item.why === "budget" ? (
          <p>The run has used up its budget. It can end with what stands, or go on with more.</p>
        ) : reasons.length > 0 ? (
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{showHidden(sayName(reason))}</li>
            ))}
          </ul>
        ) : (
          <p>The debate asks for a person's ruling.</p>
        )}
      </section>
      {!blind && (
        <label className="check">
          <input type="checkbox" checked={isHidden} onChange={(event) => onHide(event.target.checked)} />
          <span>
            Read the source first, without what the machine says <kbd>b</kbd>
          </span>
        </label>
      )}
      {blind && <p className="notice">What the machine says is kept back until you have answered.</p>}
      {!blind && !isHidden && <Machine id={run.id} words={words} />}
      <section aria-label="Source">
        <h3>Source</h3>
        <SourceView input={detail.input} words={words} />
      </section>
      {turn && (
        <details>
          <summary>What the role is told, word for word</summary>
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

function Machine({ id, words }: { id: string; words: Record<string, string> }) {
  const run = useQuery({ queryKey: ["run", id], queryFn: () => callApi("readRun", { params: { id } }) });
  if (run.isPending) return <Skeleton lines={5} />;
  if (run.isError) return <Failure error={run.error} again={() => void run.refetch()} />;
  const verdict = run.data.sections.find(({ kind }) => kind === "verdict");
  return (
    <>
      {verdict && <SectionView section={verdict} isLead />}
      <section aria-label="Both sides">
        <h3>
          What each side says <Link href={`/runs/${id}`}>the whole debate</Link>
        </h3>
        <Sides detail={run.data} words={words} />
      </section>
      <Sections sections={run.data.sections.filter(({ kind }) => kind === "lines" || kind === "highlight")} />
    </>
  );
}

type TurnItem = RunDetail["turns"][number];

/** What each speaker said last, side by side, with where it stood. */
function Sides({ detail, words }: { detail: RunDetail; words: Record<string, string> }) {
  const spoken = detail.turns.filter(({ status, reply }) => status !== "abstained" && reply !== null);
  const last = [...Map.groupBy(spoken, ({ key }) => key.role).values()].flatMap((turns) => turns.at(-1) ?? []);
  if (last.length === 0) return <p className="secondary">Nobody has spoken yet.</p>;
  return (
    <div className="sides">
      {last.map((turn) => (
        <Side key={turn.id} turn={turn} stand={findStand(detail, turn.key.role)} words={words} />
      ))}
    </div>
  );
}

type SideProps = { turn: TurnItem; stand: string | null; words: Record<string, string> };

function Side({ turn, stand, words }: SideProps) {
  const lead = findLead(turn.reply);
  return (
    <article>
      <h3>
        {words[turn.key.role] ?? sayName(turn.key.role)} <span className="secondary">{turn.player}</span>
      </h3>
      {stand && (
        <p className="stand" lang={guessLang(stand)}>
          {showHidden(words[stand] ?? stand)}
        </p>
      )}
      {lead && lead !== stand && (
        <p className="lead" lang={guessLang(lead)}>
          {showHidden(lead)}
        </p>
      )}
      <details>
        <summary>all of it</summary>
        <div className="value">
          <ValueView value={turn.reply} />
        </div>
      </details>
    </article>
  );
}

function findStand({ positions }: RunDetail, role: string): string | null {
  return positions.findLast((position) => position.role === role && position.item === undefined)?.answer ?? null;
}

/** The first sentence or so that says something: the reply's own longest text near its top. */
function findLead(reply: unknown): string | null {
  if (typeof reply !== "object" || reply === null) return null;
  const own = Object.values(reply).filter((value) => typeof value === "string");
  const inner = Object.values(reply).flatMap((value) =>
    Array.isArray(value) ? value.slice(0, 1).flatMap((item: unknown) => listTexts(item)) : [],
  );
  const best = [...own, ...inner].toSorted((a, b) => b.length - a.length)[0] ?? null;
  return best === null || best.length < 12 ? null : best.length > 420 ? `${best.slice(0, 420)}…` : best;
}

function listTexts(item: unknown): string[] {
  if (typeof item === "string") return [item];
  return typeof item === "object" && item !== null
    ? Object.values(item).filter((value): value is string => typeof value === "string")
    : [];
}

type Row = Record<string, unknown>;

/** The case as it was given: its texts to read, documents and log lines each in a box of its own. */
function SourceView({ input, words }: { input: unknown; words: Record<string, string> }) {
  if (typeof input === "string") return <Passage text={input} />;
  if (typeof input !== "object" || input === null) return null;
  return Object.entries(input as Row).map(([key, value]) => (
    <SourcePart key={key} name={words[key] ?? sayName(key)} value={value} />
  ));
}

function SourcePart({ name, value }: { name: string; value: unknown }) {
  if (typeof value === "string" && value !== "")
    return (
      <div className="source">
        <h3>{name}</h3>
        <Passage text={value} />
      </div>
    );
  if (!Array.isArray(value) || value.length === 0) return null;
  const rows = value as unknown[];
  if (rows.every((row) => typeof row === "string"))
    return (
      <div className="source">
        <h3>{name}</h3>
        <ul>
          {rows.map((row, at) => (
            <li key={at}>{showHidden(row)}</li>
          ))}
        </ul>
      </div>
    );
  const texts = (rows as Row[]).flatMap((row, at) => {
    const text = [row.text, row.raw, row.statement, row.message].find((one) => typeof one === "string");
    return text === undefined ? [] : [{ id: typeof row.id === "string" ? row.id : String(at + 1), text }];
  });
  return texts.length === 0 ? null : <Documents name={name} texts={texts} />;
}

const mostShown = 200;

function Documents({ name, texts }: { name: string; texts: { id: string; text: string }[] }) {
  return (
    <div className="source">
      <h3>{`${name} (${texts.length})`}</h3>
      {texts.slice(0, mostShown).map(({ id, text }) => (
        <div key={id} className="document">
          <span className="secondary mono">{showHidden(id)}</span>
          <Passage text={text} />
        </div>
      ))}
      {texts.length > mostShown && <p className="secondary">{`and ${texts.length - mostShown} more`}</p>}
    </div>
  );
}

const longest = 20_000;

function Passage({ text }: { text: string }) {
  return (
    <p className="speech prose" lang={guessLang(text)}>
      {showHidden(text.length > longest ? `${text.slice(0, longest)}…` : text)}
    </p>
  );
}
