import type { Language } from "./language.ts";
import { toNormalForm, toPlainForm } from "./normal-form.ts";

type Groups = { exact: Map<string, string>; members: { form: string; group: string }[] };

/** The synonym group of a term (price, delivery, service…), or null: an exact member first, then a member inside the term. */
export function findAspectGroup(term: string, language: Language): string | null {
  const { exact, members } = openGroups(language);
  const plain = toPlainForm(term);
  const group = exact.get(plain) ?? exact.get(toNormalForm(term, language));
  if (group !== undefined) return group;
  const words = language.cue_match === "word" ? term.toLowerCase().split(/[^\p{L}\p{N}]+/u) : null;
  const inside = members.find(({ form }) => (words ? words.includes(form) : plain.includes(form)));
  return inside?.group ?? null;
}

const groupsByLanguage = new WeakMap<Language, Groups>();

function openGroups(language: Language): Groups {
  const known = groupsByLanguage.get(language);
  if (known) return known;
  const all = Object.entries(language.aspect_synonyms).flatMap(([group, words]) =>
    words.map((word) => ({ form: toPlainForm(word), group })),
  );
  const exact = new Map(all.toReversed().map(({ form, group }) => [form, group]));
  const groups = { exact, members: all.filter(({ form }) => form.length >= 2) };
  groupsByLanguage.set(language, groups);
  return groups;
}
