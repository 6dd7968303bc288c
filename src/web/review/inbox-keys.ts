import { useEffect } from "react";

export type InboxKeys = { next(): void; back(): void; hide(): void };

/** The inbox without a mouse: j and k move, s skips, enter goes to the form, 1–9 choose, c comments, t takes, b hides. */
export function useInboxKeys({ next, back, hide }: InboxKeys): void {
  useEffect(() => {
    const plain: Record<string, () => void> = {
      j: next,
      s: next,
      k: back,
      b: hide,
      t: () => find("[data-take]")?.click(),
      c: () => find("[data-comment], textarea")?.focus(),
      Enter: () => findOpen()?.focus(),
    };
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        find("[data-send]")?.click();
        return;
      }
      const isWriting = target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
      if (isWriting && event.key === "Escape") target.blur();
      if (isWriting || event.metaKey || event.ctrlKey || event.altKey) return;
      if (/^[1-9]$/.test(event.key)) choose(Number(event.key));
      const act = event.key === "Enter" && target.matches("button, a, input, summary") ? undefined : plain[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [next, back, hide]);
}

function find(selector: string): HTMLElement | null {
  return document.querySelector(`.inbox-answer :is(${selector})`);
}

/** The first field to fill in: the name only while nobody has given one. */
function findOpen(): HTMLElement | null {
  const name = document.querySelector<HTMLInputElement>("#reviewer");
  return name?.value.trim() === "" ? name : find("[data-choices] input, .field input:not(#reviewer), textarea");
}

/** Chooses in the question that has the focus, or in the first. */
function choose(number: number): void {
  const held = document.activeElement?.closest("[data-choices]");
  const question = held ?? document.querySelector(".inbox-answer [data-choices]");
  question?.querySelectorAll("input")[number - 1]?.click();
}
