import { useState } from "react";
import { guessLang, showHidden } from "../../text/words.ts";

/** Text that is cut where a reader would stop, and read on by those who want to. */
export function LongText({ text, most = 420 }: { text: string; most?: number }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > most * 1.25;
  const shown = isOpen || !isLong ? text : cutAtWord(text, most);
  return (
    <p className="speech prose" lang={guessLang(text)}>
      {showHidden(shown.length > 200_000 ? `${shown.slice(0, 200_000)}…` : shown)}
      {isLong && (
        <>
          {isOpen ? " " : "… "}
          <button className="plain" onClick={() => setOpen(!isOpen)}>
            {isOpen ? "less" : "more"}
          </button>
        </>
      )}
    </p>
  );
}

function cutAtWord(text: string, most: number): string {
  const cut = text.slice(0, most);
  const space = cut.lastIndexOf(" ");
  return space > most / 2 ? cut.slice(0, space) : cut;
}
