import { isText, lie, type Loose, type Truth } from "./truth.ts";

export const law: Truth[] = [
  {
    has: ["responses"],
    lies: (said, { agent, round, critiques, ...file }) => [
      ...lie(said.agent === agent && said.round === round, "speaks for another agent or round"),
      ...claimLies(said.claims, file),
      ...textLies([said.answer], file),
      ...said.responses.flatMap(({ critique_id, evidence }: Loose) => [
        ...lie(
          critiques.some(({ id }: Loose) => id === critique_id),
          `answers critique ${critique_id}`,
        ),
        ...idLies(evidence, file),
      ]),
    ],
  },
  {
    has: ["critiques"],
    lies: (said, { agent, round, target, earlier }) => [
      ...lie(said.agent === agent && said.round === round && said.target !== agent, "speaks for another"),
      ...said.critiques.flatMap(({ target_claim_id, description, suggested_fix }: Loose) => [
        ...lie(
          target_claim_id === null || target.claims.some(({ id }: Loose) => id === target_claim_id),
          `criticises ${target_claim_id}`,
        ),
        ...lie(isText(description) && isText(suggested_fix), "an empty critique"),
      ]),
      ...lie(
        new Set(said.critiques.map(({ id }: Loose) => id)).size === said.critiques.length,
        "a critique id is used twice",
      ),
      ...said.verdicts.flatMap(({ critique_id }: Loose) =>
        lie(
          earlier.some(({ critique }: Loose) => critique.id === critique_id),
          `judges critique ${critique_id}`,
        ),
      ),
    ],
  },
  {
    has: ["used_claims"],
    lies: (said, { nla, ala, ...file }) => {
      const claims = [nla, ala].flatMap((one) =>
        one.claims.map((claim: Loose) => ({ ...claim, name: `${one.agent}:${claim.id}` })),
      );
      const find = (name: string): Loose | undefined => claims.find((claim) => claim.name === name);
      return [
        ...said.used_claims.flatMap((name: string) => lie((find(name)?.evidence.length ?? 0) > 0, `uses ${name}`)),
        ...said.rejected_claims.flatMap(({ claim }: Loose) => lie(find(claim) !== undefined, `rejects ${claim}`)),

        ...textLies([said.answer, ...said.reasons, said.dissent ?? ""], file),
      ];
    },
  },
  {
    has: ["claims", "position"],
    lies: (said, file) => [
      ...claimLies(said.claims, file),
      ...lie(said.position === "D" || !file.material.route.out_of_scope, "a position on what is out of scope"),
      ...textLies([said.answer, ...said.reasons, said.dissent ?? ""], file),
    ],
  },
];

/** A claim whose risk is named does not stand; what it states is shown with the risk. */
function claimLies(claims: Loose[], file: Loose): string[] {
  return [
    ...lie(claims.length <= 10, `${claims.length} claims`),
    ...lie(new Set(claims.map(({ id }) => id)).size === claims.length, "a claim id is used twice"),
    ...claims.flatMap(({ evidence, risk, statement }) => [
      ...idLies(evidence, file),
      ...lie(isText(statement), "a claim without a statement"),
      ...(risk === "no_evidence" ? [] : lie(evidence.length > 0, "no evidence")),
      ...(risk ? [] : textLies([statement], file)),
    ]),
  ];
}

function idLies(ids: string[], { material }: Loose): string[] {
  const names = material.evidence.flatMap(({ id, aliases }: Loose) => [id, ...aliases]);
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}:|()/-]+/gu, "");
  const given = new Set(names.map(plain));
  return ids.flatMap((id) => lie(given.has(plain(id)), `cites ${id}`));
}

/** The provisions that the mutations invent are in no knowledge base. */
function textLies(texts: string[], { query }: Loose): string[] {
  return texts.flatMap((text) =>
    lie(!text.includes("Pasal 99999") || query.includes("Pasal 99999"), `speaks of "${text}"`),
  );
}
