/** What the checks and rules write down, in English. */
export const english = {
  /** What is wrong with a reply. */
  problems: {
    wrongAgent: (agent: string, said: string) => `you are ${agent}, not ${said}`,
    wrongCritic: (agent: string, said: string) => `you criticise as ${agent}, not ${said}`,
    wrongRound: (round: number, said: number) => `this is round ${round}, not ${said}`,
    unanswered: (id: string) => `critique ${id} has no response; say accepted or rejected, with a reason`,
    nobodyRaised: (id: string) => `nobody raised a critique ${id} of you`,
    noReason: (id: string) => `the response to ${id} gives no reason`,
    responseCites: (id: string, unknown: string) => `the response to ${id} cites ${unknown}, which was not retrieved`,
    idleEvidence: (id: string, idle: string) =>
      `the response to ${id} rejects it on ${idle}, which does not bear on the claim or the critique`,
    claimIdTwice: (id: string) => `claim id ${id} is used twice; give each claim its own`,
    placeholder: (id: string, copied: string) => `${id} cites ${copied}: a placeholder is no source`,
    claimCites: (id: string, unknown: string) =>
      `${id} cites ${unknown}, which was not retrieved; cite only ids of the evidence list`,
    noEvidence: (id: string) => `${id} cites no evidence`,
    inventedInClaim: (id: string, invented: string) => `${id} speaks of ${invented}, which was not retrieved`,
    inventedInText: (invented: string) => `this cites ${invented}, which nothing that you may cite speaks of`,
    tooManyClaims: (count: number, most: number, cut: string) =>
      `${count} claims, at most ${most} are allowed; cut: ${cut}`,
    selfCriticism: (other: string, said: string, ids: string) =>
      `your target is ${other}, not yourself; critiques of ${said} are struck: ${ids}`,
    critiqueCites: (id: string, unknown: string) => `${id} brings ${unknown}, which was not retrieved`,
    late: (ids: string) => `nobody can answer ${ids} any more; give verdicts only`,
    emptyField: (id: string, key: string) => `${id} has an empty ${key}; a critique that is not complete is struck`,
    critiqueIdTwice: (id: string) => `critique id ${id} is used twice; take the next free number`,
    noEarlier: (id: string) => `you have no earlier critique ${id}`,
    noVerdict: (id: string) => `say whether your critique ${id} is upheld or withdrawn`,
    tooFew: (count: number, least: number) =>
      `${count} critiques that count, at least ${least} are expected in round 1; give further ones only if they are real, or say in fewer_reason why there are no more`,
    noOmissionEvidence: (id: string) => `${id} says that something was left out, but brings no evidence of it`,
    unknownTarget: (id: string, claim: string, agent: string) =>
      `${id} is about claim ${claim}, which ${agent} does not make`,
    unknownClaim: (name: string) => `neither agent makes claim ${name}; write NLA:C1 or ALA:C1`,
    unsound: (name: string, why: string) => `${name} cannot be used: ${why}`,
    withoutEvidence: () => "it has no valid evidence",
    underCritical: (critique: string) => `the CRITICAL critique ${critique} is open`,
    outOfScope: (position: string) => `position ${position} on a question outside the knowledge base; it must be D`,
    unsupported: (position: string) => `position ${position} uses no sound claim`,
    reviewNeeded: () => "the debate summary says needs_human_review; so must you",
  },
  /** What became of a critique, and of the claims. */
  course: {
    unanswered: (target: string) => `${target} has not answered it`,
    withdrew: (agent: string, because: string) => `${agent} withdrew it${because}`,
    upholds: (agent: string, because: string) => `${agent} upholds it${because}`,
    accepted: (target: string, change: string) => `${target} accepted it and ${change}`,
    acceptedBut: (target: string, change: string) => `${target} accepted it but ${change}`,
    rejectsAgain: (before: string, target: string) => `${before}; ${target} rejects it again`,
    rejects: (target: string, reason: string) => `${target} rejects it on evidence: ${reason}`,
    rejectedIdly: (target: string) => `${target} rejected it without evidence that bears on it`,
    wentBack: (target: string) => `${target} accepted it, but the claim is as it was`,
    changes: {
      removed: "dropped the claim",
      content: "changed the claim",
      added: "added what was left out",
      less_confident: "lowered its confidence",
      none: "the claim is as it was",
    },
    noEvidence: () => "no valid evidence",
    notCriticised: () => "not criticised",
    derived: () => "the rule engine derives both",
    statuses: {
      open: "open",
      contested: "contested",
      accepted: "accepted",
      withdrawn: "withdrawn",
      finding: "finding",
    },
    issues: {
      evidence_gap: "evidence gap",
      logic_gap: "logic gap",
      conflict: "conflict",
      domain_mismatch: "domain mismatch",
      overclaim: "overclaim",
    },
    silent: (target: string) => `the critic was asked twice and said nothing; ${target} was not checked`,
  },
  /** Why a person must look. */
  reasons: {
    criticalEvidence: (count: number) => `${count} open CRITICAL critique(s) of the evidence`,
    criticalConflict: (count: number) => `${count} open CRITICAL critique(s) of a conflict of norms`,
    contradiction: (count: number) => `${count} contradiction(s) that both sides keep without a justification`,
    missing: (agent: string, percent: number) => `${agent} has no valid evidence for ${percent} % of its claims`,
    unchecked: (agents: string[]) => `the claims of ${agents.join(" and ")} were not checked: the critic said nothing`,
    notConverged: (round: number) => `no convergence condition held after round ${round}`,
  },
};
