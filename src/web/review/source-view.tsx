import { guessLang, sayName, showHidden } from "../text/words.ts";

type Row = Record<string, unknown>;

/** The case as it was given: its texts to read, documents and log lines each in a box of its own. */
export function SourceView({ input, words }: { input: unknown; words: Record<string, string> }) {
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
