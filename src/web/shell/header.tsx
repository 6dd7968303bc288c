import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { call } from "../data/call.ts";
import { openPalette } from "./palette.tsx";
import { applyTheme, nextTheme, readTheme } from "./theme.ts";

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
    queryFn: () => call("listReviews", "/api/reviews"),
    refetchInterval: 30_000,
  });
  const fleet = useQuery({ queryKey: ["fleet"], queryFn: () => call("readFleet", "/api/fleet"), staleTime: 60_000 });
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
