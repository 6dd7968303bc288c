import type { PromptLanguage } from "../../contract/prompt.ts";
import type { Section } from "../../contract/view.ts";
import {
  explainNoChange,
  explainUntried,
  formatLever,
  type Lever,
  type WhatWouldChange,
} from "../redecide/what-would-change.ts";
import type { ExportPage } from "./export-page.ts";

/** How many of a pack's sections say what was decided; what would change it comes after them. */
const leading = 2;

/**
 * What a run's documents show before the debate: the pack's sections, and among them, in their language, what would
 * change the decision and what it hangs on.
 */
export function pickMainSections({
  sections,
  change,
  why,
  language,
}: Pick<ExportPage, "sections" | "change" | "why" | "language">): Section[] {
  const levers = change === null ? [] : [changeSection(change, words[language])];
  return [...sections.slice(0, leading), ...levers, ...why, ...sections.slice(leading)];
}

type Words = {
  title: string;
  note: string;
  columns: [setting: string, flips: string];
  none(change: WhatWouldChange): string;
  /** Which settings were not tried in full; nothing when all were. */
  untried(change: WhatWouldChange): string;
  directions: Record<NonNullable<Lever["direction"]>, string>;
};

const words: Record<PromptLanguage, Words> = {
  en: {
    title: "What would change it",
    note: "Over the same recorded turns, one setting at a time.",
    columns: ["setting", "what would change"],
    none: explainNoChange,
    untried: explainUntried,
    directions: { "or more": "or more", "or less": "or less" },
  },
  id: {
    title: "Yang akan mengubahnya",
    note: "Atas giliran yang sama, satu setelan setiap kali.",
    columns: ["setelan", "yang berubah"],
    untried: sayUntriedInIndonesian,
    none: ({ tried, untried }) =>
      tried === 0 || untried.length > 0
        ? `Tidak ada setelan yang dicoba atas giliran yang tercatat yang mengubahnya. ${sayUntriedInIndonesian({ untried })}`.trim()
        : `Tidak satu pun dari ${tried} setelan yang dapat dijawab giliran yang tercatat: hanya giliran lain yang dapat.`,
    directions: { "or more": "atau lebih", "or less": "atau kurang" },
  },
  ko: {
    title: "무엇이 결정을 바꾸는가",
    note: "기록된 같은 차례에서 설정을 하나씩 바꿨을 때.",
    columns: ["설정", "바뀌는 것"],
    untried: sayUntriedInKorean,
    none: ({ tried, untried }) =>
      tried === 0 || untried.length > 0
        ? `기록된 차례로 시험한 설정 중 바꾸는 것이 없습니다. ${sayUntriedInKorean({ untried })}`.trim()
        : `기록된 차례로 답할 수 있는 설정 ${tried}개 중 어느 것도 바꾸지 않습니다. 다른 차례만이 바꿀 수 있습니다.`,
    directions: { "or more": "이상", "or less": "이하" },
  },
};

type Untried = Pick<WhatWouldChange, "untried">;

function sayUntriedInIndonesian({ untried }: Untried): string {
  return untried.length === 0 ? "" : `Debat ini terlalu panjang untuk mencoba semua nilai dari ${untried.join(", ")}.`;
}

function sayUntriedInKorean({ untried }: Untried): string {
  return untried.length === 0 ? "" : `토론이 길어 다음 설정은 모든 값을 시험하지 못했습니다: ${untried.join(", ")}.`;
}

/** Which single setting would flip the decision over the same turns. */
function changeSection(change: WhatWouldChange, said: Words): Section {
  const { title, note, columns, none, untried, directions } = said;
  const head = { title, id: "change" };
  if (change.levers.length === 0)
    return {
      ...head,
      kind: "text",
      text: none(change),
    };
  const write = (lever: Lever): string => {
    const direction = lever.direction === null ? "" : ` ${directions[lever.direction]}`;
    return `${formatLever({ ...lever, direction: null })}${direction}`;
  };
  return {
    ...head,
    kind: "table",
    note: [note, untried(change)].filter(Boolean).join(" "),
    columns: [...columns],
    rows: change.levers.map((lever) => [
      write(lever),
      lever.flips.map(({ name, before, after }) => `${name}: ${before} → ${after}`).join("; "),
    ]),
  };
}
