/** Closed classes of words that the parts of a sentence turn on. */

/** A set of the words of a list. */
export function toWordSet(list: string): Set<string> {
  return new Set(list.trim().split(/\s+/));
}

export const contrastWords = toWordSet(
  "but yet although though while whereas however except despite nevertheless nonetheless",
);

export const experiencerVerbs = toWordSet(
  `love like enjoy hate adore recommend appreciate prefer dislike despise detest loathe admire praise regret avoid
  crave miss applaud cherish commend complain rave worry doubt fear favor`,
);

export const feelingWords = toWordSet(
  `happy pleased satisfied impressed disappointed delighted thrilled dissatisfied unhappy upset annoyed frustrated
  excited amazed surprised shocked bored unimpressed underwhelmed content glad grateful fan sick tired angry mad sorry
  wowed disgusted great complaint complaints problem problems issue issues trouble fond hooked addicted`,
);

/** The speaker and those who came along: who judges, not what is judged. */
export const companyWords = toWordSet(
  `i we you me us one everyone everybody anyone someone people my husband wife friend friends boyfriend girlfriend
  family kids party group date customers customer guests guest patrons mom dad sister brother daughter son cousin
  colleague colleagues companion tourists reviewers`,
);

/** Nouns that stand for whatever is spoken of: "a great choice". */
export const genericHeads = toWordSet(
  `place spot restaurant joint choice option value deal experience thing things way one ones stuff product item part
  addition touch idea example feature job bit piece side note time lot find buy purchase bet treat hit point highlight
  aspect drawback complaint problem reason fan machine`,
);

/** What puts something bad right, or keeps it away. */
export const remedyVerbs = toWordSet(
  `fix solve resolve cure remedy eliminate remove reduce prevent protect repair correct mend rectify relieve minimize
  overcome sorted rid gone`,
);

/** Nouns that measure or describe what follows "of". */
export const collectionNouns = toWordSet(
  `selection variety choice choices range list portion portions plate bowl glass amount array piece slice kind type sort
  bit lot assortment quality taste flavor texture presentation number combination mix quantity sound size price side
  bottle cup level serving order pair set couple`,
);
