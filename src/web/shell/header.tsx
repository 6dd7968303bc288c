import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../data/call.ts";
import { applyTheme, nextTheme, readTheme } from "./theme.ts";

const places = [
  ["/", "Runs"],
  ["/studies", "Studies"],
  ["/inbox", "Inbox"],
  ["/start", "Start"],
  ["/doctor", "Doctor"],
] as const;

/** Where one can go, and how the page looks. */
export function Header() {
  const [location] = useLocation();
  const [theme, setTheme] = useState(readTheme);
  const waiting = useQuery({ queryKey: ["reviews"], queryFn: () => call("listReviews", "/api/reviews") });
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
        {places.map(([path, name]) => (
          <Link key={path} href={path} aria-current={isAt(location, path) ? "page" : undefined}>
            {name}
            {path === "/inbox" && waiting.data && waiting.data.items.length > 0 ? ` ${waiting.data.items.length}` : ""}
          </Link>
        ))}
      </nav>
      <button className="plain" onClick={toggle} aria-label="Light or dark" title="Light or dark">
        ◐
      </button>
    </header>
  );
}

function isAt(location: string, path: string): boolean {
  return path === "/" ? location === "/" || location.startsWith("/runs") : location.startsWith(path);
}
