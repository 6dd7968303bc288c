/** How many examples it takes before differences are taken for values; chosen by leaving each known system out in turn. */
export type MergeSettings = {
  /** Words that vary freely at one place, all else being equal; words in capitals are often terms of the program. */
  manyWords: number;
  manyCapitals: number;
  /** Other words that must agree before a word is a value because others have a number in its place. */
  enoughContext: number;
  /** Messages that differ only in words which are rare in their places. */
  rareWords: number;
  /** Whether parts in brackets may be optional, and texts in quotes may vary. */
  optionalParts: boolean;
  quotedTexts: boolean;
};

export const mergeSettings: MergeSettings = {
  manyWords: 6,
  manyCapitals: 10,
  enoughContext: 3,
  rareWords: 12,
  optionalParts: true,
  quotedTexts: true,
};
