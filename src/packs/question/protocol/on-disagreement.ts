import { findStop } from "../rules/stop.ts";
import type { Round } from "../schemas/decision.ts";
import { type Heard, holdRound, holdStanding, type Session } from "./session.ts";

/** A debate only where the openings disagree: then one revision, in which everyone reads one answer of each camp (question spec §2.6). */
export async function onDisagreement(session: Session): Promise<Heard> {
  const { debate, config, shown } = session;
  const opening = await holdRound(session, 1, "opening");
  holdStanding(session, [opening]);
  const stop = findStop(opening, config.stop.agreement);
  debate.note("agreement", {
    after_round: 1,
    agreement: opening.agreement,
    needed: config.stop.agreement,
    decision: stop === null ? "debate" : stop === "agreement" ? "stop" : "stop_for_silence",
  });
  if (stop) return { rounds: [opening], judgement: null, stop };
  shown.splice(0, shown.length, keepSpokesmen(shown[0] ?? opening));
  const revision = await holdRound(session, 2, "revision");
  return {
    rounds: [opening, revision],
    judgement: null,
    stop: findStop(revision, config.stop.agreement) ?? "max_rounds",
  };
}

/** The most confident speech of each camp. */
function keepSpokesmen(round: Round): Round {
  const camps = Map.groupBy(
    round.speeches.filter(({ canonical }) => canonical !== null),
    ({ canonical }) => canonical,
  );
  const spokesmen = [...camps.values()].flatMap(
    (camp) => camp.toSorted((a, b) => b.confidence - a.confidence)[0] ?? [],
  );
  return { ...round, speeches: round.speeches.filter((speech) => spokesmen.includes(speech)) };
}
