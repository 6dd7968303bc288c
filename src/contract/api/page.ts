import type { TurnItem } from "./runs.ts";
import type { FrameWords } from "../frame-words.ts";
import type { PositionItem, Story } from "../story.ts";
import type { Section, Tone } from "../view.ts";

type Page = {
  title: string;
  language: string;
  from: string;
  foot: string;
  words: FrameWords;
};

export type DocumentPage = Page & { intro: string; sections: Section[] };

/** A turn with every raw reply; `prompt` is the number of the last piece sent. */
export type PageTurn = TurnItem & { raw: string[]; prompt: number };

export type RunPage = Page & {
  outcome: { word: string; tone: Tone };
  headline: Record<string, string>;
  reasons: string[];
  figures: string;
  goesOn: { before: string; command: string; after: string } | null;
  sections: Section[];
  story: Story;
  positions: PositionItem[];
  turns: PageTurn[];
  end: Section[];
  /** Pieces of the prompts, each once; `parent` is the number of the piece before. */
  pieces: { parent: number | null; text: string }[];
};

export type PageRenderer = {
  renderDocument(page: DocumentPage): string;
  renderRun(page: RunPage): string;
};
