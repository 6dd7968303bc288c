import { anchorOf, useIsStatic, useWords } from "../text/page-context.tsx";
import { fillIn } from "../../contract/frame-words.ts";
import { cellOf, columnOf } from "../../contract/section-parts.ts";
import type { Cell, SectionOf } from "../../contract/view.ts";
import { LongText } from "../text/parts.tsx";
import { foldAlike, guessLang, sayName, showHidden } from "../text/words.ts";

export function SectionTable({ section }: { section: SectionOf<"table"> }) {
  const columns = section.columns.map(columnOf);
  const label = section.title || section.note || columns.map(({ name }) => name).join(", ") || "table";
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={showHidden(label)}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, numeric, hint }, at) =>
              name === "" ? (
                <td key={at} />
              ) : (
                <th key={at} className={numeric ? "number" : ""} scope="col" title={hint}>
                  {showHidden(name)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {section.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <TableCell key={index} cell={cell} isNumeric={columns[index]?.numeric ?? false} isHead={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableCell({ cell, isNumeric, isHead }: { cell: Cell; isNumeric: boolean; isHead: boolean }) {
  const { groups } = useWords();
  const isStatic = useIsStatic();
  const { text, note, tag, tone, run } = cellOf(cell);
  const said = <span className={tone ?? ""}>{showHidden(text)}</span>;
  const Tag = isHead ? "th" : "td";
  return (
    <Tag className={isNumeric ? "number" : ""} lang={guessLang(text)} scope={isHead ? "row" : undefined}>
      {run === undefined || isStatic ? said : <a href={`/runs/${run}`}>{said}</a>}
      {tag && <span className={`group-tag ${tag}`}>{groups[tag]}</span>}
      {note && <div className="faint">{showHidden(note)}</div>}
    </Tag>
  );
}

type Card = SectionOf<"cards">["cards"][number];

export function Cards({ section }: { section: SectionOf<"cards"> }) {
  const { alike: words } = useWords();
  const ids = new Set(section.cards.map(({ id }) => id));
  const parentOf = ({ links = [], id }: Card) => links.find((link) => ids.has(link) && link !== id);
  const repliesTo = (id: string) => section.cards.filter((card) => parentOf(card) === id);
  const { shown, alike } = foldAlike(
    section.cards.filter((card) => parentOf(card) === undefined),
    ({ tone = "" }) => tone,
    ({ id }) => repliesTo(id).length > 0,
  );
  const list = (cards: readonly Card[]) => (
    <div className="cards">
      {cards.map((card) => (
        <CardTree key={card.id} card={card} repliesTo={repliesTo} depth={0} />
      ))}
    </div>
  );
  return (
    <>
      {list(shown)}
      {alike.length > 0 && (
        <details className="fold">
          <summary>{fillIn(words, { count: alike.length })}</summary>
          {list(alike)}
        </details>
      )}
    </>
  );
}

type TreeProps = { card: Card; repliesTo: (id: string) => Card[]; depth: number };

function CardTree({ card, repliesTo, depth }: TreeProps) {
  const replies = depth < 6 ? repliesTo(card.id) : [];
  return (
    <article className={`card ${card.tone ?? ""}`} id={anchorOf("card", card.id)}>
      <h3>{showHidden(card.title)}</h3>
      {card.subtitle && <p className="secondary">{showHidden(card.subtitle)}</p>}
      <LongText text={card.body} />
      {replies.length > 0 && (
        <div className="replies">
          {replies.map((reply) => (
            <CardTree key={reply.id} card={reply} repliesTo={repliesTo} depth={depth + 1} />
          ))}
        </div>
      )}
    </article>
  );
}

type Step = SectionOf<"steps">["steps"][number];

export function Steps({ section }: { section: SectionOf<"steps"> }) {
  return (
    <ol className="steps">
      {section.steps.map((step, at) => (
        <li key={at} className={`step ${step.tone ?? ""}`}>
          <span className="step-label">{showHidden(sayName(step.label))}</span>
          <div>
            {step.outcome !== "" && <strong className={step.tone ?? ""}>{showHidden(sayName(step.outcome))}</strong>}
            {step.limits?.map((limit) => (
              <Gauge key={limit.name} limit={limit} />
            ))}
            {step.detail !== "" && <p className="detail">{showHidden(step.detail)}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Gauge({ limit }: { limit: NonNullable<Step["limits"]>[number] }) {
  const { name, value, threshold, isMet, bound = "least" } = limit;
  const sign = signs[bound][isMet ? 0 : 1];
  const most = Math.max(value, threshold, 1e-9) * 1.15;
  const share = (part: number) => (100 * Math.max(0, part)) / most;
  const margin = bound === "least" ? value - threshold : threshold - value;
  return (
    <div className="gauge">
      <span className="key">{sayName(name)}</span>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect className={isMet ? "met" : "missed"} y="2" height="6" width={share(value)} />
        <line x1={share(threshold)} x2={share(threshold)} y1="0" y2="10" />
      </svg>
      <span className="number">{`${show(value)} ${sign} ${show(threshold)}`}</span>
      <span className={`number ${isMet ? "good" : "bad"}`}>{`${margin < 0 ? "−" : "+"}${show(Math.abs(margin))}`}</span>
    </div>
  );
}

const signs = { least: ["≥", "<"], most: ["≤", ">"], below: ["<", "≥"] };

function show(value: number): string {
  return String(Number(value.toFixed(2)));
}
