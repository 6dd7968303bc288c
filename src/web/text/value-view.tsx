import { guessLang, sayName, showHidden } from "./words.ts";

/** Any reply in words: lists as lists, keys as a person would say them, nothing as raw JSON. */
export function ValueView({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (value === null || value === undefined || value === "") return <span className="faint">none</span>;
  if (typeof value === "boolean") return <span>{value ? "yes" : "no"}</span>;
  if (typeof value === "number") return <span className="number">{Number(value.toFixed(3))}</span>;
  if (typeof value === "string")
    return (
      <span className="speech prose" lang={guessLang(value)}>
        {showHidden(value.length > 20_000 ? `${value.slice(0, 20_000)}…` : value)}
      </span>
    );
  if (Array.isArray(value)) return <ListView items={value} depth={depth} />;
  return <PairsView value={value as Record<string, unknown>} depth={depth} />;
}

function ListView({ items, depth }: { items: unknown[]; depth: number }) {
  if (items.length === 0) return <span className="faint">none</span>;
  if (items.every((item) => typeof item !== "object" || item === null))
    return <span className="prose">{showHidden(items.map(String).join(" · "))}</span>;
  return (
    <ul>
      {items.map((item, at) => (
        <li key={at}>
          <ValueView value={item} depth={depth + 1} />
        </li>
      ))}
    </ul>
  );
}

function PairsView({ value, depth }: { value: Record<string, unknown>; depth: number }) {
  const pairs = Object.entries(value).filter(([, inner]) => !isNothing(inner));
  return (
    <dl className="pairs">
      {pairs.map(([key, inner]) => (
        <div key={key} className="bar-row">
          <dt>{sayName(key)}</dt>
          <dd>
            <ValueView value={inner} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
