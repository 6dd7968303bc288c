import type { Answer } from "../../../engine/debate.ts";
import { recordRound } from "../rules/record-round.ts";
import { measureCertainty } from "../../../text/vote-certainty.ts";
import { tally } from "../rules/tally.ts";
import type { Speech } from "../schemas/reply.ts";
import { takeSamples } from "./self-consistency.ts";
import { type Heard, holdStanding, type Session } from "./session.ts";
import { settleRound } from "./settle-round.ts";

/** The first samples, which are taken at once: fewer cannot be certain. */
const first = 3;

/** Independent openings, one after the other, until more of them would hardly change the vote (question spec §2.5). */
export async function adaptiveVote(session: Session): Promise<Heard> {
  const { debate, config, brief } = session;
  const heard: Answer<Speech>[] = [];
  let asked = 0;
  let isCertain = false;
  const round = await debate.round(1, async () => {
    while (asked < config.samples && !isCertain) {
      const more = Math.min(asked === 0 ? first : 1, config.samples - asked);
      heard.push(
        ...(await takeSamples(
          session,
          Array.from({ length: more }, (_, index) => asked + index + 1),
        )),
      );
      asked += more;
      const soFar = recordRound(brief.question, 1, heard);
      const [lead = 0, next = 0] = tally(soFar.speeches).map((camp) => camp.speakers.length);
      const certainty = measureCertainty(lead, next);
      isCertain = certainty >= config.stop.certainty;
      debate.note("certainty", {
        samples: asked,
        lead,
        next,
        certainty,
        needed: config.stop.certainty,
        stop: isCertain,
      });
      holdStanding(session, [soFar]);
    }
    return settleRound(session, 1, heard);
  });
  return { rounds: [round], judgement: null, asked, stop: isCertain ? "certainty" : "fixed" };
}
