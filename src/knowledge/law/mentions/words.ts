/** The words of a text as written; hyphens, slashes and apostrophes separate. */
export function splitWords(text: string): string[] {
  return [...text.normalize("NFKC").matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word);
}

const clitics = /^(?<base>.{3,}?)(?:nya|lah|kah|pun|ku|mu)$/u;

/** The forms under which a word may be listed: itself, and without a clitic (kemenakannya → kemenakan). */
export function listForms(word: string): string[] {
  const lower = word.toLowerCase();
  const forms = [lower];
  for (let base = clitics.exec(lower)?.groups?.["base"]; base; base = clitics.exec(base)?.groups?.["base"])
    forms.push(base);
  return forms;
}
