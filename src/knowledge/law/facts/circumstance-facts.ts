import type { Fact } from "../rules/rule.ts";
import type { Asset } from "./asset-facts.ts";
import { isNegated, mentionsOf, names, nearest, type Reading, reads } from "./reading.ts";

/** What happened around the case: marriages, divorces, acknowledgement, duties, conversion, certificates, extinct lines. */
export function circumstanceFacts(reading: Reading, assets: Asset[]): Fact[] {
  return [
    ...marriageFacts(reading),
    ...childFacts(reading),
    ...debtFacts(reading),
    ...conductFacts(reading),
    ...landFacts(reading, assets),
    ...lineFacts(reading),
  ];
}

function marriageFacts(reading: Reading): Fact[] {
  const facts: Fact[] = [];
  if (names(reading, "divorce")) facts.push("divorced(spouses)");
  if (
    names(reading, "divorce") &&
    reads(
      reading,
      /tanpa (?:sidang|pengadilan|putusan)|di luar (?:sidang|pengadilan)|hanya diucapkan|outside (?:the )?court|without (?:a )?court/u,
    )
  )
    facts.push("not court(divorce)");
  for (const form of ["nyentana", "pada_gelahang"]) if (names(reading, form)) facts.push(`marriage_form(${form})`);
  if (names(reading, "suku")) facts.push("marriage_form(same_suku)");
  const offices = mentionsOf(reading, "civil_registry");
  if (offices.some(({ start }) => !isNegated(reading, start, 2)) || reads(reading, /(?<!tidak )tercatat|registered/u))
    facts.push("registered(marriage)");
  if (names(reading, "marries_out")) facts.push("married_out(daughter)");
  for (const spouse of ["widow", "widower"]) {
    const again = mentionsOf(reading, "second_wife")[0];
    if (again && names(reading, spouse))
      facts.push(`${isNegated(reading, again.start) ? "not " : ""}remarried(${spouse})`);
  }
  const [, age] =
    /(?:berusia|umur|usia|aged?|berumur)\s*(\d{1,2})|(\d{1,2})(?= tahun (?:ingin |akan |hendak )?(?:menikah|kawin))/u.exec(
      reading.text,
    ) ?? [];
  if (age && names(reading, "marriage", "marriage_age")) facts.push(`age(spouse, ${age})`);
  if (age && names(reading, "will")) facts.push(`age(testator, ${age})`);
  return facts;
}

function childFacts(reading: Reading): Fact[] {
  const facts: Fact[] = [];
  const [acknowledged] = mentionsOf(reading, "acknowledgement");
  if (acknowledged && names(reading, "child_out_of_wedlock", "anak_astra")) {
    facts.push(`${isNegated(reading, acknowledged.start, 2) ? "not " : ""}acknowledged(child_out_of_wedlock)`);
  }
  if (names(reading, "dna")) facts.push("proven(paternity)");
  if (
    names(reading, "grandchild", "representation") &&
    reads(
      reading,
      /lebih dulu|lebih dahulu|mendahului|sudah meninggal|telah meninggal|died (?:before|earlier|first)|predeceased|already dead/u,
    )
  )
    facts.push("predeceased(parent)");
  const [ceremony] = mentionsOf(reading, "sentana_peperasan");
  if (ceremony && names(reading, "adopted_child", "sentana_peperasan"))
    facts.push(`${isNegated(reading, ceremony.start) ? "not " : ""}ceremony(adoption)`);
  if (names(reading, "adopted_child") && reads(reading, /diam-diam|secara rahasia|tidak diketahui|secretly/u))
    facts.push("not public(adoption)");
  else if (
    names(reading, "adopted_child") &&
    reads(reading, /secara terang|diketahui (?:kerabat|keluarga|masyarakat)|publicly|openly/u)
  )
    facts.push("public(adoption)");
  return facts;
}

function debtFacts(reading: Reading): Fact[] {
  const facts: Fact[] = [];
  if (names(reading, "debt") && names(reading, "heir", "estate", "deceased", "rejection", "acceptance"))
    facts.push("debts(estate)");
  if (names(reading, "rejection")) facts.push("rejects(heir)");
  if (reads(reading, /hak (?:istimewa )?pencatatan|beneficia|benefit of inventory/u)) facts.push("accepts(inventory)");
  return facts;
}

function conductFacts(reading: Reading): Fact[] {
  const persons = reading.mentions.filter(
    ({ concept }) => concept.type === "person" && !["deceased", "heir", "relative", "parent"].includes(concept.id),
  );
  const who = (at: number) => nearest(persons, at)?.concept.id ?? "child";
  const facts: Fact[] = [];
  const [converted] = mentionsOf(reading, "conversion");
  if (converted)
    facts.push(`${isNegated(reading, converted.start) ? "not " : ""}religion_changed(${who(converted.start)})`);
  const [duty] = mentionsOf(reading, "ngayah");
  const abandoned = reads(
    reading,
    /(?:tidak|tanpa|enggan|meninggalkan|melalaikan|mengabaikan|never|not|neglect\w*|abandon\w*)[^.?;]{0,25}(?:ngayah|kewajiban|duties)/u,
  );
  if (duty && abandoned) facts.push(`not duties(${who(duty.start)})`);
  else if (
    duty &&
    reads(
      reading,
      /(?:menjalankan|melaksanakan|memenuhi|tetap|fulfil\w*|performs?)[^.?;]{0,25}(?:ngayah|kewajiban|duties)/u,
    )
  )
    facts.push(`duties(${who(duty.start)})`);
  const [killer] = mentionsOf(reading, "killer");
  if (killer)
    facts.push(
      `killed(${
        nearest(
          persons.filter(({ concept }) => concept.id !== "killer"),
          killer.start,
        )?.concept.id ?? "heir"
      })`,
    );
  return facts;
}

function landFacts(reading: Reading, assets: Asset[]): Fact[] {
  const facts: Fact[] = [];
  const [certificate] = mentionsOf(reading, "land_certificate");
  const lands = assets.filter(({ id }) => !["savings", "estate", "pusaka_jawa"].includes(id));
  const certified = certificate ? nearest(lands, certificate.start) : undefined;
  if (certified) facts.push(`certified(${certified.id})`);
  if (
    names(reading, "house") &&
    names(reading, "pusako_tinggi") &&
    reads(reading, /membangun|dibangun|mendirikan|didirikan|built|build/u)
  )
    facts.push("built_on(house, pusako_tinggi)");
  return facts;
}

function lineFacts(reading: Reading): Fact[] {
  const facts: Fact[] = [];
  const ended = names(reading, "kaum", "pusako_tinggi", "matrilineal") && reads(reading, /\b(?:putus|habis)\b/u);
  const asked = reads(reading, /(?:apakah|dianggap|is|would)[^.?]{0,60}(?:punah|extinct)\s*\?/u);
  if ((names(reading, "clan_extinct") && !asked) || ended) facts.push("line_extinct(kaum)");
  if (names(reading, "camput")) facts.push("camput(family)");
  const practices = ["sepikul_segendongan", "dundum_kupat"].filter((practice) => names(reading, practice));
  if (practices.length === 1) facts.push(`practice(${practices[0]})`);
  return facts;
}
