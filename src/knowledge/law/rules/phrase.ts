import { loadConcepts } from "../mentions/concept.ts";
import type { Binding } from "./atom.ts";

let labels: Map<string, { id: string; en: string }> | null = null;

/** What a constant is called in a language: a concept's label, or its words. */
export function nameConstant(constant: string, language: "id" | "en"): string {
  labels ??= new Map(loadConcepts().map((concept) => [concept.id, { id: concept.label, en: concept.label_en }]));
  return labels.get(constant)?.[language] ?? constant.replaceAll("_", " ");
}

/** A rule's statement with `{X}` replaced by what X was bound to. */
export function fillTemplate(template: string, binding: Binding, language: "id" | "en"): string {
  const filled = template.replaceAll(/\{([A-Z]\w*)\}/g, (whole, name: string) => {
    const value = binding.get(name);
    return value === undefined ? whole : nameConstant(value, language);
  });
  return filled.charAt(0).toUpperCase() + filled.slice(1);
}
