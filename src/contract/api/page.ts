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

export type RunPage = Page & {
  outcome: { word: string; tone: Tone };
  headline: Record<string, string>;
  reasons: string[];
  figures: string;
  goesOn: { before: string; command: string; after: string } | null;
  sections: Section[];
  story: Story;
  positions: PositionItem[];
  turns: TurnItem[];
  end: Section[];
};

export type PageRenderer = {
  renderDocument(page: DocumentPage): string;
  renderRun(page: RunPage): string;
};
