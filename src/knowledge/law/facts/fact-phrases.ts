import { readAtom } from "../rules/atom.ts";
import { nameConstant } from "../rules/phrase.ts";
import type { Fact } from "../rules/rule.ts";

type Language = "id" | "en";
type Say = Record<Language, string>;

/** What a fact says, by its predicate; `{0}`, `{1}`… are its arguments. */
const statements: Record<string, Say> = {
  accepts: { id: "warisan diterima dengan {0}", en: "the estate is accepted with {0}" },
  acknowledged: { id: "{0} diakui", en: "the {0} is acknowledged" },
  acquired: { id: "{0} diperoleh dengan {1}", en: "the {0} was acquired by {1}" },
  act: { id: "ada {0} atas {1}", en: "there was a {0} of the {1}" },
  age: { id: "umur {0} {1} tahun", en: "the {0} is {1} years old" },
  built_on: { id: "{0} itu berdiri di atas {1}", en: "the {0} stands on {1}" },
  camput: { id: "keluarga itu camput (tanpa penerus)", en: "the family has died out (camput)" },
  ceremony: { id: "upacara {0} dilakukan", en: "the ceremony of {0} was held" },
  certified: { id: "{0} sudah bersertipikat", en: "the {0} is certified" },
  class: { id: "{0} termasuk {1}", en: "the {0} is {1}" },
  consensus: { id: "ada mufakat atas {0}", en: "there is agreement over the {0}" },
  consent: { id: "{0} menyetujui", en: "the {0} consents" },
  count: { id: "jumlah {0} {1}", en: "the number of {0} is {1}" },
  court: { id: "ada putusan atau penetapan pengadilan tentang {0}", en: "a court has decided on the {0}" },
  debts: { id: "{0} dibebani utang", en: "the {0} is burdened with debts" },
  deposited: { id: "{0} dititipkan", en: "the {0} was deposited" },
  divorced: { id: "{0} sudah bercerai", en: "the {0} are divorced" },
  duties: { id: "{0} menjalankan kewajiban adatnya", en: "the {0} performs the adat duties" },
  exists: { id: "ada {0}", en: "there is a {0}" },
  form: { id: "{0} dibuat dalam bentuk {1}", en: "the {0} was made in the form {1}" },
  inherited_before: { id: "{0} sudah pernah turun waris", en: "the {0} has passed by inheritance before" },
  killed: { id: "{0} bersalah membunuh pewaris", en: "the {0} killed the deceased" },
  line_extinct: { id: "garis {0} sudah punah", en: "the line of the {0} has died out" },
  marriage_form: { id: "perkawinannya {0}", en: "the marriage is {0}" },
  married_out: { id: "{0} kawin keluar", en: "the {0} married out" },
  person: { id: "ada {0}", en: "there is a {0}" },
  predeceased: { id: "{0} meninggal lebih dulu", en: "the {0} died first" },
  practice: { id: "kebiasaan {0} dipakai", en: "the custom of {0} is followed" },
  proven: { id: "{0} terbukti", en: "{0} is proven" },
  public: { id: "{0} dilakukan terang (diketahui umum)", en: "the {0} was done openly" },
  purpose: { id: "{0} itu untuk {1}", en: "the {0} is for {1}" },
  registered: { id: "{0} sudah dicatat", en: "the {0} is registered" },
  rejects: { id: "{0} menolak warisan", en: "the {0} rejects the inheritance" },
  religion: { id: "agamanya {0}", en: "the religion is {0}" },
  religion_changed: { id: "{0} pindah agama", en: "the {0} changed religion" },
  remarried: { id: "{0} kawin lagi", en: "the {0} has remarried" },
  subject_to: { id: "para pihak tunduk pada {0}", en: "the parties are subject to {0}" },
  will_share: { id: "bagian yang diwasiatkan {0}", en: "the share that was willed is {0}" },
  witnesses: { id: "ada {0} saksi", en: "there are {0} witnesses" },
};

/** What a fact says of a thing that the question does not name apart from what it is. */
const itself: Record<string, Say> = { class: { id: "hartanya termasuk {1}", en: "it is {1}" } };

/** What is asked for when a fact leaves its last argument open. */
const amounts: Record<string, Say> = {
  age: { id: "umur {0}", en: "the age of the {0}" },
  count: { id: "jumlah {0}", en: "the number of {0}" },
  purpose: { id: "keperluan {0} itu", en: "the purpose of the {0}" },
  will_share: { id: "besar bagian yang diwasiatkan", en: "the share that was willed" },
};

const isNamed: Record<string, Say> = {
  civil_code: { id: "KUHPerdata", en: "the Civil Code" },
  islamic: { id: "hukum Islam (KHI)", en: "Islamic law (KHI)" },
  adoption: { id: "pengangkatan anak", en: "adoption" },
  spouses: { id: "suami istri", en: "spouses" },
  family: { id: "keluarga", en: "family" },
  children: { id: "anak", en: "children" },
  purchase: { id: "pembelian", en: "purchase" },
  clearing: { id: "pembukaan lahan", en: "clearing" },
  inventory: { id: "pencatatan harta", en: "an inventory" },
  paternity: { id: "hubungan dengan ayah", en: "paternity" },
  islam: { id: "Islam", en: "Islam" },
  two: { id: "dua", en: "two" },
  oral: { id: "lisan", en: "oral" },
  notarial: { id: "akta notaris", en: "a notarial deed" },
};

/** A fact as a clause: "anak perempuan pindah agama". */
export function sayFact(fact: Fact, language: Language): string {
  const { name, args, negated } = readParts(fact);
  const template = (args[0] === args[1] ? itself[name] : statements[name])?.[language];
  const said = args.map((arg) => isNamed[arg]?.[language] ?? nameConstant(arg, language));
  if (!template) return `${negated ? writeNot(language) : ""}${name.replaceAll("_", " ")}: ${said.join(", ")}`;
  return `${negated ? writeNot(language) : ""}${template.replaceAll(/\{(\d)\}/g, (_, index: string) => said[Number(index)] ?? "…")}`;
}

/** What to ask about a fact that nobody stated: whether it is so, or how much. */
export function askFact(fact: Fact, language: Language): string {
  const { name, args } = readParts(fact);
  const amount = args.includes("?") ? amounts[name]?.[language] : undefined;
  if (amount) return amount.replace("{0}", isNamed[args[0] ?? ""]?.[language] ?? nameConstant(args[0] ?? "", language));
  return `${language === "en" ? "whether" : "apakah"} ${sayFact(fact, language)}`;
}

/** What has to be found out about facts, each once: whether a fact is so or not is one question. */
export function askFacts(facts: Fact[], language: Language): string[] {
  return [...new Set(facts.map((fact) => askFact(fact.replace(/^not /, ""), language)))];
}

function readParts(fact: Fact): { name: string; args: string[]; negated: boolean } {
  const { predicate, args, negated } = readAtom(fact);
  return { name: predicate, args: [...args], negated };
}

function writeNot(language: Language): string {
  return language === "en" ? "it is not so that " : "tidak ";
}
