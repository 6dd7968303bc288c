const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text made inert for HTML, in content and in attributes; control characters become visible. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll(
      /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
      (character) =>
        `<span class="ctl">U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}</span>`,
    );
}

/** Text for an attribute: control characters are left out there, since they cannot be shown as an element. */
export function escapeAttribute(text: string): string {
  return escapeHtml(text.replaceAll(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]+/g, " "));
}

/** A name that can be an HTML id; different names give different ids. */
export function htmlId(kind: "turn" | "card" | "section" | "round", text: string): string {
  const safe = text.replaceAll(/[^\p{L}\p{N}_./-]/gu, (character) => `~${character.codePointAt(0)?.toString(36)}~`);
  return `${kind}-${safe}`;
}
