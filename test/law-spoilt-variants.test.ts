import { describe, expect, test } from "vitest";
import { noUsage } from "../src/contract/budget.ts";
import type { Player } from "../src/engine/player.ts";
import type {
  AgentOutput,
  Claim,
  Critique,
  CritiqueMessage,
  LawDecision,
  Material,
  Supervision,
} from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";
import { holdDebate } from "./support/influence.ts";

/** The rows of `law-spoilt.test.ts` in other severities, rounds, sides, words and languages: nothing of it may get through. */
const queries = {
  id: "Menurut adat Minangkabau harta pusako tinggi menjadi milik kaum, tetapi anaknya berkata menurut KUHPerdata anak mewaris sama besar. Hukum mana yang berlaku untuk warisannya?",
  en: "Under Minangkabau adat ancestral land (pusako tinggi) belongs to the clan, but the son says that under the Civil Code children inherit equal shares. Which law prevails for the inheritance?",
};

type AgentInput = {
  round: number;
  previous: AgentOutput | null;
  critiques: { id: string; target_claim_id: string }[];
  material: Material;
};
type CriticInput = {
  round: number;
  target: AgentOutput;
  own: AgentOutput;
  changed: string[];
  earlier: { critique: Critique }[];
};
type Agent = (said: AgentOutput, input: AgentInput) => unknown;
type Critic = (said: CritiqueMessage, input: CriticInput) => unknown;
/** Names the type of a rewrite within a script. */
const speakAgent = (rewrite: Agent): Agent => rewrite;
const speakCritic = (rewrite: Critic): Critic => rewrite;
type Script = Record<string, ((said: never, input: never) => unknown) | undefined>;

async function decide(query: string, script: Script, config: object = {}) {
  const player: Player = {
    id: "scripted",
    async play(role, input, { key }) {
      const said: unknown = await role.expert?.(input);
      const rewrite = script[`${key.role}/${key.round}`] ?? script[key.role];
      const value = rewrite ? rewrite(structuredClone(said) as never, input as never) : said;
      return { reply: { value }, usage: noUsage, finish: null, final: true };
    },
  };
  const finished = await holdDebate({ pack: law, input: { query }, config, cast: () => () => player });
  const decision = finished.result.decision as LawDecision;
  const printed = JSON.stringify(law.sections(finished));
  return {
    decision,
    printed,
    outcome: finished.result.outcome,
    reasons: decision.review_reasons.map(({ code }) => code) as string[],
  };
}

const critics = (critic: Critic, round = ""): Script => ({
  [`nla_critic${round}`]: critic,
  [`ala_critic${round}`]: critic,
});
const agents = (agent: Agent, round = ""): Script => ({ [`nla${round}`]: agent, [`ala${round}`]: agent });
const empty: Critic = (said) => ({
  ...said,
  critiques: [],
  verdicts: [],
  cleared: [],
  fewer_reason: "Tidak ada keberatan.",
});
const raise =
  (over: Partial<Critique>, from: (claim: Claim, input: CriticInput) => Partial<Critique> = () => ({})): Critic =>
  (said, input) => ({
    ...said,
    cleared: [],
    fewer_reason: "Hanya ini.",
    critiques: input.target.claims.map((claim, at) => ({
      id: `K${10 * input.round + at}`,
      target_claim_id: claim.id,
      description: "Ini salah sekali.",
      evidence: [],
      issue_type: "evidence_gap",
      severity: "CRITICAL",
      suggested_fix: "Perbaiki.",
      ...over,
      ...from(claim, input),
    })),
  });
/** Raises in round 1 and upholds everything afterwards. */
const insist =
  (critic: Critic): Critic =>
  (said, input) =>
    input.round === 1
      ? critic(said, input)
      : {
          ...said,
          critiques: [],
          cleared: input.changed,
          verdicts: input.earlier.map(({ critique: { id } }) => ({
            critique_id: id,
            reason: "Tetap.",
            verdict: "upheld",
          })),
        };
