import type { WhyReply } from "../../contract/api/index.ts";
import type { Exhibit, Point, PositionItem, Story, StoryTurn } from "../../contract/story.ts";
import { sayName, showHidden } from "../text/words.ts";

export type Placed = { point: Point; turn: string; speaker: string; stage: number };

export type StoryIndex = {
  story: Story;
  points: Map<string, Placed>;
  turns: Map<string, { storyTurn: StoryTurn; stage: number }>;
  answeredBy: Map<string, string[]>;
  exhibits: Map<string, Exhibit>;
  usedBy: Map<string, string[]>;
  speakers: Map<string, number>;
};

export function indexStory(story: Story): StoryIndex {
  const index: StoryIndex = {
    story,
    points: new Map(),
    turns: new Map(),
    answeredBy: new Map(),
    exhibits: new Map(story.exhibits.map((exhibit) => [exhibit.id, exhibit])),
    usedBy: new Map(),
    speakers: new Map(),
  };
  for (const [stage, { turns }] of story.stages.entries())
    for (const storyTurn of turns) addTurn(index, storyTurn, stage);
  return index;
}

function addTurn(index: StoryIndex, storyTurn: StoryTurn, stage: number): void {
  const { speaker, turn, points } = storyTurn;
  index.turns.set(turn, { storyTurn, stage });
  if (!index.speakers.has(speaker)) index.speakers.set(speaker, index.speakers.size);
  for (const point of points) {
    index.points.set(point.id, { point, turn, speaker, stage });
    for (const id of point.answers ?? []) push(index.answeredBy, id, point.id);
    for (const id of point.uses ?? []) push(index.usedBy, id, point.id);
  }
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

export function listAnswered({ turns, points }: StoryIndex, turn: string): string[] {
  const storyTurn = turns.get(turn)?.storyTurn;
  const answered = (storyTurn?.points ?? []).flatMap(({ answers = [] }) =>
    answers.flatMap((id) => points.get(id) ?? []),
  );
  const others = answered.filter((placed) => placed.turn !== turn);
  return [...new Set(others.toSorted((a, b) => b.stage - a.stage).map((placed) => placed.turn))];
}

export function nameSpeaker({ turns, story }: StoryIndex, turn: string): string {
  const role = turn.slice(turn.lastIndexOf("/") + 1);
  if (story.names?.[role] !== undefined) return story.names[role];
  const storyTurn = [...turns].find(([id]) => id.slice(id.lastIndexOf("/") + 1) === role)?.[1].storyTurn;
  return storyTurn?.speaker ?? role.replaceAll(/[_-]+/g, " ");
}

export function nameRole(positions: readonly PositionItem[], index: StoryIndex, role: string): string {
  const said = findSpeaker(positions, index, role);
  const roles = new Set(positions.map((one) => one.role));
  const alike = [...roles].filter((one) => findSpeaker(positions, index, one) === said);
  const name = said === undefined ? sayName(role) : alike.length > 1 ? `${said}, ${sayName(role)}` : said;
  return showHidden(name.charAt(0).toUpperCase() + name.slice(1));
}

function findSpeaker(positions: readonly PositionItem[], { turns }: StoryIndex, role: string): string | undefined {
  const spoken = positions.find((one) => one.role === role && one.turn !== undefined)?.turn;
  return spoken === undefined ? undefined : turns.get(spoken)?.storyTurn.speaker;
}

export type Decisive = ReadonlyMap<string, string>;

export function sayDecisive(why: WhyReply | undefined): Decisive {
  return new Map(
    Object.entries(why?.flips ?? {}).map(([turn, flips]) => [
      turn,
      `without it: ${flips.map(({ name, before, after }) => `${sayName(name)} ${before} → ${after}`).join(", ")}`,
    ]),
  );
}
