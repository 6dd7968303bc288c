import type { Evidence } from "../../../../knowledge/law/index.ts";
import type { Phrases } from "./phrases.ts";
import { stripStop, writeCommunity, writeInline } from "./sentence.ts";

const sides = { NLA: "hukum nasional", ALA: "hukum adat" } as const;

/** The experts' words in Indonesian. */
export const indonesian: Phrases = {
  accordingTo: (title, statement) => `Menurut ${writeInline(title, statement)}: ${stripStop(statement)}.`,
  applied: (statements) =>
    statements.length > 0 ? [`Pada fakta pertanyaan ini: ${statements.map(stripStop).join("; ")}.`] : [],
  under: (assumptions, statement) =>
    assumptions.length > 0 ? `${statement} (${assumptions.map(stripStop).join("; ")}.)` : statement,
  opening: (agent) => `Jawaban menurut ${sides[agent]}, disusun dari parafrase sumbernya.`,
  nothingKnown: (agent) =>
    `Tidak ada ketentuan ${sides[agent]} dalam basis pengetahuan ini yang menyangkut pertanyaan ini.`,
  notInKnowledge: (provision) =>
    `${provision} tidak ada dalam basis pengetahuan ini; itu tidak berarti ketentuan tersebut tidak ada.`,
  unconfirmed: (title) => `${title}: sumbernya belum terkonfirmasi.`,
  except: (clauses) => `Kecuali bila ${clauses.join(", atau ")}`,
  onlyIf: (clauses, statement) => `Bila ${clauses.join(", atau ")}: ${statement}`,
  unconfirmedSource: () => "Bersandar pada sumber yang belum terkonfirmasi.",
  bindsOnly: (item) => writeBound(item),
  noEvidence: () => "tidak ada bukti yang sah",
  openCritique: (critique, description) => `kritik ${critique} masih terbuka: ${description}`,
  notAsked: () => "tidak menjadi pokok pertanyaan; dicatat sebagai latar",
  regime: (item) => writeRegime(item),
  dissent: (clashes, disputed) =>
    [
      clashes.length > 0 ? `Kedua pihak mempertahankan bacaannya (${clashes.join(", ")}).` : "",
      disputed.length > 0 ? `Klaim yang diperselisihkan: ${disputed.join(", ")}.` : "",
    ]
      .filter(Boolean)
      .join(" "),
  disclaimer: () =>
    "Ini bukan nasihat hukum. Isi sumber bawaan diparafrasekan; periksa teks resminya dan mintalah pendapat ahli hukum.",
  clash: (issue, claim) => ({
    description: `Bertentangan dengan ${claim}: ${stripStop(issue)}.`,
    suggested_fix: "Jelaskan dasar mengapa norma ini yang dipakai, atau batasi klaim pada orang yang diikatnya.",
  }),
  overridden: (issue, claim) => ({
    description: `Tidak menyebut apa yang menentukan: ${stripStop(issue)} (${claim}).`,
    suggested_fix: "Sebutkan bahwa aturan ini menentukan apa pun kata adat.",
  }),
  limit: (issue, titles) => ({
    description: `Meninggalkan ${titles}: ${stripStop(issue)}.`,
    suggested_fix: "Tunduklah padanya, atau tunjukkan dari pertanyaan bahwa ia tidak berlaku.",
  }),
  omission: (issue, titles) => ({
    description: `Tidak disebut: ${titles}. ${stripStop(issue)}.`,
    suggested_fix: "Tambahkan isi sumber itu, atau jelaskan mengapa tidak menyangkut pertanyaan ini.",
  }),
  unasked: (agent) => ({
    description: `Pertanyaannya bukan soal ${sides[agent]}: tidak ada yang mendalilkan norma ini.`,
    suggested_fix: "Hapus klaim itu, atau tunjukkan bagian pertanyaan yang memintanya.",
  }),
  fewerCritiques: () => "Tidak ditemukan cacat lain dalam klaim pihak lain dan sumbernya.",
  defects: {
    unsupported: () => ({
      description: "Klaim ini tidak mengutip satu pun bukti yang sah.",
      suggested_fix: "Kutip bukti dari daftar, atau hapus klaim.",
    }),
    sourceMismatch: (titles) => ({
      description: `Isi klaim tidak ditemukan dalam bukti yang dikutip (${titles}).`,
      suggested_fix: "Nyatakan hanya apa yang dikatakan sumbernya.",
    }),
    numberMismatch: (numbers) => ({
      description: `Angka ${numbers} tidak ada dalam bukti yang dikutip.`,
      suggested_fix: "Pakai angka dari sumbernya, atau hilangkan angka itu.",
    }),
    foreignRegime: (titles, scopes) => ({
      description: `${titles} tidak mengikat orang dalam perkara ini: ${stripStop(scopes)}.`,
      suggested_fix: "Hapus sumber itu, atau jelaskan mengapa ia dipakai di luar jangkauannya.",
    }),
    unstatedScope: (titles, scopes) => ({
      description: `${titles} hanya mengikat sebagian orang, dan klaim tidak menyebutkannya: ${stripStop(scopes)}.`,
      suggested_fix: `Tambahkan asumsi: ${stripStop(scopes)}.`,
    }),
    unconfirmedOnly: (titles) => ({
      description: `Klaim hanya bersandar pada sumber yang belum terkonfirmasi (${titles}).`,
      suggested_fix: "Sebutkan bahwa sumbernya belum terkonfirmasi dan turunkan keyakinan.",
    }),
    presumption: (clauses) => ({
      description: `Kesimpulan mengandaikan hal yang tidak disebut dalam pertanyaan: bahwa tidak benar ${clauses.join("; atau ")}.`,
      suggested_fix: `Tambahkan asumsi: kecuali bila ${clauses.join(", atau ")}.`,
    }),
    disputedGround: (clauses) => ({
      description: `Klaim menganggap pasti hal yang menurut pertanyaannya diperselisihkan atau tidak diketahui: ${clauses.join("; ")}.`,
      suggested_fix: `Batasi klaim: hanya bila ${clauses.join(", atau ")}.`,
    }),
    overconfident: (stated, supported) => ({
      description: `Keyakinan ${stated} melampaui yang didukung sumber-sumber mandiri (${supported}).`,
      suggested_fix: `Turunkan keyakinan menjadi ${supported}.`,
    }),
  },
  verdicts: {
    dropped: () => "Klaimnya sudah dihapus.",
    bothStand: () =>
      "Pertentangannya nyata: kedua bacaan bertumpu pada sumber yang mengikat, dan tidak satu pun mengalah.",
    released: () => "Norma yang diajukan tidak lagi diklaim di pihak ini.",
    yielded: () => "Klaimnya kini menyebut norma yang menentukan.",
    mended: () => "Klaimnya sudah diperbaiki.",
    unanswered: () => "Pertentangannya belum dijelaskan dengan bukti.",
    added: () => "Yang tidak disebut sudah ditambahkan.",
    cited: () => "Pertanyaannya sendiri mengutip sumber ini.",
    notAdded: () => "Yang tidak disebut masih belum ada.",
    ruledOut: () => "Pertanyaannya sendiri menyebut bahwa syarat pembatasan ini tidak ada.",
    unlimited: (issue) => `Klaim itu masih tidak menyebut: ${stripStop(issue)}.`,
    decides: () => "Aturan ini menentukan apa pun kata adat, jadi pertanyaannya memerlukannya.",
    reconciled: () => "Yang menyelaraskan kedua norma lebih dekat pada pertanyaan daripada pertentangannya.",
    overridden: () => "Hukum nasional menetapkannya apa pun kata adat, dan klaim ini tidak menyebutnya.",
  },
  responses: {
    alreadyDropped: () => "Klaim itu sudah dihapus.",
    mended: (fix) => `Diterima. ${fix}`,
    dropped: (why) => `Diterima, klaim dihapus. ${why}`,
    supported: (titles) => `Klaim ini mengikuti sumbernya: ${titles}.`,
    yields: (titles) => `Diterima: ${titles} menyelesaikan hal ini terlepas dari adat.`,
    yielding: (titles) => `Tanpa mengurangi berlakunya ${titles}`,
    givesWay: (titles) => `Diterima: klaim itu tunduk pada ${titles}.`,
    ruledOut: (titles) => `${titles} tidak berlaku: pertanyaannya menyebut bahwa syaratnya tidak ada.`,
    decides: (issues) => `Pertanyaannya memerlukannya: ${stripStop(issues)}.`,
    reconciled: (issues) => `Kedua norma tidak bertentangan dalam perkara ini: ${stripStop(issues)}.`,
    adds: (titles) => `Diterima: ${titles} ditambahkan.`,
    unrelated: (titles) =>
      titles
        ? `Sumber itu tidak menyangkut klaim ini, yang bersandar pada ${titles}.`
        : "Pihak ini tidak mengklaim apa pun yang dapat disangkut sumber itu.",
    asked: (titles) => `Pertanyaannya sendiri mengutip ${titles}.`,
    notAsked: (agent) => `Diterima, klaim dihapus: pertanyaannya tidak meminta ${sides[agent]}.`,
    keepsReading: (agent, titles, bridges) =>
      `${titles} adalah sumber ${sides[agent]} yang berlaku bagi mereka yang diikatnya; norma pihak lain berlaku di bawah rezim lain dan tidak menghapusnya.${
        bridges ? ` Pertemuan kedua hukum diatur antara lain oleh ${bridges}.` : ""
      }`,
  },
  reasons: {
    nothing: () => "Tidak ada klaim berbukti yang menyangkut pertanyaan ini.",
    unknownProvision: () => "Pertanyaan bertumpu pada ketentuan yang tidak ada dalam basis pengetahuan ini.",
    unknownAdat: (gaps) => `Pertanyaannya memerlukan hal yang tidak ada dalam basis pengetahuan ini: ${gaps}.`,
    onlyNational: () => "Hanya hukum nasional yang menjawab pertanyaan ini.",
    onlyAdat: () => "Hanya hukum adat yang menjawab pertanyaan ini.",
    pureNational: () => "Pertanyaan ini menyangkut hukum nasional; norma adat hanya latar.",
    pureAdat: () => "Pertanyaan ini urusan internal adat; ketentuan nasional hanya latar.",
    overriding: (issues) => `Hukum nasional menyelesaikan hal ini: ${issues}.`,
    clash: (issue) => `Kedua hukum menjawab berbeda: ${stripStop(issue)}.`,
    claimedBoth: () => "Para pihak menuntut menurut dua hukum yang berbeda atas hal yang sama.",
    agreement: (issues) => `Kedua hukum sejalan: ${stripStop(issues)}.`,
    reference: (issues) => `Hukum nasional menunjuk adat: ${issues}.`,
    alike: () => "Kedua hukum mengatur hal ini, dan tidak ada yang menunjukkan hasil yang berbeda.",
    disputed: (clauses) =>
      `Jawabannya bergantung pada fakta yang diperselisihkan atau tidak diketahui, dan debat tidak dapat membuktikannya: ${clauses.join("; ")}.`,
  },
  answer: {
    unknown: (provisions) =>
      `${provisions.map((one) => `"${one}"`).join(", ")} tidak ada dalam basis pengetahuan ini. Itu tidak berarti ketentuan tersebut tidak ada, tetapi isinya tidak dapat dijawab dari sini.`,
    positionLine: (position) =>
      ({
        A: "Posisi A: hukum nasional yang menentukan jawabannya.",
        B: "Posisi B: hukum adat yang menentukan jawabannya.",
        C: "Posisi C: hukum nasional dan hukum adat sama-sama berlaku dan menjawab berbeda; mana yang dipakai bergantung pada rezim yang mengikat para pihak.",
        D: "Posisi D: bahan tidak cukup untuk menjawab.",
        E: "Posisi E: hukum nasional dan hukum adat membawa hasil yang sama.",
      })[position],
    insufficient: (known) =>
      known.length > 0
        ? `Yang ditanyakan tidak ada dalam basis pengetahuan ini. Ketentuan terdekat yang ada: ${[...new Set(known)].join("; ")}. Yang kurang: teks ketentuan yang ditanyakan atau sumber lain tentang hal itu.`
        : "Yang ditanyakan tidak ada dalam basis pengetahuan ini, yang memuat hukum waris, perkawinan, hibah, wasiat, tanah, dan adat Minangkabau, Bali, Jawa, dan Batak. Yang kurang: ketentuan atau norma tentang pokok pertanyaan ini.",
    gaps: (gaps) =>
      `Tidak tercakup dalam basis pengetahuan ini: ${gaps.join("; ")}. Norma suku atau bidang lain tidak dipakai sebagai gantinya.`,
    national: () => "Bacaan hukum nasional:",
    adat: (communities) =>
      `Bacaan hukum adat${communities.length > 0 ? ` (${communities.map(writeCommunity).join(", ")})` : ""}:`,
    clashes: (issues) => `Titik beda: ${issues.map(stripStop).join("; ")}.`,
    limits: (assumptions) => `Batasnya: ${assumptions.map(stripStop).join("; ")}.`,
    agreed: (issues) => `Titik temu: ${stripStop(issues)}.`,
    depends: (questions) => `Yang belum diketahui dan dapat mengubah jawaban: ${questions.map(stripStop).join("; ")}.`,
    disputed: (clauses) =>
      `Harus dipastikan lebih dulu, karena diperselisihkan atau tidak diketahui: ${clauses.join("; ")}. Karena itu perlu ditinjau oleh orang.`,
    humanReview: (reasons) => `Perlu ditinjau oleh orang (${reasons.join("; ")}).`,
  },
};

function writeBound(item: Evidence): string {
  if (item.community) return `Berlaku dalam masyarakat adat ${writeCommunity(item.community)}`;
  return item.regime === "islamic" ? "Berlaku bagi orang beragama Islam" : "Berlaku bagi mereka yang tunduk padanya";
}

function writeRegime(item: Evidence): string {
  if (item.regime === "adat") return `hukum adat ${writeCommunity(item.community ?? "")}`.trim();
  if (item.regime === "civil_code") return "KUHPerdata (bagi mereka yang tunduk padanya)";
  return item.regime === "islamic" ? "hukum Islam/KHI (bagi orang beragama Islam)" : "hukum nasional (berlaku umum)";
}
