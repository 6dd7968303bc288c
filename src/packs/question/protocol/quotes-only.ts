import { askJudge, type Heard, holdRound, holdStanding, type Session } from "./session.ts";

/** Independent openings, then a judge that sees the answers and the verified quotes in the order of the documents, and nothing else (question spec §2.8). */
export async function quotesOnly(session: Session): Promise<Heard> {
  const rounds = [await holdRound(session, 1, "opening")];
  holdStanding(session, rounds);
  return { rounds, judgement: await askJudge(session, rounds, "quotes") };
}
