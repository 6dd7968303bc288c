import * as z from "zod";
import { ParleyError } from "../../../contract/error.ts";
import type { DatasetCase, DatasetRow } from "../../../engine/pack.ts";
import type { AbsaSentence, LabelledAspect } from "./absa-sentence.ts";

const AspectRowSchema = z.looseObject({
  term: z.string().nullish(),
  from: z.int().nullish(),
  to: z.int().nullish(),
  polarity: z.string(),
  category: z.string().optional(),
});

/** A row of an ABSA file: `{id, lang, domain, text, aspects: [{term, from, to, polarity}]}`. */
const AbsaRowSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  lang: z.string().nullish(),
  domain: z.string().nullish(),
  text: z.string(),
  aspects: z.array(AspectRowSchema),
});

/** The sentences of ABSA rows; labels of polarity `conflict` are left out and counted. */
export function readAbsaRows(rows: DatasetRow[]): { sentences: AbsaSentence[]; notes: string[] } {
  let conflicts = 0;
  const sentences = rows.map(({ value, at }): AbsaSentence => {
    const row = AbsaRowSchema.safeParse(value);
    if (!row.success)
      throw new ParleyError(
        "bad_input",
        `${at}: ${row.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")}`,
      );
    const { id, lang, domain, text, aspects } = row.data;
    const kept = aspects.filter((aspect) => aspect.polarity !== "conflict");
    conflicts += aspects.length - kept.length;
    return {
      id: id === undefined ? at : String(id),
      text,
      language: lang ?? null,
      domain: domain ?? null,
      aspects: kept.map(toLabel),
    };
  });
  return { sentences, notes: conflicts > 0 ? [`${conflicts} labels of polarity "conflict" were left out`] : [] };
}

function toLabel({ term, from, to, polarity, category }: z.infer<typeof AspectRowSchema>): LabelledAspect {
  return {
    term: term ?? null,
    from: from ?? 0,
    to: to ?? 0,
    polarity,
    ...(category === undefined ? {} : { category }),
  };
}

/** A sentence as a case: the text for the players, the labelled aspects as gold. */
export function makeAbsaCase({ id, text, language, domain, aspects }: AbsaSentence, path: string): DatasetCase {
  return {
    id,
    input: { text, ...(language === null ? {} : { language_code: language }) },
    gold: { aspects: aspects.map(({ term, polarity }) => ({ term: term ?? "", polarity })) },
    strata: {
      ...(domain === null ? {} : { domain }),
      aspects: aspects.length > 3 ? "4 or more" : String(aspects.length),
    },
    at: `${path} ${id}`,
  };
}
