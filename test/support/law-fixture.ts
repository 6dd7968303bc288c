import {
  type Agent,
  type AgentOutput,
  type Claim,
  type Critique,
  type CritiqueMessage,
  type Material,
  type MaterialItem,
  opponentOf,
  type Round,
} from "../../src/packs/law/index.ts";

/** Builders for the tests of the debate's rules. */
export function claim(over: Partial<Claim> = {}): Claim {
  return {
    id: "C1",
    statement: "Anak mewaris.",
    evidence: ["NAT-KUHPER-852"],
    confidence: 0.7,
    assumptions: [],
    ...over,
  };
}

export function output(agent: Agent, over: Partial<AgentOutput> = {}): AgentOutput {
  return {
    round: 1,
    agent,
    answer: `Jawaban ${agent}.`,
    claims: [claim()],
    uncertainties: [],
    open_questions: [],
    responses: [],
    ...over,
  };
}

export function critique(over: Partial<Critique> = {}): Critique {
  return {
    id: "K1",
    target_claim_id: "C1",
    issue_type: "overclaim",
    description: "Melebihi sumbernya.",
    severity: "MAJOR",
    suggested_fix: "Batasi klaim.",
    evidence: [],
    ...over,
  };
}

export function message(agent: Agent, critiques: Critique[], over: Partial<CritiqueMessage> = {}): CritiqueMessage {
  return {
    round: 1,
    agent,
    target: opponentOf(agent),
    critiques,
    verdicts: [],
    cleared: [],
    fewer_reason: null,
    ...over,
  };
}

export function round(n: number, over: Partial<Round> = {}): Round {
  return {
    round: n,
    nla: output("NLA", { round: n }),
    ala: output("ALA", {
      round: n,
      claims: [claim({ statement: "Menurut adat kemenakan mewarisi.", evidence: ["ADT-MIN-02"] })],
    }),
    nla_on_ala: null,
    ala_on_nla: null,
    ...over,
  };
}

export function item(over: Partial<MaterialItem> = {}): MaterialItem {
  return {
    id: "NAT-KUHPER-852",
    aliases: ["KUHPerdata:852"],
    kind: "provision",
    domain: "national",
    regime: "civil_code",
    community: null,
    title: "KUHPerdata Pasal 852",
    title_en: "Civil Code article 852",
    statement: "Anak-anak mewaris dengan bagian sama besar tanpa membedakan jenis kelamin.",
    statement_en: "Children inherit equal shares whatever their sex.",
    scope: null,
    scope_en: null,
    source: "KUHPerdata Pasal 852",
    confidence: "confirmed",
    mandatory: false,
    related: [],
    score: 1,
    match: 1,
    answers: true,
    holder: "national",
    imported: false,
    ...over,
  };
}

export const adatItem = item({
  id: "ADT-MIN-02",
  aliases: [],
  kind: "norm",
  domain: "adat",
  regime: "adat",
  community: "minangkabau",
  title: "Adat Minangkabau: Pusako tinggi milik kaum",
  title_en: "Minangkabau adat: high ancestral property belongs to the clan",
  source: "Adat Minangkabau",
  statement: "Harta pusaka tinggi turun kepada kemenakan lewat garis ibu.",
  statement_en: "High ancestral property passes to the sister's children in the mother's line.",
  holder: "adat",
});

export function material(over: Partial<Material> = {}): Material {
  return {
    reader: "test",
    doubt: 0,
    query: "",
    language: "id",
    route: { label: "conflict", scores: { national: 1, adat: 1, conflict: 1 }, out_of_scope: false, rationale: "" },
    frame: { acts: ["inherit"], about: ["warisan"], communities: ["minangkabau"], uncovered: [], regimes: [] },
    missing: [],
    disputed: [],
    laws: [],
    cited: [],
    evidence: [item(), adatItem],
    ...over,
  };
}
