import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { call, toQuery } from "../data/call.ts";

const pages = [
  { name: "Runs", path: "/" },
  { name: "Studies", path: "/studies" },
  { name: "Inbox", path: "/inbox" },
  { name: "Start a debate", path: "/start" },
  { name: "Doctor", path: "/doctor" },
];

/** Ctrl-K or ⌘K: jump to a page, or to a run by its words. */
export function Palette() {
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const [, go] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const found = useQuery({
    queryKey: ["jump", words],
    queryFn: () => call("listRuns", `/api/runs${toQuery({ text: words, limit: 8 })}`),
    enabled: isOpen && words.trim().length > 1,
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setOpen((open) => !open);
      } else if (event.key === "Escape") setOpen(false);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    if (isOpen) input.current?.focus();
    setAt(0);
  }, [isOpen, words]);
  if (!isOpen) return null;
  const places = [
    ...pages.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase())),
    ...(found.data?.runs ?? []).map((run) => ({ name: `${run.pack}: ${run.subject}`, path: `/runs/${run.id}` })),
  ];
  const open = (path: string) => {
    setOpen(false);
    setWords("");
    go(path);
  };
  return (
    <div className="palette" role="dialog" aria-label="Jump to">
      <input
        ref={input}
        value={words}
        placeholder="Jump to a page or a run"
        aria-label="Jump to a page or a run"
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(places.length - 1, at + 1));
          if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
          const place = places[at];
          if (event.key === "Enter" && place) open(place.path);
        }}
      />
      <ul role="listbox" aria-label="Places">
        {places.map(({ name, path }, index) => (
          <li key={path} role="option" aria-selected={index === at}>
            <button tabIndex={-1} onClick={() => open(path)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
