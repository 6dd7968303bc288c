import { expect, test } from "vitest";
import { expertPlayer } from "../../../players/offline/expert-player.ts";
import { runDebate } from "../../../engine/run-debate.ts";
import { law } from "../pack.ts";

/** A debate of experts: its position, and each critique as its issue and what became of it. */
async function debate(query: string, config: object = {}) {
  const { result } = await runDebate({
    pack: law,
    input: { query },
    config: law.config.parse(config),
    cast: () => expertPlayer(),
  });
  if (!result.decision) throw new Error(result.reasons.join("; "));
  const { position, rounds, summary, answer, reasons } = result.decision;
  const courses = (summary?.critiques ?? []).map(
    ({ critique, status }) => `${critique.agent} ${critique.issue_type} ${critique.severity}: ${status}`,
  );
  const rejected = rounds
    .flatMap(({ nla, ala }) => [...nla.responses, ...ala.responses])
    .filter(({ response }) => response === "rejected");
  return { outcome: result.outcome, position, courses, rejected, answer, reasons };
}

const agreed =
  "Pasangan Jawa di Solo bercerai. Dulu mereka membuat perjanjian kawin pisah harta di notaris, tetapi istrinya menuntut separuh gono-gini menurut adat Jawa. Mana yang dipakai?";

test("an exception that the author does not look for is brought by the critic, and changes the position", async () => {
  expect((await debate(agreed, { critique: false })).position).toBe("E");
  const { position, courses } = await debate(agreed);
  expect(position).toBe("C");
  expect(courses).toContain("ALA logic_gap MAJOR: accepted");
});

test("an exception that the question itself rules out is contested, and the critic withdraws it", async () => {
  const { courses, rejected } = await debate(
    "Pasangan Jawa di Solo bercerai tanpa perjanjian kawin. Istrinya menuntut separuh gono-gini menurut adat Jawa dan UU Perkawinan.",
  );
  expect(courses).toContain("ALA logic_gap MAJOR: withdrawn");
  expect(courses.filter((course) => course.endsWith(": open"))).toEqual([]);
  expect(rejected.length).toBeGreaterThan(0);
});

test("that nobody invokes national law is contested where its rule decides whatever adat says, and withdrawn", async () => {
  const { position, courses } = await debate(
    "Keluarga di Wonogiri mau menikahkan anak perempuannya yang baru 16 tahun karena menurut adat Jawa sudah pantas berumah tangga. Bolehkah tanpa pengadilan?",
  );
  expect(position).toBe("A");
  expect(courses).toContain("ALA domain_mismatch MAJOR: withdrawn");
});

test("a clash over another kind of property than the case's does not decide: what was bought is low ancestral property", async () => {
  const { position } = await debate(
    "Ayah orang Pariaman meninggal dan meninggalkan ruko yang dibelinya sendiri dari hasil dagang. Kemenakannya meminta ruko itu, anak-anaknya yang Muslim menolak. Apa kata adat dan KHI?",
  );
  expect(position).toBe("E");
});

test("a divorce by adat gives way to the rule that only a court divorces", async () => {
  const { position, courses } = await debate(
    "Sepasang suami istri di Buleleng sudah bercerai secara adat di depan prajuru desa, belum pernah ke pengadilan. Suaminya bilang sudah sah dan mau kawin lagi. Benarkah?",
  );
  expect(position).toBe("A");
  expect(courses).toContain("NLA conflict MAJOR: accepted");
});

const inherited = "Datuk Rajo wafat di Bukittinggi. Anaknya bilang sawah itu pusako rendah.";

test("what decides is disputed: each reading says its condition, and a person is called", async () => {
  const told = await debate(`${inherited} Kemenakannya membantah: sawah itu pusako tinggi. Siapa yang berhak?`);
  expect(told.outcome).toBe("escalated");
  expect(told.answer).toContain(
    "Bila sawah termasuk pusako rendah: Menurut Adat Minangkabau – Pusako rendah kepada anak",
  );
  expect(told.answer).toContain(
    "Bila sawah termasuk pusako tinggi: Menurut Adat Minangkabau – Pusako tinggi milik kaum",
  );
  expect(told.courses).toContain("NLA logic_gap MAJOR: accepted");
  expect(told.reasons.at(-1)).toContain("apakah sawah termasuk pusako rendah; apakah sawah termasuk pusako tinggi");
});

test("the same story that nobody contradicts is decided", async () => {
  const told = await debate(`${inherited} Siapa yang berhak?`);
  expect(told.outcome).toBe("decided");
  expect(told.answer).not.toContain("Bila sawah");
});
