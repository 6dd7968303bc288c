export type Theme = "light" | "dark" | "system";

/** The theme that the reader chose; the system's unless one was chosen. */
export function readTheme(): Theme {
  const kept = localStorage.getItem("parley-theme");
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** Shows the page in a theme and remembers it. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem("parley-theme");
    return;
  }
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("parley-theme", theme);
}

/** The theme that a click on the toggle leads to. */
export function nextTheme(theme: Theme): Theme {
  const isDark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  return isDark ? "light" : "dark";
}
