import { expect, test } from "vitest";
import { runDebate } from "../src/engine/run-debate.ts";
import type { Player } from "../src/engine/player.ts";
import type { AgentOutput } from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";
import { expertPlayer } from "../src/players/offline/expert-player.ts";

/** The position of a debate of experts in which agents may be made to claim nothing. */
async function decide(query: string, silenced: string[] = []) {
  const player: Player = {
    id: "experts, some silenced",
    async play(role, input, turn) {
      const played = await expertPlayer().play(role, input, turn);
      if (!silenced.includes(role.name) || !("value" in played.reply)) return played;
      const value = played.reply.value as AgentOutput;
      return { ...played, reply: { value: { ...value, claims: [], responses: [] } } };
    },
  };
  const config = law.config.parse({});
  const { result } = await runDebate({ pack: law, input: { query }, config, cast: () => player });
  if (!result.decision) throw new Error(result.reasons.join("; "));
  return result.decision;
}

const clash =
  "Anak perempuan Bali menuntut bagian waris yang sama menurut KUHPerdata, keluarganya menolak menurut adat.";

test("E: both laws survive and lead to the same result, and neither is said to prevail", async () => {
  const { position, answer, used_claims } = await decide(
    "How is jointly acquired property divided when a Javanese couple divorces, under the Marriage Law and adat?",
  );
  expect(position).toBe("E");
  expect(answer).toContain("Position E: national and adat law lead to the same result.");
  expect(answer).not.toMatch(/prevails|national law decides/);
  for (const agent of ["NLA:", "ALA:"]) expect(used_claims.some((name) => name.startsWith(agent))).toBe(true);
});

test("C: both survive and clash", async () => expect((await decide(clash)).position).toBe("C"));

test("B: only adat survives", async () => expect((await decide(clash, ["nla"])).position).toBe("B"));

test("A: only national law survives", async () => expect((await decide(clash, ["ala"])).position).toBe("A"));

test("D: nothing bears on the question", async () => {
  expect((await decide("Berapa tarif pajak kendaraan bermotor listrik?")).position).toBe("D");
  expect((await decide(clash, ["nla", "ala"])).position).toBe("D");
});

test("not B: all adat claims fall as domain_mismatch on a question of national law", async () => {
  const { position, rounds, summary } = await decide(
    "Menurut KUHPerdata, berapa bagian mutlak seorang anak sah? Keluarga tinggal di Bali.",
  );
  expect(position).toBe("A");
  const fallen = summary?.critiques.filter(({ critique }) => critique.issue_type === "domain_mismatch") ?? [];
  expect(rounds.at(-1)?.ala.claims.length).toBe(0);
  expect(fallen.every(({ status }) => status === "accepted")).toBe(true);
});
