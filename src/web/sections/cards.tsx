import type { SectionOf } from "../../contract/view.ts";
import { guessLang, showHidden } from "../text/words.ts";

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
