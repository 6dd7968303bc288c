import { showHidden } from "../../text/words.ts";

const hues = 6;

/** Who speaks: a hue and a shape of their own, and their name. */
export function Speaker({ name, number }: { name: string; number: number }) {
  return (
    <span className={`speaker hue-${number % hues}`}>
      <span className="badge" aria-hidden="true">
        {initials(name)}
      </span>
      <span className="who">{showHidden(name)}</span>
    </span>
  );
}

function initials(name: string): string {
  const words = name.split(/[\s_-]+/).filter(Boolean);
  return (words.length > 1 ? words.slice(0, 2).map((word) => word[0]) : [name.slice(0, 1)]).join("").toUpperCase();
}
