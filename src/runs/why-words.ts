import type { PromptLanguage } from "../contract/prompt.ts";

type Values = { from: string; to: string };
type Titled = [title: string, note: string];

/** What is said about what a decision hangs on, in one language. */
export type WhyWords = {
  question: string;
  decision: string;
  onNone(all: number): string;
  onSome(some: number, all: number): string;
  tried(times: number): string;
  untried(changes: number): string;
  needed(turns: number): string;
  noSet: string;
  turns: Titled;
  parts: Titled;
  scores: Titled;
  settings: Titled;
  columns: [change: string, then: string];
  more(rows: number): string;
  together(changes: number): string;
  proven: string;
  unproven: string;
  silent(turn: string): string;
  unsaid(turn: string, part: string): string;
  scored(turn: string, score: string, values: Values): string;
  set(setting: string, values: Values): string;
};

const english: WhyWords = {
  question: "What does the decision hang on?",
  decision: "the decision",
  onNone: (all) => `on no single turn of the ${all}`,
  onSome: (some, all) => `on ${some} of ${all} turns, each by itself`,
  tried: (times) =>
    `The rules were run ${times} times over the recorded turns; nobody was asked again: the other speakers repeat what they said.`,
  untried: (changes) => `${changes} more changes were left untried: the debate is too long to try them all.`,
  needed: (turns) =>
    `${turns} ${turns === 1 ? "turn" : "turns"} cannot be left out: the debate would then need turns that were never held.`,
  noSet: "No set of changes was found that flips it.",
  turns: ["Turns it hangs on", "if this turn were silent"],
  parts: ["Claims, quotes and other parts it hangs on", "without this part"],
  scores: ["Scores that would flip it", "one score at a time, the nearest value"],
  settings: ["Settings that would flip it", "one setting at a time"],
  columns: ["change", "then"],
  more: (rows) => `${rows} more are not shown here`,
  together: (changes) => `The smallest change that flips it: ${changes} together`,
  proven: "Every smaller set was tried and does not.",
  unproven: "None of them can be spared, but not every smaller set was tried.",
  silent: (turn) => `${turn} is silent`,
  unsaid: (turn, part) => `${turn} does not say ${part}`,
  scored: (turn, score, { from, to }) => `${turn} says ${score} ${to} instead of ${from}`,
  set: (setting, { from, to }) => `${setting} is ${to} instead of ${from}`,
};

const indonesian: WhyWords = {
  question: "Putusan ini bergantung pada apa?",
  decision: "putusan",
  onNone: (all) => `tidak pada satu giliran pun dari ${all}`,
  onSome: (some, all) => `pada ${some} dari ${all} giliran, masing-masing sendiri`,
  tried: (times) =>
    `Aturan dijalankan ${times} kali atas giliran yang tercatat; tidak ada yang ditanya lagi: pembicara lain mengulang ucapannya.`,
  untried: (changes) => `${changes} perubahan lain tidak dicoba: debat ini terlalu panjang untuk mencoba semuanya.`,
  needed: (turns) =>
    `${turns} giliran tidak dapat dihilangkan: debat akan memerlukan giliran yang tidak pernah berlangsung.`,
  noSet: "Tidak ditemukan gabungan perubahan yang membalikkannya.",
  turns: ["Giliran yang menentukan", "seandainya giliran ini diam"],
  parts: ["Klaim, kutipan, dan bagian lain yang menentukan", "tanpa bagian ini"],
  scores: ["Nilai yang akan membalikkannya", "satu nilai setiap kali, yang terdekat"],
  settings: ["Setelan yang akan membalikkannya", "satu setelan setiap kali"],
  columns: ["perubahan", "akibatnya"],
  more: (rows) => `${rows} lagi tidak ditampilkan di sini`,
  together: (changes) => `Perubahan terkecil yang membalikkannya: ${changes} sekaligus`,
  proven: "Setiap gabungan yang lebih kecil sudah dicoba dan tidak membalikkannya.",
  unproven: "Tidak satu pun dapat ditiadakan, tetapi belum semua gabungan yang lebih kecil dicoba.",
  silent: (turn) => `${turn} diam`,
  unsaid: (turn, part) => `${turn} tidak mengatakan ${part}`,
  scored: (turn, score, { from, to }) => `${turn} mengatakan ${score} ${to}, bukan ${from}`,
  set: (setting, { from, to }) => `${setting} menjadi ${to}, bukan ${from}`,
};

const korean: WhyWords = {
  question: "이 결정은 무엇에 달려 있는가?",
  decision: "결정",
  onNone: (all) => `차례 ${all}개 중 하나에만 달려 있지는 않음`,
  onSome: (some, all) => `차례 ${all}개 중 ${some}개에 각각 달려 있음`,
  tried: (times) =>
    `기록된 차례에 규칙을 ${times}번 다시 적용했습니다. 다시 묻지 않았고, 다른 참여자는 했던 말을 그대로 반복합니다.`,
  untried: (changes) => `토론이 길어 변경 ${changes}개는 시험하지 못했습니다.`,
  needed: (turns) => `차례 ${turns}개는 뺄 수 없습니다. 빼면 열린 적 없는 차례가 필요해집니다.`,
  noSet: "결정을 뒤집는 변경의 조합을 찾지 못했습니다.",
  turns: ["결정이 달린 차례", "이 차례가 없었다면"],
  parts: ["결정이 달린 주장, 인용 등", "이 부분이 없었다면"],
  scores: ["결정을 뒤집을 점수", "한 번에 점수 하나, 가장 가까운 값"],
  settings: ["결정을 뒤집을 설정", "한 번에 설정 하나"],
  columns: ["변경", "결과"],
  more: (rows) => `${rows}개는 여기에 표시하지 않음`,
  together: (changes) => `결정을 뒤집는 가장 작은 변경: ${changes}개를 함께`,
  proven: "더 작은 조합은 모두 시험했고 뒤집지 못합니다.",
  unproven: "어느 것도 뺄 수 없지만, 더 작은 조합을 모두 시험하지는 않았습니다.",
  silent: (turn) => `${turn} 없음`,
  unsaid: (turn, part) => `${turn}에서 ${part} 없음`,
  scored: (turn, score, { from, to }) => `${turn}에서 ${score} ${from} 대신 ${to}`,
  set: (setting, { from, to }) => `${setting} ${from} 대신 ${to}`,
};

/** What is said, by language. */
export const whyWords: Record<PromptLanguage, WhyWords> = { en: english, id: indonesian, ko: korean };
