import type { CaseFile } from "../../../knowledge/law/index.ts";
import type { SoloAnswer } from "../schemas/solo-answer.ts";
import type { Lens } from "../rules/role-inputs.ts";
import { findClashes } from "./claims/clashes.ts";
import { openAnswer } from "./open-answer.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";
import { findPosition } from "./position.ts";

const maxClaims = 10;
const favour = 1.25;

/** The expert without a debate: both sides' first claims as they are, unchecked by anyone, and the position they support. */
export function answerAlone(file: CaseFile, lens: Lens): SoloAnswer {
  const seen = applyLens(file, lens);
  const nla = openAnswer({ file: seen, agent: "NLA", round: 1, previous: null, critiques: [] });
  const ala = openAnswer({ file: seen, agent: "ALA", round: 1, previous: null, critiques: [] });
  const clashes = findClashes(file, nla, ala);
  const { position, reasons } = findPosition({
    file,
    national: nla.claims,
    adat: ala.claims,
    clashes,
    wasCriticised: false,
  });
  const claims = [...nla.claims, ...ala.claims]
    .slice(0, maxClaims)
    .map((claim, index) => ({ ...claim, id: `C${index + 1}` }));
  const phrases = phrasesOf(file.retrieval.language);
  const unknown = file.retrieval.cited.filter(({ known }) => !known).map(({ text }) => text);
  const body = position === "D" ? [phrases.answer.insufficient([])] : claims.map(({ statement }) => `- ${statement}`);
  return {
    answer: [
      ...(unknown.length > 0 ? [phrases.answer.unknown(unknown)] : []),
      phrases.answer.positionLine(position),
      ...body,
      phrases.disclaimer(),
    ].join("\n"),
    claims: position === "D" ? [] : claims,
    position,
    reasons,
    applicable_regimes: [],
    dissent:
      clashes.length > 0
        ? phrases.dissent(
            clashes.map(({ issue }) => issue),
            [],
          )
        : null,
    disclaimer: phrases.disclaimer(),
  };
}

/** A lens makes its own side's sources count for more. */
function applyLens(file: CaseFile, lens: Lens): CaseFile {
  if (lens === "neutral") return file;
  const evidence = file.retrieval.evidence.map((item) =>
    item.domain === lens ? { ...item, score: item.score * favour } : item,
  );
  return { ...file, retrieval: { ...file.retrieval, evidence } };
}