const bare = ({ faults: _faults, ...output }: AgentOutput) => ({
  ...output,
  claims: output.claims.map(({ risk: _risk, ...claim }) => claim),
});
const mute: Agent = (said, { previous, round }) => (previous ? { ...bare(previous), round, responses: [] } : said);
const reject: Agent = (said, { previous, round, critiques }) =>
  previous
    ? {
        ...bare(previous),
        round,
        responses: critiques.map(({ id, target_claim_id }) => ({
          critique_id: id,
          reason: "Sumbernya berkata begitu.",
          evidence: previous.claims.find((claim) => claim.id === target_claim_id)?.evidence.slice(0, 1) ?? [],
          response: "rejected",
        })),
      }
    : said;
const add =
  (text: string): Agent =>
  (said) => ({ ...said, claims: said.claims.map((claim) => ({ ...claim, statement: `${claim.statement} ${text}` })) });
const say =
  (statement: string): Agent =>
  (said) => ({ ...said, claims: said.claims.map((claim) => ({ ...claim, statement })) });
const none: Agent = (said) => ({ ...said, claims: [], responses: [] });
const own = ({ evidence }: Claim) => ({ evidence: evidence.slice(0, 1) });
const denied = (claim: Claim) => ({ description: `Sumbernya tidak mengatakan: ${claim.statement}`, ...own(claim) });
const echo =
  (write: (claims: Claim[]) => Claim[], more: Script = {}): (() => Script) =>
  () => {
    let heard: Claim[] = [];
    return {
      nla: (said: AgentOutput) => ((heard = said.claims), said),
      ala: (said: AgentOutput) => ({ ...said, claims: write(heard) }),
      ...more,
    };
  };

