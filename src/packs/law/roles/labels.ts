import type { Language } from "../prompts/read-prompts.ts";

const indonesian = {
  task: "TUGAS",
  question: "PERTANYAAN",
  evidence: "BUKTI",
  conclusions: "KESIMPULAN ATURAN",
  moreEvidence: "BUKTI LAINNYA",
  moreConclusions: "KESIMPULAN ATURAN LAINNYA",
  brought: "BUKTI YANG DIBAWA PIHAK LAIN",
  critiques: "KRITIK ATAS JAWABAN ANDA",
  criticised: (agent: string): string => `JAWABAN ${agent} YANG ANDA KRITIK`,
  limits: "YANG MEMBATASI KLAIMNYA",
  own: "JAWABAN PIHAK ANDA SEJAUH INI",
  earlier: "KRITIK ANDA SEBELUMNYA DAN TANGGAPANNYA",
  final: (agent: string): string => `REVISI AKHIR ${agent}`,
  summary: "RINGKASAN DEBAT",
};

const english: typeof indonesian = {
  task: "TASK",
  question: "QUESTION",
  evidence: "EVIDENCE",
  conclusions: "RULE CONCLUSIONS",
  moreEvidence: "MORE EVIDENCE",
  moreConclusions: "MORE RULE CONCLUSIONS",
  brought: "EVIDENCE BROUGHT BY THE OTHER SIDE",
  critiques: "CRITIQUES OF YOUR ANSWER",
  criticised: (agent) => `THE ANSWER OF ${agent} THAT YOU CRITICISE`,
  limits: "WHAT LIMITS ITS CLAIMS",
  own: "YOUR SIDE'S ANSWER SO FAR",
  earlier: "YOUR EARLIER CRITIQUES AND THE RESPONSES",
  final: (agent) => `FINAL REVISION OF ${agent}`,
  summary: "DEBATE SUMMARY",
};

/** What the blocks of a prompt are called, as its instructions name them. */
export function labelsOf(language: Language): typeof indonesian {
  return language === "en" ? english : indonesian;
}
