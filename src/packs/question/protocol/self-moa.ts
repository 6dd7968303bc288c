import { takeSamples } from "./self-consistency.ts";
import { askJudge, type Heard, holdStanding, type Session, showRound } from "./session.ts";
import { settleRound } from "./settle-round.ts";

/** One speaker, asked several times independently; a judge reads all the samples and aggregates them (question spec §2.9). */
export async function selfMoa(session: Session): Promise<Heard> {
  const { debate, config } = session;
  const numbers = Array.from({ length: config.samples }, (_, index) => index + 1);
  const round = await debate.round(1, async () => settleRound(session, 1, await takeSamples(session, numbers)));
  showRound(session, round);
  holdStanding(session, [round]);
  return { rounds: [round], judgement: await askJudge(session, [round]) };
}