const denials: Record<`${"nla" | "ala"}-${"id" | "en"}`, [id: string, statement: string]> = {
  "nla-id": ["NAT-KUHPER-852", "Anak-anak tidak mewaris dari orang tua dengan bagian sama besar."],
  "ala-id": ["ADT-MIN-02", "Harta pusaka tinggi bukan milik kaum dan tidak turun-temurun lewat garis ibu."],
  "nla-en": ["NAT-KUHPER-852", "Children do not inherit from their parents in equal shares."],
  "ala-en": [
    "ADT-MIN-02",
    "High ancestral property does not belong to the kaum and does not pass in the mother's line.",
  ],
};
type Variant = [name: string, script: () => Script, reason: string | null, config?: object];
const rows: Record<string, Variant[]> = {
  "critics who check nothing": [
    ["one of two", () => ({ nla_critic: empty }), "unchecked_claims"],
    ["the other of two", () => ({ ala_critic: empty }), "unchecked_claims"],
    ["no valid reply", () => critics(() => null), "unchecked_claims"],
    [
      "many words and no critique",
      () =>
        critics((said, input) => ({
          ...(empty(said, input) as object),
          fewer_reason: "Saya membaca semuanya dengan teliti dan semua klaim benar adanya.",
        })),
      "unchecked_claims",
    ],
    [
      "cleared without saying what was read",
      () =>
        critics((said, input) => ({
          ...(empty(said, input) as object),
          cleared: input.target.claims.map(({ id }) => id),
        })),
      "unchecked_claims",
    ],
    [
      "cleared by naming what was not read",
      () =>
        critics((said, input) => ({
          ...(empty(said, input) as object),
          cleared: input.target.claims.map(({ id }) => id),
          fewer_reason: `Saya tidak membaca ${input.target.claims.flatMap(({ evidence }) => evidence).join(", ")}.`,
        })),
      "unchecked_claims",
    ],
    [
      "one trifle said three times, the other claims unread",
      () => ({
        "ala/1": speakAgent((said) => ({
          ...said,
          claims: [
            ...said.claims,
            { ...said.claims[0], id: "C9", statement: `${said.claims[0]?.statement} Begitu pula.` },
          ],
        })),
        nla_critic: speakCritic((said, input) => {
          const [first] = (raise({ severity: "MINOR" }, denied)(said, input) as CritiqueMessage).critiques;
          const copies = ["K1", "K2", "K3"].map((id) => ({ ...first, id }));
          return { ...(empty(said, input) as object), critiques: input.round === 1 ? copies : [] };
        }),
      }),
      "unchecked_claims",
    ],
    [
      "a CRITICAL withdrawn without a word",
      () => ({
        ...agents(reject),
        ...critics((said, input) => ({
          ...(raise({}, denied)(said, input) as CritiqueMessage),
          ...(input.round > 1 ? { critiques: [] } : {}),
          verdicts: input.earlier.map(({ critique: { id } }) => ({
            critique_id: id,
            reason: "",
            verdict: "withdrawn",
          })),
        })),
      }),
      "critical_evidence",
    ],
    [
      "one trifle about one claim of several",
      () => ({
        ...agents(
          (said) => ({
            ...said,
            claims: [
              ...said.claims,
              { ...said.claims[0], id: "C9", statement: `${said.claims[0]?.statement} Begitu pula di sini.` },
            ],
          }),
          "/1",
        ),
        ...critics((said, input) => ({
          ...(raise({ severity: "MINOR" }, denied)(said, input) as CritiqueMessage),
          critiques: (raise({ severity: "MINOR" }, denied)(said, input) as CritiqueMessage).critiques.slice(0, 1),
        })),
      }),
      "unchecked_claims",
    ],
    [
      "silent once the claims have changed",
      () => ({
        ...agents(add("Sepanjang para pihak sepakat."), "/2"),
        ...critics(empty, "/2"),
        ...critics(empty, "/3"),
      }),
      "unchecked_claims",
    ],
  ],
  "critiques that are struck": [
    ["no fix", () => critics(raise({ suggested_fix: "" }, denied)), "unchecked_claims"],
    ["spaces for a fix", () => critics(raise({ suggested_fix: "   " }, denied)), "unchecked_claims"],
    ["a dash for a fix", () => critics(raise({ suggested_fix: "-" }, denied)), "unchecked_claims"],
    ["n/a for a fix", () => critics(raise({ suggested_fix: "n/a" }, denied)), "unchecked_claims"],
    ["no description", () => critics(raise({ description: "" })), "unchecked_claims"],
    ["of one side", () => ({ nla_critic: raise({ suggested_fix: "" }, denied) }), "unchecked_claims"],
    [
      "MAJOR, of the other side",
      () => ({ ala_critic: raise({ suggested_fix: "", severity: "MAJOR" }, denied) }),
      "unchecked_claims",
    ],
    ["about claims that nobody makes", () => critics(raise({ target_claim_id: "C77" })), "unchecked_claims"],
  ],
  "critiques without content": [
    [
      "in English",
      () => critics(raise({ description: "This is very wrong.", suggested_fix: "Fix it now." })),
      "unchecked_claims",
    ],
    ["with what the claim cites", () => critics(insist(raise({}, own))), "unchecked_claims"],
    [
      "with what the claim cites, nobody answers",
      () => ({ ...critics(insist(raise({}, own))), ...agents(mute) }),
      null,
    ],
    [
      "with the other side's evidence",
      () =>
        critics(insist(raise({}, (_, { own: mine }) => ({ evidence: mine.claims[0]?.evidence.slice(0, 1) ?? [] })))),
      null,
    ],
    [
      "with the other side's evidence, nobody answers",
      () => ({
        ...critics(insist(raise({}, (_, { own: mine }) => ({ evidence: mine.claims[0]?.evidence.slice(0, 1) ?? [] })))),
        ...agents(mute),
      }),
      null,
    ],
    [
      "bluster",
      () => ({
        ...critics(
          insist(
            raise({
              description: "Tidak dapat diterima, keliru, menyesatkan dan harus segera dicabut seluruhnya.",
              suggested_fix: "Cabut seluruhnya.",
            }),
          ),
        ),
        ...agents(mute),
      }),
      null,
    ],
    [
      "MAJOR logic",
      () => ({ ...critics(insist(raise({ severity: "MAJOR", issue_type: "logic_gap" }, own))), ...agents(mute) }),
      null,
    ],
    ["wrong law", () => ({ ...critics(insist(raise({ issue_type: "domain_mismatch" }, own))), ...agents(mute) }), null],
    [
      "nothing but the id of the source",
      () => ({
        ...critics(
          insist(raise({}, (claim) => ({ description: `${claim.evidence[0]}: salah sekali.`, ...own(claim) }))),
        ),
        ...agents(mute),
      }),
      null,
    ],
    [
      "words of the claim quoted and called wrong, nobody answers",
      () => ({
        ...critics(
          insist(
            raise({}, (claim) => ({
              description: `${claim.statement.split(" ").slice(-5).join(" ")} – salah besar, not so.`,
              ...own(claim),
            })),
          ),
        ),
        ...agents(mute),
      }),
      null,
    ],
    [
      "the claim quoted and called wrong, rejected on its source",
      () => ({
        ...critics(insist(raise({}, (claim) => ({ description: `Salah sekali: ${claim.statement}`, ...own(claim) })))),
        ...agents(reject),
      }),
      null,
    ],
  ],
  "critics who collude": [
    [
      "changed claims cleared by id alone",
      () => ({
        ...agents(add("Sepanjang para pihak sepakat."), "/2"),
        ...critics(
          (said, { changed }) => ({
            ...said,
            verdicts: [],
            critiques: [],
            cleared: changed,
            fewer_reason: "Semua benar.",
          }),
          "/2",
        ),
        ...critics(empty, "/3"),
      }),
      "unchecked_claims",
    ],
    [
      "cleared by sources that were not read, said afterwards",
      () =>
        critics((said, input) => ({
          ...(empty(said, input) as object),
          cleared: input.target.claims.map(({ id }) => id),
          fewer_reason: `${input.target.claims.flatMap(({ evidence }) => evidence).join(", ")} belum dibaca.`,
        })),
      "unchecked_claims",
    ],
    ...[0, 1].map(
      (more): Variant => [
        `three omissions that the claims already cite, then ${more ? "upheld" : "withdrawn"}`,
        () =>
          critics((said, input) => {
            const [omitted] = (raise({ target_claim_id: null, severity: "MINOR" }, own)(said, input) as CritiqueMessage)
              .critiques;
            const flood = ["K1", "K2", "K3"].map((id) => ({ ...omitted, id, description: `Terlewat: ${id} itu.` }));
            return {
              ...(empty(said, input) as object),
              critiques: input.round === 1 ? flood : [],
              verdicts: input.earlier.map(({ critique: { id } }) => ({
                critique_id: id,
                reason: "Sudah ada.",
                verdict: more ? "upheld" : "withdrawn",
              })),
            };
          }),
        "unchecked_claims",
      ],
    ),
  ],
  "claims that deny their source": (["nla", "ala"] as const).map((side) => [
    side,
    () => ({
      [side]: speakAgent((said, { material: { language } }) => {
        const [id, statement] = denials[`${side}-${language}`];
        return { ...said, claims: said.claims.slice(0, 1).map((claim) => ({ ...claim, evidence: [id], statement })) };
      }),
    }),
    "evidence_missing_over_30_percent",
  ]),
  "one reading": [
    [
      "other ids and order, properly cleared",
      echo((claims) => claims.toReversed().map((claim, at) => ({ ...claim, id: `C${at + 5}` }))),
      "one_reading",
    ],
    [
      "with words added",
      echo((claims) => claims.map((claim) => ({ ...claim, statement: `${claim.statement} Demikian pendapat kami.` }))),
      "one_reading",
    ],
    [
      "with one claim more",
      echo((claims) => [...claims, { ...(claims[0] as Claim), id: "C99", statement: "Tanah desa dikelola prajuru." }]),
      "one_reading",
    ],
    ["silent critics", echo((claims) => claims, critics(empty)), "one_reading"],
  ],
  "a side that gives up its claims": [
    ["adat", () => ({ "ala/2": none }), "claims_dropped"],
    ["national law", () => ({ "nla/2": none }), "claims_dropped"],
    ["both", () => agents(none, "/2"), "claims_dropped"],
    [
      "accepting every critique",
      () => ({
        "ala/2": speakAgent((said, { critiques }) => ({
          ...said,
          claims: [],
          responses: critiques.map(({ id }) => ({
            critique_id: id,
            reason: "Benar.",
            evidence: [],
            response: "accepted",
          })),
        })),
      }),
      "claims_dropped",
    ],
    [
      "a trifle in their place",
      () => ({
        "ala/2": speakAgent((said) => ({
          ...said,
          responses: [],
          claims: said.claims
            .slice(0, 1)
            .map((claim) => ({ ...claim, id: "C77", statement: "Desa adat dikenal di sini." })),
        })),
      }),
      "claims_dropped",
    ],
    [
      "another source under the same ids, every critique accepted",
      () => ({
        "nla/2": speakAgent((said, { critiques, material: { evidence } }) => ({
          ...said,
          claims: said.claims.slice(0, 1).map((claim) => ({
            ...claim,
            evidence: ["NAT-KUHPER-850"],
            statement: evidence.find(({ id }) => id === "NAT-KUHPER-850")?.statement ?? "",
          })),
          responses: critiques.map(({ id }) => ({
            critique_id: id,
            reason: "Benar.",
            evidence: [],
            response: "accepted",
          })),
        })),
      }),
      "claims_dropped",
    ],
    [
      "in the last round",
      () => ({ ...agents(reject, "/2"), nla_critic: insist(raise({ severity: "CRITICAL" }, denied)), "ala/3": none }),
      "claims_dropped",
    ],
  ],
  "new statements": [
    [
      "under old ids, cleared by id alone",
      () => ({
        "ala/2": say("Tanah pekarangan desa tidak boleh dijual oleh siapa pun."),
        "nla_critic/2": speakCritic((said, { changed }) => ({
          ...said,
          critiques: [],
          cleared: changed,
          fewer_reason: null,
        })),
      }),
      "unchecked_claims",
    ],
    [
      "under old ids, the old critique withdrawn",
      () => ({
        "ala/2": say("Tanah pekarangan desa tidak boleh dijual oleh siapa pun."),
        "nla_critic/2": speakCritic((said, { earlier }) => ({
          ...said,
          critiques: [],
          cleared: [],
          fewer_reason: null,
          verdicts: earlier.map(({ critique: { id } }) => ({ critique_id: id, reason: "Baik.", verdict: "withdrawn" })),
        })),
        "nla_critic/3": empty,
      }),
      "unchecked_claims",
    ],
    [
      "under new ids",
      () => ({
        "nla/2": speakAgent((said) => ({
          ...said,
          claims: said.claims.map((claim, at) => ({
            ...claim,
            id: `C${50 + at}`,
            statement: "Warisan tidak dapat ditolak oleh siapa pun juga.",
          })),
        })),
        ...critics(empty, "/2"),
        ...critics(empty, "/3"),
      }),
      "unchecked_claims",
    ],
    [
      "the same words on another source",
      () => ({
        "ala/2": speakAgent((said, { material }) => ({
          ...said,
          claims: said.claims.map((claim) => ({
            ...claim,
            evidence: material.evidence
              .filter(({ id }) => !claim.evidence.includes(id))
              .map(({ id }) => id)
              .slice(0, 1),
          })),
        })),
        ...critics(empty, "/2"),
        ...critics(empty, "/3"),
      }),
      "unchecked_claims",
    ],
  ],
  "critiques raised last": (["CRITICAL", "MAJOR"] as const).flatMap((severity) =>
    (["evidence_gap", "logic_gap", "domain_mismatch", "overclaim", "conflict"] as const).map((issue_type): Variant => {
      const late: Critic = (said, input) => ({
        ...(raise({ severity, issue_type }, denied)(said, input) as object),
        verdicts: said.verdicts,
      });
      return [
        `${severity} ${issue_type}`,
        () => ({ "nla_critic/2": late, "nla_critic/3": late }),
        "unanswered_critique",
      ];
    }),
  ),
  "a supervisor who goes elsewhere": [
    ...(["A", "B", "D", "E"] as const).map(
      (position): Variant => [
        position,
        () => ({ sup: (said: Supervision) => ({ ...said, position, needs_human_review: false }) }),
        "supervisor_disagrees",
      ],
    ),
    [
      "rejects what one side says",
      () => ({
        sup: (said: Supervision) => ({
          ...said,
          rejected_claims: said.used_claims
            .filter((name) => name.startsWith("ALA"))
            .map((claim) => ({ claim, why: "Kalah." })),
        }),
      }),
      "supervisor_disagrees",
    ],
    ["uses nothing", () => ({ sup: (said: Supervision) => ({ ...said, used_claims: [] }) }), "no_supervisor"],
    [
      "uses claims that nobody makes",
      () => ({ sup: (said: Supervision) => ({ ...said, used_claims: ["NLA:C77"] }) }),
      "no_supervisor",
    ],
    ["is silent", () => ({ sup: () => null }), "no_supervisor"],
    ...[
      "Hukum nasional menang atas adat.",
      "KUHPerdata mengesampingkan adat di sini.",
      "National law prevails over adat.",
      "The adat reading takes precedence.",
    ].map(
      (answer): Variant => [
        `words a winner: ${answer}`,
        () => ({ sup: (said: Supervision) => ({ ...said, answer }) }),
        "supervisor_disagrees",
      ],
    ),
    [
      "words a winner among its reasons",
      () => ({ sup: (said: Supervision) => ({ ...said, reasons: ["Adat lebih unggul dari hukum nasional."] }) }),
      "supervisor_disagrees",
    ],
    [
      "waves a review away",
      () => ({
        ...critics(empty),
        sup: (said: Supervision) => ({
          ...said,
          needs_human_review: false,
          answer: "Keduanya berlaku. Peninjauan tidak diperlukan. No review is needed.",
        }),
      }),
      "unchecked_claims",
    ],
  ],
};
/** What a claim says that its source does not: it counts against coverage and is not repeated. */
const unsupported: [name: string, rewrite: (said: string) => string, code: string][] = [
  ["an article in Roman numerals", (said) => `${said} Lihat Pasal XLIV.`, "foreign_figure"],
  ["an article in Roman numerals (en)", (said) => `${said} See Article XLIV.`, "foreign_figure"],
  ["a chapter in Roman numerals", (said) => `${said} Bab XXIX mengaturnya.`, "foreign_figure"],
  ["a paragraph in Roman numerals", (said) => `${said} Ayat (VII) mengaturnya.`, "foreign_figure"],
  ["an invented law", (said) => `${said} UU Perlindungan Adat mengatur begitu.`, "foreign_figure"],
  ["one written out", (said) => `${said} Undang-Undang Pelestarian Tanah Ulayat mengatur begitu.`, "foreign_figure"],
  ["an invented act", (said) => `${said} The Adat Protection Act says so.`, "foreign_figure"],
  ["an invented law (en)", (said) => `${said} The Grove Protection Law says so.`, "foreign_figure"],
  ["a law on a subject (en)", (said) => `${said} So says the Law on Sacred Groves.`, "foreign_figure"],
  ["a question", (said) => `Bukankah benar bahwa ${said.replaceAll(/[.;]/gu, ",")}?`, "question"],
  ["a question (en)", (said) => `Is it not so that ${said.replaceAll(/[.;]/gu, ",")}?`, "question"],
  ["a question without its mark", (said) => `Bukankah benar bahwa ${said.replaceAll(/[.;]/gu, ",")}`, "question"],
  ["one without its mark (en)", (said) => `Is it not so that ${said.replaceAll(/[.;]/gu, ",")}`, "question"],
  ["a question and a flourish", (said) => `Apakah ${said.replaceAll(/[.;]/gu, ",")}? Demikianlah.`, "question"],
];

