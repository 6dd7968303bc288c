import type { Problem } from "../contract/turn.ts";

/** The code of a reply that is a refusal: asking again would pay for the refusal again. */
export const refused = "refused";

/** How a refusal begins, in each language that is asked in: who speaks says that it cannot or will not. */
const refusals = [
  /^(?:(?:i['’]?m|i am)(?: really| very| so)? sorry|sorry|my apologies|i apologi[sz]e|unfortunately|i appreciate [^.!]{0,60})?[^.!?]{0,40}\b(?:i|we)(?:['’]m| am| are|['’]re)? (?:can(?:no|['’])t|could ?n['’]t|won['’]t|will not|am not able|unable|not able|must decline|have to decline|decline|refuse|not comfortable)\b[^.!?]{0,40}\b(?:help|assist|compl(?:y|ete)|fulfil+|provide|do (?:that|this|so)|answer|continue|respond|engage|discuss|participate|generate|process|with (?:that|this)|to (?:this|that))/iu,
  /^(?:(?:mohon )?maaf|sayangnya)?[^.!?]{0,60}\b(?:tidak|tak|belum) (?:dapat|bisa|mampu|bersedia)\b[^.!?]{0,40}(?:bantu|jawab|penuhi|lanjutkan|lakukan|berikan|melayani|memproses)/iu,
  /^(?:정말 |대단히 )?(?:죄송|미안|유감)[^.!?]{0,80}(?:수 없|수가 없|어렵|못 ?합니다|않습니다)/u,
  /^[^.!?]{0,60}(?:도와\s?드릴|답변(?:해 드릴|할|드릴)|도움을 드릴|응할|제공할|처리할) 수(?:가)? 없/u,
];

/** Whether a text without JSON in it is a refusal in plain words. */
export function isRefusal(text: string): boolean {
  const opening = text.trim().slice(0, maxOpening).replaceAll(/\s+/g, " ");
  return refusals.some((refusal) => refusal.test(opening));
}

const maxOpening = 400;

/** Whether what is wrong with a reply is that it is a refusal. */
export function isRefused(problems: Problem[]): boolean {
  return problems.some(({ code }) => code === refused);
}
