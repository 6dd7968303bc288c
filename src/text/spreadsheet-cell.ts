/** Text that no spreadsheet takes for a formula: one that begins like one, and is no number, gets an apostrophe before it. */
export function guardFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+([.,]\d+)*$/.test(text) ? `'${text}` : text;
}
