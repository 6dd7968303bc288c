/** Markup that may go into a page as it is. */
export type Markup = { readonly markup: string };

/** What can be put into markup; everything but markup itself is escaped, and nothing is written for what is not there. */
export type Part = Markup | string | number | null | undefined | false | readonly Part[];

/** Builds markup; every value put into it is escaped unless it is markup itself. Attribute values stand in double quotes. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Markup {
  let fixed = strings[0] ?? "";
  let markup = fixed;
  values.forEach((value, i) => {
    const next = strings[i + 1] ?? "";
    markup += writePart(value, isInTag(fixed) ? escapeAttribute : escapeHtml) + next;
    fixed += next;
  });
  return { markup };
}

/** Text that is known to be markup: a style sheet of this program. */
export function trusted(markup: string): Markup {
  return { markup };
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** Text made inert for the content of an element; control characters and marks of direction become visible. */
export function escapeHtml(text: string): string {
  return escapeMarks(text).replaceAll(
    /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `<span class="ctl">U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}</span>`,
  );
}

/** Text made inert for an attribute, where nothing can be made visible: control characters become spaces. */
export function escapeAttribute(text: string): string {
  return escapeMarks(text.replaceAll(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]+/g, " "));
}

function escapeMarks(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (mark) => entities[mark] ?? mark);
}

/** Whether the next value stands inside a tag, also where the template is only a part of one. */
function isInTag(fixed: string): boolean {
  return fixed.lastIndexOf("<") > fixed.lastIndexOf(">") || /="[^"<>]*$/.test(fixed);
}

function writePart(part: Part, escape: (text: string) => string): string {
  if (part === null || part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escape(String(part));
  return "markup" in part ? part.markup : part.map((one) => writePart(one, escape)).join("");
}
