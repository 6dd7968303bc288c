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
    (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** Text made inert for an attribute, where nothing can be made visible: control characters become spaces. */
export function escapeAttribute(text: string): string {
  return escapeMarks(text.replaceAll(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]+/g, " "));
}

function escapeMarks(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (mark) => entities[mark] ?? mark);
}
