/** Markup that may go into a page as it is. */
export type Markup = { readonly markup: string };

type Part = Markup | string | number | null | undefined | false | readonly Part[];

/** Builds markup; every value put into it is escaped unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Markup {
  return { markup: strings.reduce((text, string, i) => text + markupOf(values[i - 1]) + string) };
}

/** Text as markup that shows exactly that text. */
export function escapeText(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Text that is known to be markup: a chart, a style sheet, a script of this program. */
export function trusted(markup: string): Markup {
  return { markup };
}

/** A value as JSON that cannot end the script element it stands in. */
export function scriptJson(value: unknown): Markup {
  return {
    markup: JSON.stringify(value)
      .replaceAll("<", "\\u003c")
      .replaceAll("\u2028", "\\u2028")
      .replaceAll("\u2029", "\\u2029"),
  };
}

function markupOf(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escapeText(String(part));
  return "markup" in part ? part.markup : part.map(markupOf).join("");
}
