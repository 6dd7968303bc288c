/** Words that carry no answer, in English, Indonesian and Korean (as stems). Those that change a meaning (not, before, with…) are not among them. */
export const functionWords = new Set(
  `the a an of in on at to for from by is are was were be been being am it its this that these those there here do does did has have had
  and or as can could will would shall should may might must one ones so because since due them they he she we you i him her their our your
  my his hers about within per each every up until till than just only
  yang di ke dari pada untuk dengan oleh itu ini adalah ialah merupakan dan atau bahwa karena sebab akan telah sudah dapat bisa boleh para sebuah
  seorang adanya nya ya dalam selama hingga sampai setiap tiap
  것 수 및 등 있 되 된 하 할 한 이내 이다 그 이 저 매주 매일 때문`.split(/\s+/),
);

/** Words that deny. */
export const denials = new Set(
  `not no never none nobody nothing neither nor without cannot nt non tidak bukan belum jangan tanpa tak tiada 안 못 아니 아닙`.split(
    /\s+/,
  ),
);

/** Words that hold a denial within them, with the word that they deny. */
export const deniedWords = new Map(
  Object.entries({
    forbidden: "allowed",
    prohibited: "allowed",
    banned: "allowed",
    disallowed: "allowed",
    unlawful: "legal",
    illegal: "legal",
    impossible: "possible",
    unsafe: "safe",
    invalid: "valid",
    incorrect: "correct",
    untrue: "true",
    dilarang: "boleh",
    mustahil: "mungkin",
  }),
);

/** Other words for the same. */
export const sameWords = new Map(
  Object.entries({ permitted: "allowed", lawful: "legal", diperbolehkan: "boleh", dibolehkan: "boleh" }),
);

/** Names with other names. */
export const aliases: [RegExp, string][] = [
  [/\b(?:the )?united states(?: of america)?\b|\bu\.s\.a?\.?(?!\w)|\b(?:US|USA|Amerika Serikat)\b|미국/g, "USA"],
  [/\b(?:the )?united kingdom\b|\bu\.k\.(?!\w)|\b(?:UK|Great Britain|Britania Raya)\b|영국/g, "UK"],
  [/\b(?:the )?european union\b|\b(?:EU|Uni Eropa)\b|유럽연합/g, "EU"],
  [/\b(?:the )?united nations\b|\b(?:UN|PBB)\b|유엔/g, "UN"],
].map(([pattern, name]) => [new RegExp(pattern as RegExp, "gi"), name as string]);

/** How an answer says yes or no, at its beginning or as a whole. */
export const yesForms =
  /^(?:yes|yeah|yep|ya|iya|benar|betul|네|예|맞습니다|그렇습니다)(?![\p{L}])|^(?:(?:that|this|it)(?:'s| is) )?(?:correct|right|true)[.!]?$|^tentu saja/iu;
export const noForms =
  /^(?:no|nope|아니요|아니오|아닙니다|tidak|bukan|belum)(?:[\s]*[,.;:!–—-]|$)|^(?:(?:that|this|it)(?:'s| is) )?(?:incorrect|wrong|false|not (?:correct|true|right))[.!]?$/iu;

/** The words themselves, as they stand among the words of an answer. */
export const yesOrNo = new Set("yes yeah yep iya benar betul 네 예 맞 그렇 nope 아니요 아니오".split(" "));

/** Questions that ask for a person, for whom the last name is enough. */
export const asksForPerson = /\b(?:who|whom|whose|siapa)\b|누구|누가/i;
