import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { callApi } from "../../contract/api/client.ts";
import { openPalette } from "./palette.tsx";

const places = [
  ["/", "Runs"],
  ["/studies", "Studies"],
  ["/inbox", "Inbox"],
  ["/start", "Start"],
  ["/fleet", "Fleet"],
  ["/doctor", "Doctor"],
] as const;

/** Where one can go, and how the page looks. */
export function Header() {
  const [path] = useLocation();
  const [search] = useSearchParams();
  const location = path === "/compare" && search.has("study") ? "/studies" : path;
  const [theme, setTheme] = useState(readTheme);
  const waiting = useQuery({
    queryKey: ["reviews"],
    queryFn: () => callApi("listReviews", {}),
    refetchInterval: 30_000,
  });
  const fleet = useQuery({ queryKey: ["fleet"], queryFn: () => callApi("readFleet", {}), staleTime: 60_000 });
  const count = waiting.data?.items.length ?? 0;
  const toggle = () => {
    const next = nextTheme(theme);
    applyTheme(next);
    setTheme(next);
  };
  return (
    <header className="top">
      <Link href="/" className="name">
        Parley
      </Link>
      <nav aria-label="Pages">
        {places
          .filter(([to]) => to !== "/fleet" || fleet.data?.fleet)
          .map(([to, name]) => (
            <Link key={to} href={to} aria-current={isAt(location, to) ? "page" : undefined}>
              {name}
              {to === "/inbox" && count > 0 && (
                <span className="count" title={`${count} ${count === 1 ? "waits" : "wait"} for a person`}>
                  {count}
                </span>
              )}
            </Link>
          ))}
      </nav>
      <button className="jump" onClick={openPalette} title="Jump to a page, a run or a study">
        Jump <kbd aria-hidden="true">⌘K</kbd>
      </button>
      <button className="plain theme" onClick={toggle} aria-label="Light or dark" title="Light or dark">
        ◐
      </button>
    </header>
  );
}

function isAt(location: string, path: string): boolean {
  if (path === "/") return location === "/" || location.startsWith("/runs") || location.startsWith("/compare");
  return location.startsWith(path);
}

type Theme = "light" | "dark" | "system";

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
function nextTheme(theme: Theme): Theme {
  const isDark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  return isDark ? "light" : "dark";
}
