import type { Cell, SectionOf } from "../../contract/view.ts";
import { guessLang, sayName, showHidden } from "../text/words.ts";

/** A table; wide ones scroll in their own box. */
export function SectionTable({ section }: { section: SectionOf<"table"> }) {
  const columns = section.columns.map((column) => (typeof column === "string" ? { name: column } : column));
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={section.title || "table"}>
      <table>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} className={"numeric" in column && column.numeric ? "number" : ""} scope="col">
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {section.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <TableCell key={index} cell={cell} isNumeric={isNumeric(columns[index])} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableCell({ cell, isNumeric }: { cell: Cell; isNumeric: boolean }) {
  const { text, note, tone, runs } = typeof cell === "string" ? { text: cell } : cell;
  return (
    <td className={isNumeric ? "number" : ""} lang={guessLang(text)}>
      {runs === undefined ? (
        <span className={tone ?? ""}>{showHidden(text)}</span>
      ) : (
        <a href={`#cases-${runs}`} title="The runs behind this number">
          {showHidden(text)}
        </a>
      )}
      {note && <div className="faint">{note}</div>}
    </td>
  );
}

function isNumeric(column: { name: string } | undefined): boolean {
  return column !== undefined && "numeric" in column && column.numeric === true;
}

type Card = SectionOf<"cards">["cards"][number];

/** Claims, critiques and hypotheses; what answers another hangs under it. */
export function Cards({ section }: { section: SectionOf<"cards"> }) {
  const ids = new Set(section.cards.map(({ id }) => id));
  const parentOf = ({ links = [], id }: Card) => links.find((link) => ids.has(link) && link !== id);
  const roots = section.cards.filter((card) => parentOf(card) === undefined);
  const repliesTo = (id: string) => section.cards.filter((card) => parentOf(card) === id);
  return (
    <div className="cards">
      {roots.map((card) => (
        <CardTree key={card.id} card={card} repliesTo={repliesTo} depth={0} />
      ))}
    </div>
  );
}

type TreeProps = { card: Card; repliesTo: (id: string) => Card[]; depth: number };

function CardTree({ card, repliesTo, depth }: TreeProps) {
  const replies = depth < 6 ? repliesTo(card.id) : [];
  return (
    <article className={`card ${card.tone ?? ""}`} id={`card-${card.id}`}>
      <h3>{showHidden(card.title)}</h3>
      {card.subtitle && <p className="secondary">{showHidden(card.subtitle)}</p>}
      <p className="speech prose" lang={guessLang(card.body)}>
        {showHidden(card.body)}
      </p>
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

/** Rules in the order in which they fired, each with its outcome, its numbers and how far they were from their threshold. */
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
            {step.numbers && !step.limits && step.detail === "" && (
              <p className="detail number">{sayNumbers(step.numbers)}</p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A number on a bar with its threshold as a tick, and by how much it passed or missed it. */
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

/** How a number compares with its threshold: as it should, and as it should not. */
const signs = { least: ["≥", "<"], most: ["≤", ">"], below: ["<", "≥"] };

function show(value: number): string {
  return String(Number(value.toFixed(2)));
}

function sayNumbers(numbers: Record<string, number>): string {
  return Object.entries(numbers)
    .map(([name, value]) => `${sayName(name)} ${Number(value.toFixed(3))}`)
    .join(" · ");
}

const mostListed = 100;

/** The runs behind the numbers of a study. */
export function Runs({ section: { rows } }: { section: SectionOf<"runs"> }) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Runs">
      <table>
        <thead>
          <tr>
            {["run", "arm", "case", "seed", "outcome", "score", ""].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostListed).map((row, at) => (
            <tr key={at}>
              <td>{row.run === null ? "–" : <a href={`/runs/${row.run}`}>{row.run}</a>}</td>
              <td>{showHidden(row.arm)}</td>
              <td>{showHidden(row.case)}</td>
              <td className="number">{row.seed}</td>
              <td>{row.outcome.replaceAll("_", " ")}</td>
              <td className="number">{row.score === null ? "–" : (row.score * 100).toFixed(1)}</td>
              <td className={row.right ? "good" : "bad"}>{row.right === null ? "" : row.right ? "right" : "wrong"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostListed && (
        <p className="secondary">{`${rows.length - mostListed} more runs are not listed here.`}</p>
      )}
    </div>
  );
}
