/** What a known word may be; a word can be several things (`M` is a unit, `May` a month). */
export const wordFlags = { placeholder: 1, month: 2, weekday: 4, unit: 8, zone: 16 } as const;

const lists: readonly (readonly [number, string])[] = [
  /** Words that stand for a value wherever they are: truth values, nothing, the accounts that every system has. */
  [
    wordFlags.placeholder,
    "true false null nil root admin True False Null Nil Root Admin TRUE FALSE NULL NIL ROOT ADMIN",
  ],
  [wordFlags.month, "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"],
  [wordFlags.weekday, "Mon Tue Wed Thu Fri Sat Sun"],
  /** Units of size and time that stand behind a number (`5.2 KB`, `<1 sec`). */
  [
    wordFlags.unit,
    "b kb mb gb tb pb k m g ns us ms s sec secs second seconds min mins minute minutes h hr hrs hour hours",
  ],
  [
    wordFlags.unit,
    "B KB MB GB TB PB K M G Kb Mb Gb KiB MiB GiB TiB kB d hz Hz kHz KHz MHz GHz bps kbps Kbps Mbps Gbps",
  ],
  [wordFlags.unit, "Sec Secs Second Seconds Min Minutes Hours SEC SECONDS MS C F V W rpm RPM"],
  [wordFlags.zone, "UTC GMT EST EDT CST CDT MST MDT PST PDT CET CEST BST IST JST MSK AM PM"],
];

/** The hash of a text as the scanner computes it (FNV-1a over UTF-16 codes). */
export function hashText(text: string): number {
  let hash = hashStart;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), hashPrime);
  return hash;
}
export const hashStart = -2_128_831_035;
export const hashPrime = 16_777_619;

const known = new Map<number, { word: string; flags: number }>();
/** A quick no for almost every word that is not known. */
const maybe = new Uint8Array(4096);
for (const [flag, words] of lists) {
  for (const word of words.split(" ")) {
    const hash = hashText(word);
    known.set(hash, { word, flags: (known.get(hash)?.flags ?? 0) | flag });
    maybe[hash & 4095] = 1;
  }
}

/** What the word at a place of a text may be, 0 for most words. */
export function findFlags(hash: number, text: string, start: number, end: number): number {
  if (maybe[hash & 4095] === 0) return 0;
  const found = known.get(hash);
  return found !== undefined && end - start === found.word.length && text.startsWith(found.word, start)
    ? found.flags
    : 0;
}

export function isUnit(word: string): boolean {
  return (findFlags(hashText(word), word, 0, word.length) & wordFlags.unit) !== 0;
}

export function isPlaceholder(word: string): boolean {
  return (findFlags(hashText(word), word, 0, word.length) & wordFlags.placeholder) !== 0;
}
