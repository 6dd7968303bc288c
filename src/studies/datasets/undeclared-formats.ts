import type { DatasetCase, DatasetFile, DatasetFormat, DatasetReading, DatasetRow } from "../../engine/pack.ts";
import { absaCase, absaSentences } from "./absa-cases.ts";
import { ruleCase, trickCase } from "./law-cases.ts";
import { semevalSentences } from "./semeval-xml.ts";

/** The formats of packs that do not declare theirs yet; a pack's line goes when it has `datasets`. */
export const undeclaredFormats: Record<string, Record<string, DatasetFormat>> = {
  sentiment: {
    absa: {
      about: "aspect sentiment: {id, lang, domain, text, aspects: [{term, from, to, polarity}]}",
      read: (file) => sentimentCases(absaSentences(file.rows("jsonl")), file),
    },
    semeval_xml: {
      about: "aspect sentiment: SemEval 2014, 2015 or 2016 XML",
      endings: [".xml"],
      read: (file) => sentimentCases(semevalSentences(file.text, file.path), file),
    },
  },
  law: {
    law_tricks: rowByRow("legal trick questions: {id, category, question, expected_behavior}", trickCase),
    law_rules: rowByRow("cases for a rule engine: {id, scenario, expected_symbolic_result}", ruleCase, "json"),
  },
};

type CaseOf = (row: DatasetRow, index: number) => DatasetCase;

function rowByRow(about: string, caseOf: CaseOf, layout: "jsonl" | "json" = "jsonl"): DatasetFormat {
  return { about, read: (file) => ({ cases: file.rows(layout).map(caseOf) }) };
}

function sentimentCases({ sentences, notes }: ReturnType<typeof absaSentences>, { path }: DatasetFile): DatasetReading {
  return { cases: sentences.map((sentence) => absaCase(sentence, path)), notes };
}
