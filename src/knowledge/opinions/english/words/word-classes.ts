/** Closed classes of words that the relations of a clause turn on. */

const words = (list: string) => new Set(list.split(/\s+/));

export const linkingVerbs = words(
  "be seem look taste smell sound feel become get stay remain appear turn come arrive run go keep prove",
);

export const possessingVerbs = words(
  "have offer provide boast feature serve make take give produce contain include use deliver bring do get",
);

export const experiencerVerbs = words(
  "love like enjoy hate adore recommend appreciate prefer dislike despise detest loathe admire praise regret avoid crave miss applaud cherish commend complain rave worry doubt fear favor",
);

export const feelingWords = words(
  "happy pleased satisfied impressed disappointed delighted thrilled dissatisfied unhappy upset annoyed frustrated excited amazed surprised shocked bored unimpressed underwhelmed content glad grateful fan sick tired angry mad sorry wowed disgusted great complaint complaints problem problems issue issues trouble fond hooked addicted",
);

export const companyWords = words(
  "i we you me us one everyone everybody anyone someone people my husband wife friend friends boyfriend girlfriend family kids party group date customers customer guests guest patrons mom dad sister brother daughter son cousin colleague colleagues companion tourists reviewers",
);

export const genericHeads = words(
  "place spot restaurant joint choice option value deal experience thing things way one ones stuff product item part addition touch idea example feature job bit piece side note time lot find buy purchase bet treat hit point highlight aspect drawback complaint problem reason fan job machine",
);
