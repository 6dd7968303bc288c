import type { LawDecision } from "../decision.ts";

/** The words of reports and of answer.md around what was said, in the answer's language. */
const indonesian = {
  route: "Rute",
  position: "Posisi",
  positions: {
    A: "hukum nasional dominan",
    B: "hukum adat dominan",
    C: "keduanya, dengan pertentangan yang aktif",
    D: "bahan tidak cukup",
  },
  answer: "Jawaban",
  reasons: "Alasan",
  regimes: "Rezim yang berlaku",
  dissent: "Perbedaan pendapat",
  claims: "Klaim dan sumbernya (sumber diparafrasekan)",
  confidence: "keyakinan",
  assumptions: "dengan asumsi",
  derived: "didukung aturan dan graf",
  agreed: "Disepakati",
  disputed: "Diperselisihkan",
  rejected: "Tidak dipakai",
  critiques: "Kritik dan jawabannya",
  noCritiques: "tidak ada kritik",
  status: { open: "masih terbuka", accepted: "diterima", rejected: "ditolak dengan bukti", withdrawn: "ditarik" },
  response: "jawab",
  convergence: "Konvergensi",
  conditions: {
    1: "paling banyak satu kritik MAJOR terbuka",
    2: "semua pertentangan domain sudah dijawab",
    3: "jawaban kedua pihak stabil",
  },
  notConverged: "tidak ada syarat yang terpenuhi",
  afterRound: "sesudah putaran",
  openCritiques: "kritik terbuka",
  change: "perubahan jawaban",
  escalation: "Peninjauan manusia",
  none: "tidak diperlukan",
  faults: "Cacat yang dicatat",
  unknown: "Tidak ada dalam basis pengetahuan ini",
  confirmed: "terkonfirmasi",
  unconfirmed: "belum terkonfirmasi",
  undecided: "Tidak ada jawaban",
};

type Labels = typeof indonesian;

const english: Labels = {
  route: "Route",
  position: "Position",
  positions: {
    A: "national law dominant",
    B: "adat law dominant",
    C: "both, with an active conflict",
    D: "not enough material",
  },
  answer: "Answer",
  reasons: "Reasons",
  regimes: "Applicable regimes",
  dissent: "Dissent",
  claims: "Claims and their sources (sources are paraphrased)",
  confidence: "confidence",
  assumptions: "assuming",
  derived: "borne out by rules and graph",
  agreed: "Agreed",
  disputed: "Disputed",
  rejected: "Not used",
  critiques: "Critiques and how they were answered",
  noCritiques: "no critiques",
  status: { open: "still open", accepted: "accepted", rejected: "rejected on evidence", withdrawn: "withdrawn" },
  response: "reply",
  convergence: "Convergence",
  conditions: { 1: "at most one MAJOR critique open", 2: "every domain conflict settled", 3: "both answers stable" },
  notConverged: "no condition held",
  afterRound: "after round",
  openCritiques: "open critiques",
  change: "answer change",
  escalation: "Human review",
  none: "not needed",
  faults: "Recorded faults",
  unknown: "Not in this knowledge base",
  confirmed: "confirmed",
  unconfirmed: "unconfirmed",
  undecided: "No answer",
};

/** The words in the language of a decision. */
export function labelsOf({ language }: Pick<LawDecision, "language">): Labels {
  return language === "en" ? english : indonesian;
}
