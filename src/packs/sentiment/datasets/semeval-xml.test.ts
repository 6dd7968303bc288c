import { expect, it } from "vitest";
import { readSemevalXml } from "./semeval-xml.ts";

it("reads the 2014 layout: terms, entities, no aspects, conflict", () => {
  const { sentences, notes } = readSemevalXml(
    `<?xml version="1.0" encoding="UTF-8"?>
<sentences>
  <sentence id="7"><text>The soup &amp; bread were fine, the bill was not.</text>
    <aspectTerms>
      <aspectTerm term="soup &amp; bread" polarity="positive" from="4" to="16"/>
      <aspectTerm term="bill" polarity="conflict" from="32" to="36"/>
    </aspectTerms>
    <aspectCategories><aspectCategory category="food" polarity="positive"/></aspectCategories>
  </sentence>
  <sentence id="8"><text>We came on a Monday.</text></sentence>
</sentences>`,
    "rest14.xml",
  );
  expect(sentences).toEqual([
    {
      id: "7",
      text: "The soup & bread were fine, the bill was not.",
      language: null,
      domain: null,
      aspects: [{ term: "soup & bread", from: 4, to: 16, polarity: "positive" }],
    },
    { id: "8", text: "We came on a Monday.", language: null, domain: null, aspects: [] },
  ]);
  expect(notes).toEqual(['1 labels of polarity "conflict" were left out']);
});

it("reads the 2015 and 2016 layout: opinions, unnamed targets, sentences out of scope", () => {
  const { sentences, notes } = readSemevalXml(
    `<Reviews><Review rid="1"><sentences>
  <sentence id="1:0"><text>Loved it, and 😀 the tea too.</text><Opinions>
    <Opinion target="NULL" category="PLACE#GENERAL" polarity="positive" from="0" to="0"/>
    <Opinion target="tea" category="DRINKS#QUALITY" polarity="positive" from="20" to="23"/>
  </Opinions></sentence>
  <sentence id="1:1" OutOfScope="TRUE"><text>My cat agrees.</text></sentence>
</sentences></Review><Review rid="2"><sentences/></Review></Reviews>`,
    "rest16.xml",
  );
  const text = sentences[0]?.text ?? "";
  expect(sentences).toHaveLength(1);
  expect(sentences[0]?.aspects[0]).toMatchObject({ term: null, category: "PLACE#GENERAL" });
  const tea = sentences[0]?.aspects[1];
  expect(text.slice(tea?.from, tea?.to)).toBe("tea");
  expect(notes).toEqual(["1 sentences marked out of scope were left out"]);
});

it.each([
  ["broken XML", "<sentences><sentence>", /not valid XML/],
  ["another layout", "<rows/>", /neither <sentences>/],
])("refuses %s", (_what, text, message) => expect(() => readSemevalXml(text, "x.xml")).toThrow(message));
