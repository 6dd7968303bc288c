import { recordRound } from "../rules/record-round.ts";
import { askJudge, type Heard, holdRound, holdStanding, type Session } from "./session.ts";

/**
 * A proposer, an independent critic and a judge that verifies: both open without seeing each other, the critic then looks
 * for what is wrong with the proposal, and the judge checks what both rest on. There is no rebuttal (question spec §2.7).
 */
export async function critic(session: Session): Promise<Heard> {
  const { brief, shown } = session;
  const [proposer = "", reviewer = ""] = Object.keys(brief.speakers);
  const opening = await holdRound(session, 1, "opening");
  holdStanding(session, [opening]);
  const critique = await holdRound(session, 2, "critique", [reviewer]);
  const standing = [...opening.speeches.filter(({ speaker }) => speaker === proposer), ...critique.speeches];
  const round = recordRound(
    brief.question,
    2,
    standing.map((speech) => ({ role: speech.speaker, reply: speech })),
  );
  shown.splice(1, 1, round);
  const rounds = [opening, round];
  return { rounds, judgement: await askJudge(session, rounds) };
}
