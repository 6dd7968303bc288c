type Expectation = { asked: RegExp; found: RegExp };

/** What a question word asks for, and what a sentence that answers it looks like. */
const expectations: Expectation[] = [
  {
    asked: /\b(?:why|what (?:caused|causes|led)|cause of|reason)\b/i,
    found:
      /\b(?:because|caus\w+|due to|owing to|led to|result\w* (?:in|from)|blam\w+|responsible|so that|therefore|in order to)\b/i,
  },
  {
    asked: /\b(?:how (?:many|much|old|long|far|high|tall|often)|percentage|price|cost)\b/i,
    found: /\p{N}|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million)\b/iu,
  },
  {
    asked: /\b(?:when|what (?:year|date|time)|which year)\b/i,
    found:
      /\b(?:1\d{3}|20\d{2})\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/i,
  },
  { asked: /\b(?:who|whom|whose)\b/i, found: /(?<=\S\s)\p{Lu}\p{Ll}+/u },
  { asked: /\bwhere\b/i, found: /\b(?:in|at|on|near|from|to)\s+(?:the\s+)?\p{Lu}\p{Ll}+/u },
];

/** True when a sentence holds the kind of thing that the question asks for: a cause, an amount, a time, a person, a place. */
export function isExpected(sentence: string, question: string): boolean {
  return expectations.some(({ asked, found }) => asked.test(question) && found.test(sentence));
}
