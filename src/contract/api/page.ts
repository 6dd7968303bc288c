import type { TurnItem } from "./runs.ts";
import type { FrameWords } from "../frame-words.ts";
import type { PositionItem, Story } from "../story.ts";
import type { Section, Tone } from "../view.ts";

/** A page that stands alone in a file: no script, nothing fetched. */
type Page = {
  title: string;
  language: string;
  /** A line above the title: where the page comes from. */
  from: string;
  foot: string;
  words: FrameWords;
};

/** Sections under a title, such as a study's report. */
export type DocumentPage = Page & { intro: string; sections: Section[] };

/** A turn with every raw reply, and the number of the last piece of what was sent. */
export type PageTurn = TurnItem & { raw: string[]; prompt: number };

/** A run with everything that was said, sent and decided. */
export type RunPage = Page & {
  outcome: { word: string; tone: Tone };
  /** What a reader acts on, by name. */
  headline: Record<string, string>;
  reasons: string[];
  /** Turns, cost, time and cast in one line. */
  figures: string;
  /** How a run that has not ended goes on: what to type, and the words around it. */
  goesOn: { before: string; command: string; after: string } | null;
  sections: Section[];
  story: Story;
  positions: PositionItem[];
  turns: PageTurn[];
  /** What the rules noted and what it cost. */
  end: Section[];
  /** What was sent, each piece once; `parent` is the number of the piece before. */
  pieces: { parent: number | null; text: string }[];
};

/** The viewer's components without a browser: pages as the text of an HTML file. */
export type PageRenderer = {
  renderDocument(page: DocumentPage): string;
  renderRun(page: RunPage): string;
};
