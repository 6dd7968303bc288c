const initials = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".split("");
const vowels = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ".split("");
const finals = ["", ..."ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ".split("")];

/** A Hangul syllable in its letters: initial, vowel, final ("" without one); null for anything else. */
export function lettersOf(syllable: string): [string, string, string] | null {
  const code = syllable.charCodeAt(0) - 0xac00;
  if (code < 0 || code >= 11172) return null;
  return [
    initials[Math.floor(code / 588)] as string,
    vowels[Math.floor((code % 588) / 28)] as string,
    finals[code % 28] as string,
  ];
}

/** The syllable of three letters. */
export function joinLetters(initial: string, vowel: string, final: string): string {
  return String.fromCharCode(
    0xac00 + initials.indexOf(initial) * 588 + vowels.indexOf(vowel) * 28 + finals.indexOf(final),
  );
}

/** A text in its letters, so that "더러웠" starts with "더러워". */
export function spell(text: string): string {
  let spelt = "";
  for (const char of text) spelt += lettersOf(char)?.join("") ?? char;
  return spelt;
}
