import type { DatasetFile, DatasetFormat, DatasetReading } from "../../engine/pack.ts";
import type { AbsaSentence } from "./datasets/absa-sentence.ts";

/** The files of labelled aspects that a study may name; their readers are loaded when a study does. */
export const datasets: Record<string, DatasetFormat> = {
  absa: {
    about: "aspect sentiment: {id, lang, domain, text, aspects: [{term, from, to, polarity}]}",
    read: async (file) => {
      const { readAbsaRows } = await import("./datasets/absa-cases.ts");
      return makeCases(readAbsaRows(file.rows("jsonl")), file);
    },
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

type Sentences = { sentences: AbsaSentence[]; notes: string[] };

async function makeCases({ sentences, notes }: Sentences, { path }: DatasetFile): Promise<DatasetReading> {
  const { makeAbsaCase } = await import("./datasets/absa-cases.ts");
  return { cases: sentences.map((sentence) => makeAbsaCase(sentence, path)), notes };
}
