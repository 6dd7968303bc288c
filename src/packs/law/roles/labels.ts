import type { Language } from "../prompts/read-prompts.ts";

const indonesian = {
  task: "TUGAS",
  question: "PERTANYAAN",
  evidence: {
    both: "BUKTI DI HADAPAN KEDUA PIHAK",
    national: "BUKTI HUKUM NASIONAL",
    adat: "BUKTI HUKUM ADAT",
    neither: "BUKTI LAINNYA",
    cited: "BUKTI YANG DIKUTIP",
  },
  openPoints: "HAL TERBUKA",
  moreOpenPoints: "HAL TERBUKA LAINNYA",
  answer: (agent: string, round: number): string =>
    round === 1 ? `JAWABAN ${agent}` : `REVISI ${agent}, PUTARAN ${round}`,
  critique: (agent: string, round: number): string => `KRITIK OLEH ${agent}, PUTARAN ${round}`,
  limits: "YANG MEMBATASI KLAIMNYA",
  toAnswer: "KRITIK YANG HARUS ANDA TANGGAPI",
  toJudge: "KRITIK ANDA YANG HARUS DIPUTUS",
  final: (agent: string): string => `REVISI AKHIR ${agent}`,
  summary: "RINGKASAN DEBAT",
};

const english: typeof indonesian = {
  task: "TASK",
  question: "QUESTION",
  evidence: {
    both: "EVIDENCE BEFORE BOTH SIDES",
    national: "EVIDENCE OF NATIONAL LAW",
    adat: "EVIDENCE OF ADAT LAW",
    neither: "MORE EVIDENCE",
    cited: "CITED EVIDENCE",
  },
  openPoints: "OPEN POINTS",
  moreOpenPoints: "MORE OPEN POINTS",
  answer: (agent, round) => (round === 1 ? `ANSWER OF ${agent}` : `REVISION OF ${agent}, ROUND ${round}`),
  critique: (agent, round) => `CRITIQUE BY ${agent}, ROUND ${round}`,
  limits: "WHAT LIMITS ITS CLAIMS",
  toAnswer: "CRITIQUES TO RESPOND TO",
  toJudge: "YOUR CRITIQUES TO JUDGE",
  final: (agent) => `FINAL REVISION OF ${agent}`,
  summary: "DEBATE SUMMARY",
};

/** What the blocks of a prompt are called, as its instructions name them. */
export function labelsOf(language: Language): typeof indonesian {
  return language === "en" ? english : indonesian;
}
