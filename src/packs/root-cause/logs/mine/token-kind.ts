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

/** What one character class can be; looked up by code, everything above ASCII is a letter. */
export const classes = { space: 0, letter: 1, digit: 2, joiner: 3, delimiter: 4 } as const;

const delimiters = "=:,;|[](){}<>\"'`#!?@";

/** The class of each ASCII code. */
export const classOf: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (code <= 32 || code === 127) return classes.space;
  if (/[0-9]/.test(character)) return classes.digit;
  if (/[A-Za-z]/.test(character)) return classes.letter;
  return delimiters.includes(character) ? classes.delimiter : classes.joiner;
});
