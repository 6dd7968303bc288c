import * as z from "zod";
import { isRecord } from "../../../text/json.ts";
import { readLanguageCode } from "./stage1.ts";

const maxCharacters = 20_000;

export const SentimentCaseSchema = z.preprocess(
  liftAliases,
  z.strictObject({
    id: z.union([z.string(), z.number().transform(String)]).optional(),
    text: z
      .string()
      .refine((text) => text.trim() !== "", "the text is empty")
      .refine((text) => text.length <= maxCharacters, `the text is longer than ${maxCharacters} characters; split it`)
      .meta({ title: "The text" }),
    language_code: z
      .string()
      .refine((code) => readLanguageCode(code) !== null, "only ko and en are supported")
      .nullish()
      .meta({ title: "Language" }),
    domain: z.string().nullish().meta({ title: "What it is about" }),
  }),
);
export type SentimentCase = z.infer<typeof SentimentCaseSchema>;

function liftAliases(value: unknown): unknown {
  if (typeof value === "string") return { text: value };
  if (!isRecord(value)) return value;
  const { uid, text_id, lang, ...rest } = value;
  const id = rest.id ?? text_id ?? uid;
  const code = rest.language_code ?? lang;
  return {
    ...rest,
    ...(id === undefined ? {} : { id }),
    ...(code === undefined || code === "" ? {} : { language_code: code }),
  };
}
