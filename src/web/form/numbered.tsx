import { createContext } from "react";
import type { RunDetail } from "../../contract/api/index.ts";
import { listNumbered, listTexts, type Numbered, readBlocks } from "../../contract/form.ts";
import type { Exhibit } from "../../contract/story.ts";
import { cutAtWord, guessLang, sayName, showHidden } from "../text/words.ts";

export type Side = Numbered & { speaker: string | null };

export const NumberedContext = createContext<readonly Side[]>([]);

/** The numbered things in a prompt, with whoever said them. */
export function readSides(prompt: readonly string[], { turns, story }: Pick<RunDetail, "turns" | "story">): Side[] {
  const speakers = new Map(
    story.stages.flatMap((stage) => stage.turns.map((storyTurn) => [storyTurn.turn, storyTurn.speaker])),
  );
  const left = [...turns];
  return listNumbered(prompt).map((numbered) => {
    const [longest] = numbered.texts;
    // Two speakers who say the same are two: each turn stands for one number.
    const at = left.findLastIndex(({ reply }) => longest !== undefined && listTexts(reply).includes(longest));
    const [said] = at < 0 ? [] : left.splice(at, 1);
    return { ...numbered, speaker: said ? (speakers.get(said.id) ?? sayName(said.key.role)) : null };
  });
}

type Passage = { source: string; quote: string };

/** Citable parts of the prompt, sentence by sentence: sources and log lines. */
function listPassages(prompt: readonly string[]): Passage[] {
  return readBlocks(prompt).flatMap(({ value }) =>
    typeof value !== "string"
      ? listNamed(value)
      : [...value.matchAll(/^(\S+) \| (.*\S)$/gm)].map(([, source = "", quote = ""]) => ({ source, quote })),
  );
}

function listNamed(value: unknown): Passage[] {
  if (typeof value !== "object" || value === null) return [];
  const { source, id, text, statement } = value as Record<string, unknown>;
  const [name, words] = [source ?? id, text ?? statement];
  if (typeof name !== "string" || typeof words !== "string") return Object.values(value).flatMap(listNamed);
  return words.split(/(?<=[.!?])\s+|\n+/).flatMap((quote) => (quote.trim() === "" ? [] : [{ source: name, quote }]));
}

const mostPassages = 300;

/** Quoted passages first, then everything else the role is shown. */
export function Passages({ exhibits, prompt }: { exhibits: readonly Exhibit[]; prompt: readonly string[] }) {
  const quoted = exhibits.filter(({ struck }) => struck === undefined);
  const usable = [
    ...new Map([...listPassages(prompt), ...quoted].map(({ source, quote }) => [quote, { source, quote }])).values(),
  ];
  const isQuoted = ({ quote }: Passage) => quoted.some((exhibit) => exhibit.quote === quote);
  const sorted = usable.toSorted((a, b) => Number(isQuoted(b)) - Number(isQuoted(a))).slice(0, mostPassages);
  if (sorted.length === 0) return null;
  return (
    <details className="passages">
      <summary>{`Passages to cite (${sorted.length})`}</summary>
      <ul tabIndex={0}>
        {sorted.map(({ source, quote }) => (
          <li key={quote}>
            <span className="secondary">{showHidden(source)}</span>
            <span lang={guessLang(quote)}>{showHidden(cutAtWord(quote, 300))}</span>
            <span className="row">
              <button type="button" className="plain" onMouseDown={keepFocus} onClick={() => insert(quote)}>
                quote it
              </button>
              <button type="button" className="plain" onMouseDown={keepFocus} onClick={() => insert(source)}>
                name its source
              </button>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function keepFocus(event: React.MouseEvent): void {
  event.preventDefault();
}

function insert(text: string): void {
  const held = document.activeElement;
  const field =
    held instanceof HTMLTextAreaElement ? held : document.querySelector<HTMLTextAreaElement>(".inbox-answer textarea");
  if (!field) return;
  field.focus();
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
