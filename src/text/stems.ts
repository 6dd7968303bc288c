import { readFileSync } from "node:fs";

const forms = JSON.parse(
  readFileSync(new URL("../../data/text/irregular-forms.json", import.meta.url), "utf8"),
) as Record<string, string>;

export const irregularForms: ReadonlyMap<string, string> = new Map(
  Object.entries(forms).flatMap(([word, others]) => others.split(" ").map((form): [string, string] => [form, word])),
);

const suffixes = ["ations", "ation", "ments", "ment", "ings", "ing", "edly", "ies", "ed", "es", "s"];

/** Reduces an English word to its stem; light, but enough to equate "exhausted", "exhausts" and "exhausting". */
export function stemEnglish(word: string): string {
  for (const suffix of suffixes) {
    if (!word.endsWith(suffix) || word.length - suffix.length < 3 || word.endsWith("ss")) continue;
    const root = word.slice(0, -suffix.length);
    return (suffix === "ies" ? `${root}y` : root).replace(/([^aeiouls])\1$/, "$1").replace(/(?<=.{3})e+$/, "");
  }
  return word.replace(/(?<=.{3})e+$/, "");
}

/** Endings of verbs and the copula, longest first; what they are added to is the stem. */
const endings =
  `이었습니다 였습니다 하였습니다 했습니다 습니까 습니다 입니까 입니다 이에요 예요 인가요 은가요 는가요 나요 까요 세요 어요 아요 해요 이며 하며 으며 이다 한다 는다 되나요 됩니다 된다 하다 합니다 합니까 됩니까`
    .split(" ")
    .toSorted((a, b) => b.length - a.length);

/** Particles; a short one is taken off only where enough of the word remains. */
const particles =
  `에서부터 으로부터 에서는 에게서 까지는 부터는 이라고 에서 에게 한테 께서 까지 부터 으로 마다 보다 처럼 이나 라고 은 는 을 를 에 이 가 의 도 로 와 과 만`
    .split(" ")
    .toSorted((a, b) => b.length - a.length);
const shortest = new Map<string, number>("이 가 의 도 로 와 과 만".split(" ").map((particle) => [particle, 2]));

/** The stem of a Korean word: without particles, without the ending of a verb, and without a final sound that belongs to the ending (쉽니다, 쉬나요 → 쉬). */
export function stemKorean(word: string): string {
  const ending = endings.find((one) => word.length > one.length && word.endsWith(one));
  if (ending !== undefined) return word.slice(0, -ending.length);
  const polite = /^(.*)([가-힣])니[다까]$/.exec(word);
  if (polite && finalOf(polite[2] ?? "") === finalB) return `${polite[1]}${withoutFinal(polite[2] ?? "")}`;
  const [root, particle] = dropParticle(word);
  return auxiliary.has(particle) ? dropParticle(root)[0] : root;
}

/** Particles that stand behind others: 에는, 까지만, 에서도. */
const auxiliary = new Set("은 는 도 만".split(" "));

function dropParticle(word: string): [root: string, particle: string] {
  const found =
    particles.find((one) => word.endsWith(one) && word.length - one.length >= (shortest.get(one) ?? 1)) ?? "";
  return [word.slice(0, word.length - found.length), found];
}

export function isKorean(word: string): boolean {
  return /\p{Script=Hangul}/u.test(word);
}

const firstSyllable = 0xac_00;
const finals = 28;
const finalB = 17;

function finalOf(syllable: string): number {
  return ((syllable.codePointAt(0) ?? firstSyllable) - firstSyllable) % finals;
}

function withoutFinal(syllable: string): string {
  return String.fromCodePoint((syllable.codePointAt(0) ?? firstSyllable) - finalOf(syllable));
}
