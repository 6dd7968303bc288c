import { type AnchorHTMLAttributes, createContext, useContext } from "react";
import en from "../../../data/words/en.json" with { type: "json" };
import type { FrameWords, PageWords } from "../../contract/frame-words.ts";

export const PageContext = createContext<{ frame: FrameWords; isStatic: boolean }>({ frame: en, isStatic: false });

export function useWords(): PageWords {
  return useContext(PageContext).frame.page;
}

export function useIsStatic(): boolean {
  return useContext(PageContext).isStatic;
}

export type Go = (turn: string, point?: string) => void;

export const GoContext = createContext<Go | undefined>(undefined);

/** The element id of a thing on the page; different names give different ids. */
export function anchorOf(kind: "turn" | "point" | "exhibit", name: string): string {
  const safe = name.replaceAll(/[^\p{L}\p{N}_./-]/gu, (character) => `~${character.codePointAt(0)?.toString(36)}~`);
  return `${kind}-${safe}`;
}

type GoLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { turn: string; point?: string };

export function GoLink({ turn, point, children, ...rest }: GoLinkProps) {
  const go = useContext(GoContext);
  return (
    <a
      {...rest}
      href={`#${point === undefined ? anchorOf("turn", turn) : anchorOf("point", point)}`}
      onClick={(event) => {
        if (!go) return;
        event.preventDefault();
        go(turn, point);
      }}
    >
      {children}
    </a>
  );
}
