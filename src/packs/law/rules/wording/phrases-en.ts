import type { Evidence } from "../../../../knowledge/law/index.ts";
import type { Phrases } from "./phrases.ts";
import { stripStop, writeCommunity, writeInline } from "./sentence.ts";

const sides = { NLA: "national law", ALA: "adat law" } as const;

/** The experts' words in English. */
export const english: Phrases = {
  accordingTo: (title, statement) => `According to ${writeInline(title, statement)}: ${stripStop(statement)}.`,
  applied: (statements) =>
    statements.length > 0 ? [`On the facts of this question: ${statements.map(stripStop).join("; ")}.`] : [],
  under: (assumptions, statement) =>
    assumptions.length > 0 ? `${statement} (${assumptions.map(stripStop).join("; ")}.)` : statement,
  opening: (agent) => `The answer of ${sides[agent]}, made of paraphrases of its sources.`,
  nothingKnown: (agent) => `This knowledge base has no rule of ${sides[agent]} that bears on this question.`,
  notInKnowledge: (provision) =>
    `${provision} is not in this knowledge base; that does not mean that it does not exist.`,
  unconfirmed: (title) => `${title}: its source is unconfirmed.`,
  except: (clauses) => `Unless ${clauses.join(", or ")}`,
  onlyIf: (clauses, statement) => `If ${clauses.join(", or ")}: ${statement}`,
  unconfirmedSource: () => "Rests on an unconfirmed source.",
  bindsOnly: (item) => writeBound(item),
  noEvidence: () => "it has no valid evidence",
  openCritique: (critique, description) => `critique ${critique} is still open: ${description}`,
  notAsked: () => "not what is asked; noted as background",
  regime: (item) => writeRegime(item),
  dissent: (clashes, disputed) =>
    [
      clashes.length > 0 ? `Both sides keep their reading (${clashes.join(", ")}).` : "",
      disputed.length > 0 ? `Disputed claims: ${disputed.join(", ")}.` : "",
    ]
      .filter(Boolean)
      .join(" "),
  disclaimer: () =>
    "This is not legal advice. The built-in sources are paraphrased; check the official texts and ask a lawyer.",
  clash: (issue, claim) => ({
    description: `Conflicts with ${claim}: ${stripStop(issue)}.`,
    suggested_fix: "Say on what ground this norm is the one to apply, or limit the claim to those it binds.",
  }),
  overridden: (issue, claim) => ({
    description: `Does not say what decides: ${stripStop(issue)} (${claim}).`,
    suggested_fix: "Say that this rule decides whatever adat says.",
  }),
  limit: (issue, titles) => ({
    description: `Leaves out ${titles}: ${stripStop(issue)}.`,
    suggested_fix: "Give way to it, or show from the question that it does not apply.",
  }),
  omission: (issue, titles) => ({
    description: `Left out: ${titles}. ${stripStop(issue)}.`,
    suggested_fix: "Add what this source says, or say why it does not bear on the question.",
  }),
  unasked: (agent) => ({
    description: `The question is not one of ${sides[agent]}: nobody invokes this norm.`,
    suggested_fix: "Drop the claim, or show where the question calls for it.",
  }),
  fewerCritiques: () => "No further defect was found in the other side's claims and their sources.",
  defects: {
    unsupported: () => ({
      description: "This claim cites no valid evidence at all.",
      suggested_fix: "Cite evidence from the list, or drop the claim.",
    }),
    sourceMismatch: (titles) => ({
      description: `What the claim says is not in the evidence it cites (${titles}).`,
      suggested_fix: "State only what the source says.",
    }),
    numberMismatch: (numbers) => ({
      description: `The number ${numbers} is not in the evidence cited.`,
      suggested_fix: "Use the source's number, or leave it out.",
    }),
    foreignRegime: (titles, scopes) => ({
      description: `${titles} does not bind the people of this case: ${stripStop(scopes)}.`,
      suggested_fix: "Drop that source, or say why it is used beyond its reach.",
    }),
    unstatedScope: (titles, scopes) => ({
      description: `${titles} binds only some people, and the claim does not say so: ${stripStop(scopes)}.`,
      suggested_fix: `Add the assumption: ${stripStop(scopes)}.`,
    }),
    unconfirmedOnly: (titles) => ({
      description: `The claim rests only on unconfirmed sources (${titles}).`,
      suggested_fix: "Say that its source is unconfirmed and lower the confidence.",
    }),
    presumption: (clauses) => ({
      description: `The conclusion presumes what the question does not say: that it is not so that ${clauses.join("; or ")}.`,
      suggested_fix: `Add the assumption: unless ${clauses.join(", or ")}.`,
    }),
    disputedGround: (clauses) => ({
      description: `The claim takes for granted what the question says is disputed or not known: ${clauses.join("; ")}.`,
      suggested_fix: `Limit the claim: only if ${clauses.join(", or ")}.`,
    }),
    overconfident: (stated, supported) => ({
      description: `A confidence of ${stated} is more than the independent sources support (${supported}).`,
      suggested_fix: `Lower the confidence to ${supported}.`,
    }),
  },
  verdicts: {
    dropped: () => "The claim was dropped.",
    bothStand: () => "The conflict is real: both readings rest on sources that bind, and neither gives way.",
    released: () => "This side no longer claims the norm that it brought.",
    yielded: () => "The claim now says which norm decides.",
    mended: () => "The claim was mended.",
    unanswered: () => "The conflict was not explained on evidence.",
    added: () => "What was left out has been added.",
    cited: () => "The question itself cites this source.",
    notAdded: () => "What was left out is still missing.",
    ruledOut: () => "The question itself says that what this limit turns on is not so.",
    unlimited: (issue) => `The claim still does not say: ${stripStop(issue)}.`,
    decides: () => "This rule decides whatever adat says, so the question calls for it.",
    reconciled: () => "What reconciles the two norms comes closer to the question than their conflict.",
    overridden: () => "National law settles this whatever adat says, and the claim does not say so.",
  },
  responses: {
    alreadyDropped: () => "That claim was dropped already.",
    mended: (fix) => `Accepted. ${fix}`,
    dropped: (why) => `Accepted, the claim is dropped. ${why}`,
    supported: (titles) => `The claim follows its source: ${titles}.`,
    yields: (titles) => `Accepted: ${titles} settles this whatever adat says.`,
    yielding: (titles) => `Without prejudice to ${titles}`,
    givesWay: (titles) => `Accepted: the claim gives way to ${titles}.`,
    ruledOut: (titles) => `${titles} does not apply: the question says that what it turns on is not so.`,
    decides: (issues) => `The question calls for it: ${stripStop(issues)}.`,
    reconciled: (issues) => `The two norms do not conflict in this case: ${stripStop(issues)}.`,
    adds: (titles) => `Accepted: ${titles} is added.`,
    unrelated: (titles) =>
      titles
        ? `That source does not bear on what is claimed, which rests on ${titles}.`
        : "This side claims nothing that the source could bear on.",
    asked: (titles) => `The question itself cites ${titles}.`,
    notAsked: (agent) => `Accepted, the claim is dropped: the question does not call for ${sides[agent]}.`,
    keepsReading: (agent, titles, bridges) =>
      `${titles} is a source of ${sides[agent]} for those it binds; the other side's norm binds under another regime and does not set it aside.${
        bridges ? ` How the two laws meet is governed among others by ${bridges}.` : ""
      }`,
  },
  reasons: {
    nothing: () => "No claim with evidence bears on this question.",
    unknownProvision: () => "The question rests on a provision that is not in this knowledge base.",
    unknownAdat: (gaps) => `The question calls for what this knowledge base does not hold: ${gaps}.`,
    onlyNational: () => "Only national law answers this question.",
    onlyAdat: () => "Only adat law answers this question.",
    pureNational: () => "The question is one of national law; adat norms are background.",
    pureAdat: () => "The question is an internal matter of adat; national rules are background.",
    overriding: (issues) => `National law settles this: ${issues}.`,
    clash: (issue) => `The two laws answer differently: ${stripStop(issue)}.`,
    claimedBoth: () => "The parties claim under two different laws over the same thing.",
    agreement: (issues) => `The two laws agree: ${stripStop(issues)}.`,
    reference: (issues) => `National law points to adat: ${issues}.`,
    alike: () => "Both laws speak to this, and nothing shows that they lead to different results.",
    disputed: (clauses) =>
      `The answer turns on facts that are disputed or not known, and a debate cannot prove them: ${clauses.join("; ")}.`,
  },
  answer: {
    unknown: (provisions) =>
      `${provisions.map((one) => `"${one}"`).join(", ")} is not in this knowledge base. That does not mean that the provision does not exist, but what it says cannot be answered from here.`,
    positionLine: (position) =>
      ({
        A: "Position A: national law decides the answer.",
        B: "Position B: adat law decides the answer.",
        C: "Position C: national and adat law both apply and answer differently; which one governs depends on the regime that binds the parties.",
        D: "Position D: there is not enough to answer.",
        E: "Position E: national and adat law lead to the same result.",
      })[position],
    insufficient: (known) =>
      known.length > 0
        ? `What is asked is not in this knowledge base. The nearest provisions it has: ${[...new Set(known)].join("; ")}. What is missing: the text of the provision asked about, or another source on it.`
        : "What is asked is not in this knowledge base, which covers inheritance, marriage, gifts, wills, land, and Minangkabau, Balinese, Javanese and Batak adat. What is missing: a provision or norm on the subject of this question.",
    gaps: (gaps) =>
      `Not covered by this knowledge base: ${gaps.join("; ")}. Norms of other peoples or fields are not put in their place.`,
    national: () => "The reading of national law:",
    adat: (communities) =>
      `The reading of adat law${communities.length > 0 ? ` (${communities.map(writeCommunity).join(", ")})` : ""}:`,
    clashes: (issues) => `Where they differ: ${issues.map(stripStop).join("; ")}.`,
    limits: (assumptions) => `Within these limits: ${assumptions.map(stripStop).join("; ")}.`,
    agreed: (issues) => `Where they agree: ${stripStop(issues)}.`,
    depends: (questions) => `Not known, and could change the answer: ${questions.map(stripStop).join("; ")}.`,
    disputed: (clauses) =>
      `To be established first, since it is disputed or not known: ${clauses.join("; ")}. So a person should review this.`,
    humanReview: (reasons) => `A person should review this (${reasons.join("; ")}).`,
  },
};

function writeBound(item: Evidence): string {
  if (item.community) return `Applies in ${writeCommunity(item.community)} adat society`;
  return item.regime === "islamic" ? "Applies to Muslims" : "Applies to those subject to it";
}

function writeRegime(item: Evidence): string {
  if (item.regime === "adat") return `${writeCommunity(item.community ?? "")} adat law`.trim();
  if (item.regime === "civil_code") return "Civil Code (for those subject to it)";
  return item.regime === "islamic" ? "Islamic law/KHI (for Muslims)" : "national law (binding on all)";
}
