import type { Marks } from "../reading/reading.ts";
import { findCues, languageOf } from "../reading/language.ts";
import type { Analysis } from "./attach.ts";
import { readTail } from "./opinions/tail.ts";

/** Where a Korean text negates, contrasts and may be ironic, and its clauses. */
export function findKoreanMarks(analysis: Analysis): Omit<Marks, "neutrals" | "structure"> {
  const { morphemes, clauses, text } = analysis;
  const place = ({ start, end }: { start: number; end: number }) => ({ start, end });
  const negates = (index: number) => {
    const { pos, text: word } = morphemes[index] ?? { pos: "", text: "" };
    if (pos === "MAG" && /^(안|못)$/.test(word)) return true;
    return (
      /^(VA|VX|VCN|VV)$/.test(pos) &&
      /^(없|않|못하|아니|말)$/.test(word) &&
      readTail(morphemes, index + 1).negations === 0
    );
  };
  return {
    negations: morphemes.filter((one) => negates(one.index)).map(place),
    contrasts: clauses
      .filter((clause) => clause.contrast && clause.to > 0)
      .map((clause) => place(morphemes[clause.to - 1] as { start: number; end: number })),
    ironies: findCues(text, languageOf("ko").irony_cues, "ko"),
    clauses: clauses.map(({ from, to }) => ({ start: morphemes[from]?.start ?? 0, end: morphemes[to - 1]?.end ?? 0 })),
  };
}
