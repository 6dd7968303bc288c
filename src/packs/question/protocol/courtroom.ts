import { askJudge, type Heard, holdRound, holdStanding, type Session } from "./session.ts";

/** Two advocates: openings, rebuttals, and the judge (question spec §2.2). */
export async function courtroom(session: Session): Promise<Heard> {
  const rounds = [await holdRound(session, 1, "opening")];
  holdStanding(session, rounds);
  rounds.push(await holdRound(session, 2, "rebuttal"));
  return { rounds, judgement: await askJudge(session, rounds) };
}
