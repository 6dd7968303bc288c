// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = Record<string, any>;

/** What must hold of replies that have these keys, told from what the role was given. */
export type Truth = { has: string[]; lies(said: Loose, given: Loose): string[] };

export function lie(isTrue: boolean, words: string): string[] {
  return isTrue ? [] : [words];
}

export const loosely = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
export const isText = (text: unknown): boolean => typeof text === "string" && text.trim() !== "";
