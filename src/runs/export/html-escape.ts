const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text made inert for HTML, in content and in attributes; control characters become visible. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll(
      /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u202A-\u202E\u2066-\u2069]/g,
      (character) =>
        `<span class="ctl">U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}</span>`,
    );
}

/** A name that can be an HTML id. */
export function htmlId(text: string): string {
  return `i-${text.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-")}`;
}
