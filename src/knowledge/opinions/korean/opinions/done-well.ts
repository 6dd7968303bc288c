import type { Morpheme } from "../words/morpheme.ts";

type Found = { from: number; to: number; stem: string; base: number; context: undefined; fact: false };

const others = /^(모르|알|보|하|생각)$/;

/** "잘 보인다", "잘 안 닫힌다": whatever is done well is praised, and what follows turns it. */
export function findDoneWell(morphemes: readonly Morpheme[], at: number): Found | undefined {
  const here = morphemes[at];
  if (here?.pos !== "MAG" || here.text !== "잘") return undefined;
  const turned = morphemes[at + 1]?.pos === "MAG" && /^(안|못)$/.test(morphemes[at + 1]?.text ?? "");
  const verb = at + (turned ? 2 : 1);
  const { pos = "", text = "" } = morphemes[verb] ?? {};
  if (pos !== "VV" || others.test(text)) return undefined;
  return { from: at, to: verb + 1, stem: `잘${text}`, base: turned ? -2 : 2, context: undefined, fact: false };
}
