/**
 * What a text in ASCII must have for a form of value to stand in it: one of these words whole, in any letter case (none at
 * all where a form is written in another script), and a mark.
 */
export type Need = { words?: readonly string[]; mark?: RegExp };

/** A digit, for forms that need one. */
export const digit = /\d/;

/**
 * Finds the forms that can stand in a text by looking at each of its words once, so that the patterns of the others need not
 * be tried. Only ASCII is that simple; in any other text all forms may stand.
 */
export function createFormFinder<F extends { needs: Need }>(forms: readonly F[]): (text: string) => readonly F[] {
  const formsOfWord = new Map<string, F[]>();
  for (const form of forms)
    for (const word of form.needs.words ?? []) formsOfWord.set(word, [...(formsOfWord.get(word) ?? []), form]);
  return (text) => {
    if (beyondAscii.test(text)) return forms;
    const named = new Set<F>();
    for (const word of text.toLowerCase().match(eachWord) ?? [])
      for (const form of formsOfWord.get(word) ?? []) named.add(form);
    return forms.filter(
      (form) => (form.needs.words === undefined || named.has(form)) && (form.needs.mark?.test(text) ?? true),
    );
  };
}

const beyondAscii = /[\u0080-\uffff]/;
const eachWord = /[a-z]+/g;
