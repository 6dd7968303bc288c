import type { ReviewItem } from "../../contract/api/index.ts";
import { tellAge, tellTime } from "../text/time.ts";
import { guessLang, sayName, showHidden } from "../text/words.ts";

export const whyWords: Record<ReviewItem["why"], string> = {
  turn: "a role waits for an answer",
  escalated: "asks for a ruling",
  budget: "its budget is spent",
};

type Props = { items: ReviewItem[]; at: string | undefined; onOpen: (id: string) => void };

/** Who waits, how long, and until when. */
export function Queue({ items, at, onOpen }: Props) {
  return (
    <nav aria-label="What waits" className="queue">
      <ul>
        {items.map((item) => (
          <li key={item.run.id}>
            <button aria-current={item.run.id === at} onClick={() => onOpen(item.run.id)}>
              <span className="subject" lang={guessLang(item.run.subject)}>
                {showHidden(item.run.subject)}
              </span>
              <span className="secondary">{`${sayName(item.run.pack)}, ${whyWords[item.why]}`}</span>
              <span className="secondary">
                <time dateTime={item.since} title={tellTime(item.since)}>
                  {`came ${tellAge(item.since)}`}
                </time>
                <Deadline item={item} />
              </span>
              {item.claim && <span className="badge">{`taken by ${item.claim.reviewer}`}</span>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Until when an answer is wanted, and what happens then. */
export function Deadline({ item }: { item: ReviewItem }) {
  if (item.deadline === null) return null;
  const then = item.atDeadline === "abstain" ? ", then the turn abstains" : "";
  return (
    <span className={item.overdue ? "bad" : "warn"} title={tellTime(item.deadline)}>
      {item.overdue ? ` · overdue since ${tellAge(item.deadline)}` : ` · due ${tellAge(item.deadline)}${then}`}
    </span>
  );
}
