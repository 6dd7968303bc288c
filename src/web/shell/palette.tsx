import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { callApi } from "../../contract/api/client.ts";
import { guessLang, sayName, sayOutcome, showHidden } from "../text/words.ts";

type Place = { name: string; kind: string; path: string };

const pages: Place[] = [
  { name: "Runs", path: "/", kind: "page" },
  { name: "Studies", path: "/studies", kind: "page" },
  { name: "Inbox", path: "/inbox", kind: "page" },
  { name: "Start a debate", path: "/start", kind: "page" },
  { name: "Compare two runs", path: "/compare", kind: "page" },
  { name: "Fleet", path: "/fleet", kind: "page" },
  { name: "Doctor", path: "/doctor", kind: "page" },
];

const asked = "parley-jump";

/** Opens the palette from elsewhere. */
export function openPalette(): void {
  window.dispatchEvent(new Event(asked));
}

/** Ctrl-K or ⌘K: jump to a page, a study, or a run by its words or its id. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = () => {
      setOpen(true);
      dialog.current?.showModal();
    };
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      if (dialog.current?.open) dialog.current.close();
      else open();
    };
    window.addEventListener("keydown", onKey);
    window.addEventListener(asked, open);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener(asked, open);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Jump to"
      onClose={() => setOpen(false)}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      {isOpen && <Jump onGone={() => dialog.current?.close()} />}
    </dialog>
  );
}

function Jump({ onGone }: { onGone: () => void }) {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const [, go] = useLocation();
  const places = usePlaces(words);
  const open = (path: string) => {
    onGone();
    go(path);
  };
  const onKey = (event: React.KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(Math.min(places.length - 1, at + 1));
    else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
    else if (event.key === "Enter" && places[at]) open(places[at].path);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="places"
        aria-activedescendant={places[at] ? `place-${at}` : undefined}
        value={words}
        placeholder="Jump to a page, a study, or a run by its words"
        aria-label="Jump to a page, a study, or a run by its words"
        onChange={(event) => {
          setWords(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <ul role="listbox" aria-label="Places" id="places">
        {places.map(({ name, kind, path }, index) => (
          <li
            key={path}
            id={`place-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => open(path)}
            onMouseMove={() => setAt(index)}
          >
            <span lang={guessLang(name)}>{showHidden(name)}</span>
            <span className="secondary">{kind}</span>
          </li>
        ))}
      </ul>
      {places.length === 0 && <p className="secondary">Nothing is called that.</p>}
    </>
  );
}

/** What the words lead to: pages and studies by name, then runs; an id leads to its run. */
function usePlaces(words: string): Place[] {
  const sought = words.trim().toLowerCase();
  const runs = useQuery({
    queryKey: ["jump", sought],
    queryFn: () => callApi("listRuns", { query: { text: sought, limit: 8 } }),
    enabled: /[\p{L}\p{N}]{2}/u.test(sought),
    retry: false,
  });
  const studies = useQuery({ queryKey: ["studies"], queryFn: () => callApi("listStudies", {}) });
  const named = [
    ...pages,
    ...(studies.data?.ran ?? []).map(({ name }) => ({ name: sayName(name), kind: "study", path: `/studies/${name}` })),
  ].filter(({ name }) => name.toLowerCase().includes(sought));
  const isId = /^[0-9a-hjkmnp-tv-z]{7}-[0-9a-hjkmnp-tv-z]{6}$/.test(sought);
  return [
    ...(isId ? [{ name: sought, kind: "run", path: `/runs/${sought}` }] : []),
    ...named,
    ...(sought === "" ? [] : (runs.data?.runs ?? [])).map((run) => ({
      name: run.subject,
      kind: `${sayName(run.pack)}, ${sayOutcome(run.status, run.outcome).word}`,
      path: `/runs/${run.id}`,
    })),
  ];
}