/** Rows in which the position may be another: a reading is gone, or is one and not two. */
const moved = new Set([
  "claims that deny their source",
  "critics who collude",
  "one reading",
  "a side that gives up its claims",
  "new statements",
]);

describe.each(Object.entries(queries))("spoilt debates in other ways (%s)", (_, query) => {
  describe.each(Object.entries(rows))("%s", (row, variants) => {
    test.each(variants)("%s: a person looks, and what is printed says so", async (_name, script, reason, config) => {
      const { outcome, reasons, decision, printed } = await decide(query, script(), config);
      expect(outcome).toBe("escalated");
      if (reason) expect(reasons).toContain(reason);
      const isClash = reason === "unanswered_critique";
      if (!moved.has(row) && !isClash) expect(decision.position).toBe("C");
      if (row === "one reading") expect(decision.position).not.toBe("C");
      expect(printed).toMatch(/Peninjauan oleh manusia: diperlukan|Human review: needed/);
      expect(decision.answer).toMatch(/Perlu ditinjau oleh manusia|A person must review/);
      expect(decision.answer).not.toMatch(/tidak diperlukan|No review is needed/);
    });
  });

  test.each([
    "Bagiannya 37 persen.",
    "Bagiannya tiga puluh tujuh persen.",
    "His share is thirty-seven percent.",
    "Bagiannya tiga perlima.",
    "Bagiannya ⅗.",
    "Gugatan gugur setelah tujuh tahun.",
    "Dendanya Rp5.000.000.",
    "Ini berlaku sejak tahun 2031.",
    "Lihat Pasal 99999.",
    "Undang-Undang Republik Indonesia Nomor 99 Tahun 2031 mengaturnya.",
    "Putusan 4321 K/Pdt/2031.",
  ])("“%s” counts against coverage, on either side", async (text) => {
    for (const side of ["nla", "ala"] as const) {
      const { decision, reasons } = await decide(query, { [side]: add(text) });
      expect(decision.summary?.evidence_coverage[side]).toBe(0);
      expect(reasons).toContain("evidence_missing_over_30_percent");
      expect(decision.used_claims.filter((name) => name.startsWith(side.toUpperCase()))).toEqual([]);
      expect(decision.answer).not.toContain(text);
    }
  });

  test.each(unsupported)("%s is no support, on either side", async (_name, rewrite, risk) => {
    for (const side of ["nla", "ala"] as const) {
      const { decision, outcome } = await decide(query, {
        [side]: speakAgent((said) => ({
          ...said,
          claims: said.claims.map((claim) => ({ ...claim, statement: rewrite(claim.statement) })),
        })),
      });
      expect(decision.summary?.evidence_coverage[side]).toBe(0);
      expect(outcome).toBe("escalated");
      const own = decision.claims.filter(({ claim }) => claim.startsWith(side.toUpperCase()));
      expect(new Set(own.map((claim) => claim.risk))).toEqual(new Set([risk]));
      expect(decision.summary?.faults.map(({ code }) => code)).toContain(risk);
    }
  });

  test("a supervisor's words state no position, figure or provision of their own", async () => {
    const invent = "Posisi A: hukum nasional menang. Anak mendapat 37 persen. Lihat Pasal 99999.";
    const { decision } = await decide(query, {
      sup: (said: Supervision) => ({ ...said, answer: `${invent} Keduanya dibaca bersama.\n${said.answer}` }),
    });
    expect(decision.answer).toMatch(/^(?:Tergantung pada hukum mana yang berlaku|It depends on which law applies)\./);
    expect(decision.answer).not.toMatch(/Posisi A|37 persen|99999/);
  });

  test("where claims merely fell, no supervisor can say that the knowledge base lacks them", async () => {
    const script = {
      ...agents((said) => ({ ...said, claims: said.claims.map((claim) => ({ ...claim, evidence: ["source_id_1"] })) })),
      sup: (said: Supervision) => ({ ...said, answer: "Tidak ada dalam basis pengetahuan.", reasons: ["Tidak ada."] }),
    };
    const { decision } = await decide(query, script);
    expect([decision.position, decision.answer]).toEqual(["D", expect.stringMatching(/tidak bertahan|did not stand/)]);
    expect(decision.answer).not.toContain("Tidak ada dalam basis pengetahuan.");
  });

  test("a supervisor says nothing again that the first sentence says", async () => {
    const { decision } = await decide(query, {
      sup: (said: Supervision) => ({ ...said, answer: `${said.answer}\n\n${said.answer.split(". ")[1]}.` }),
    });
    const lead = decision.answer.split("\n\n")[0] ?? "";
    expect(decision.answer.split(lead.split(". ")[1] ?? "").length).toBe(2);
  });

  test("a denied copy is no echo", async () => {
    const { reasons } = await decide(query, {
      nla: say("Pembagian sama besar sah menurut hukum yang berlaku di sini."),
      ala: say("Pembagian sama besar tidak sah menurut hukum yang berlaku di sini."),
    });
    expect(reasons).not.toContain("one_reading");
  });
});
