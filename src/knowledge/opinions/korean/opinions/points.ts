import type { Morpheme } from "../words/morpheme.ts";

type Found = { from: number; to: number; stem: string; base: number; context: undefined; fact: false };

const numerals: Record<string, number> = {
  하나: 1,
  한: 1,
  둘: 2,
  두: 2,
  셋: 3,
  세: 3,
  넷: 4,
  네: 4,
  다섯: 5,
  열: 10,
};

/** Points and stars that are given: "5점 만점에 2점", "10점 중 3점", "별 다섯 개"; how many of how many is what they say. */
export function findPoints(morphemes: readonly Morpheme[], at: number): Found | undefined {
  const here = morphemes[at];
  if (here === undefined) return undefined;
  if (/^별점?$/.test(here.text)) return rate(at, at + 2, readNumber(morphemes[at + 1]), 5);
  const most = readNumber(here);
  if (most === undefined || morphemes[at + 1]?.text !== "점") return undefined;
  const given = morphemes.findIndex((one, index) => index > at + 1 && index < at + 6 && readNumber(one) !== undefined);
  const between = morphemes.slice(at + 2, given).map((one) => one.text);
  if (given < 0 || !between.some((word) => /^(만점|중|가운데)$/.test(word))) return undefined;
  return rate(at, given + 2, readNumber(morphemes[given]), most);
}

function readNumber(morpheme: Morpheme | undefined): number | undefined {
  if (morpheme === undefined || !/^(SN|NR|MM)/.test(morpheme.pos)) return undefined;
  const value = numerals[morpheme.text] ?? Number(morpheme.text);
  return Number.isFinite(value) ? value : undefined;
}

function rate(from: number, to: number, given: number | undefined, most: number): Found | undefined {
  if (given === undefined || most <= 0 || given > most) return undefined;
  const base = Math.round((given / most - 0.6) * 70) / 10;
  return { from, to, stem: "점", base: Math.max(-3, Math.min(3, base)), context: undefined, fact: false };
}
