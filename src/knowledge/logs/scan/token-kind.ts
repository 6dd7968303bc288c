/** What a token of a message is; everything from `number` on is variable by its looks. */
export const kinds = {
  word: 0,
  delimiter: 1,
  number: 2,
  hex: 3,
  ip: 4,
  host: 5,
  path: 6,
  url: 7,
  uuid: 8,
  time: 9,
  /** Letters with digits glued on (`blk_38`, `node-D2`, `ssh2`): variable unless it never changes. */
  glued: 10,
  /** A value that its place makes variable (`key=value`, `'quoted'`), whatever it looks like. */
  value: 11,
} as const;
export type TokenKind = (typeof kinds)[keyof typeof kinds];

/** What a character is within an atom; delimiters and spaces have no mark, because they end atoms. */
export const marks = {
  hexLetter: 1,
  letter: 2,
  digit: 4,
  dot: 8,
  dash: 16,
  slash: 32,
  backslash: 64,
  joiner: 128,
  colon: 256,
} as const;

const delimiters = "=:,;|[](){}<>\"'`#!?@";

/** The marks of each ASCII code, 0 for spaces and delimiters; everything above ASCII is a letter. */
export const markOf: Uint16Array = Uint16Array.from({ length: 128 }, (_, code) => classifyCharacter(code));

function classifyCharacter(code: number): number {
  const character = String.fromCharCode(code);
  if (code <= 32 || code === 127 || delimiters.includes(character)) return 0;
  if (/[0-9]/.test(character)) return marks.digit;
  if (/[A-Fa-f]/.test(character)) return marks.hexLetter;
  if (/[A-Za-z]/.test(character)) return marks.letter;
  const special: Record<string, number> = { ".": marks.dot, "-": marks.dash, "/": marks.slash, "\\": marks.backslash };
  return special[character] ?? marks.joiner;
}
