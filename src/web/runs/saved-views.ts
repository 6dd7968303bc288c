import { useState } from "react";

/** A list that somebody comes back to: a name, and the address it stands for. */
export type SavedView = { name: string; search: string };

const key = "parley-views";

/** What most people come back to. */
const usual: SavedView[] = [
  { name: "All", search: "" },
  { name: "Needs a person", search: "state=escalated" },
  { name: "Failed", search: "state=failed" },
  { name: "Last 7 days", search: "days=7" },
];

/** The views of this browser, and ways to keep one and to let it go. */
export function useSavedViews() {
  const [own, setOwn] = useState(readOwn);
  const keep = (views: SavedView[]) => {
    localStorage.setItem(key, JSON.stringify(views));
    setOwn(views);
  };
  return {
    usual,
    own,
    save: (view: SavedView) => keep([...own.filter(({ name }) => name !== view.name), view].slice(-20)),
    remove: (name: string) => keep(own.filter((view) => view.name !== name)),
  };
}

/** What this browser keeps; anything else under that name is left alone. */
function readOwn(): SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const view = value as Partial<SavedView> | null;
  return typeof view?.name === "string" && typeof view.search === "string";
}
