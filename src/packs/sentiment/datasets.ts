import type { DatasetFile, DatasetFormat, DatasetReading } from "../../engine/pack.ts";
import { makeAbsaCase, readAbsaRows } from "./datasets/absa-cases.ts";

/** The files of labelled aspects that a study may name. */
export const datasets: Record<string, DatasetFormat> = {
  absa: {
    about: "aspect sentiment: {id, lang, domain, text, aspects: [{term, from, to, polarity}]}",
    read: (file) => makeCases(readAbsaRows(file.rows("jsonl")), file),
  },
  semeval_xml: {
    about: "aspect sentiment: SemEval 2014, 2015 or 2016 XML",
    endings: [".xml"],
    read: async (file) => {
      const { readSemevalXml } = await import("./datasets/semeval-xml.ts");
      return makeCases(readSemevalXml(file.text, file.path), file);
    },
  },
};

function makeCases({ sentences, notes }: ReturnType<typeof readAbsaRows>, { path }: DatasetFile): DatasetReading {
  return { cases: sentences.map((sentence) => makeAbsaCase(sentence, path)), notes };
}
