import type { Language } from "../language/language.ts";
import { normalForm, plainForm } from "./normal-form.ts";

/** The synonym group of a term (price, delivery, service…), or null: an exact member first, then a member inside the term. */
export function aspectGroup(term: string, language: Language): string | null {
  const forms = new Set([plainForm(term), normalForm(term, language)]);
  const groups = Object.entries(language.aspect_synonyms);
  const has = (members: readonly string[], test: (member: string) => boolean) =>
    members.some((member) => test(plainForm(member)));
  const exact = groups.find(([, members]) => has(members, (member) => forms.has(member)));
  if (exact) return exact[0];
  const whole = plainForm(term);
  const inside = groups.find(([, members]) => has(members, (member) => member.length >= 2 && contains(whole, member)));
  return inside ? inside[0] : null;

  function contains(form: string, member: string): boolean {
    return language.cue_match === "word"
      ? term
          .toLowerCase()
          .split(/[^\p{L}\p{N}]+/u)
          .includes(member)
      : form.includes(member);
  }
}
