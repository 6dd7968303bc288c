import type { CaseFile, Retrieval, RetrievedEvidence } from "../../src/knowledge/law/index.ts";
import {
  type Agent,
  type AgentOutput,
  type Claim,
  type Critique,
  type CritiqueMessage,
  type CritiqueVerdict,
  opponentOf,
  type Response,
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

export function message(agent: Agent, critiques: Critique[], verdicts: CritiqueVerdict[] = []): CritiqueMessage {
  return { round: 1, agent, target: opponentOf(agent), critiques, verdicts, fewer_reason: null };
}

export function response(over: Partial<Response> = {}): Response {
  return { critique_id: "K1", response: "accepted", reason: "Benar.", evidence: [], ...over };
}

export function evidence(over: Partial<RetrievedEvidence> = {}): RetrievedEvidence {
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
    topics: ["inheritance"],
    source: "KUHPerdata Pasal 852",
    source_kind: "statute_text",
    confidence: "confirmed",
    related: [],
    score: 1,
    found_by: ["text"],
    ...over,
  };
}

export function caseFile(items: RetrievedEvidence[] = [evidence()], over: Partial<Retrieval> = {}): CaseFile {
  const query = over.query ?? "Bagaimana warisan dibagi?";
  return {
    query,
    read: query,
    domain_hint: null,
    route: {
      label: "pure_national",
      scores: { national: 1, adat: 0, conflict: 0 },
      out_of_scope: false,
      rationale: "",
    },
    retrieval: {
      query,
      language: "id",
      communities: [],
      evidence: items,
      facts: [],
      rules: { conclusions: [], unknown: [], contradictions: [] },
      graph: [],
      cited: [],
      out_of_scope: false,
      ...over,
    },
  };
}
