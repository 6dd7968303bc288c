import { createSentimentPack } from "./create-pack.ts";
import { experts } from "./experts/experts.ts";

/** Aspect-based sentiment in Korean and English, with the built-in experts. */
export const sentiment = createSentimentPack(experts);
