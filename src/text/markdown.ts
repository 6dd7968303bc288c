/**
 * Text that cannot open a tag, a link, a mention, a heading or a list of its own, on one line.
 * Entities instead of backslashes where GitHub would still act on the character.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "")
    .trim()
    .replaceAll(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[character] ?? character)
    .replaceAll(/([[\]*_`\\~$|])/g, "\\$1")
    .replaceAll("@", "&#64;")
    .replaceAll("://", "&#58;//")
    .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, 3)}&#46;`)
    .replace(/^(?:[#+=-]|\d+(?=[.)](?:\s|$)))/, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`));
}
