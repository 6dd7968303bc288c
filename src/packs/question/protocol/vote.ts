import { holdRound, type Heard, type Session } from "./session.ts";

/** Independent openings, then a vote; with one speaker, that speaker decides (question spec §2). */
export async function vote(session: Session): Promise<Heard> {
  return { rounds: [await holdRound(session, 1, "opening")], judgement: null };
}
