import { findStop } from "../rules/stop.ts";
import { askJudge, type Heard, holdRound, holdStanding, type Session } from "./session.ts";

/** Openings, then rounds of revision until enough speakers agree, nobody has an answer, or the last round is over (question spec §2.4). */
export async function roundTable(session: Session): Promise<Heard> {
  const { debate, config } = session;
  const rounds = [await holdRound(session, 1, "opening")];
  holdStanding(session, rounds);
  for (let n = 2; n <= config.max_rounds; n += 1) {
    const stop = findStop(rounds.at(-1), config.stop.agreement);
    debate.note("agreement", {
      after_round: n - 1,
      agreement: rounds.at(-1)?.agreement ?? 0,
      needed: config.stop.agreement,
      decision: stop === "silence" ? "stop_for_silence" : stop === "agreement" ? "stop" : "go_on",
    });
    if (stop) break;
    rounds.push(await holdRound(session, n, "revision"));
    holdStanding(session, rounds);
  }
  return { rounds, judgement: config.judge === true ? await askJudge(session, rounds) : null };
}
