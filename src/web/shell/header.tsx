import { Link, useLocation } from "wouter";
import { useApi } from "../data/use-api.ts";
import { showHidden } from "../text/words.ts";
import { useSession } from "./session.tsx";

const places = [
  ["/", "Runs"],
  ["/studies", "Studies"],
  ["/inbox", "Inbox"],
  ["/start", "Start"],
] as const;

export function Header() {
  const [location] = useLocation();
  const session = useSession();
  const waiting = useApi("listReviews", {}, { refetchInterval: 30_000 });
  const count = waiting.data?.items.length ?? 0;
  return (
    <header className="top">
      <Link href="/" className="name">
        Parley
      </Link>
      <nav aria-label="Pages">
        {places.map(([to, name]) => (
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
      {session.data && (
        <span className="secondary" title="who is signed in">
          {showHidden(session.data.reviewer ?? session.data.role)}
        </span>
      )}
    </header>
  );
}

function isAt(location: string, path: string): boolean {
  return path === "/" ? /^\/($|runs|compare)/.test(location) : location.startsWith(path);
}
