import type { Answer } from "../../../engine/debate.ts";
import type { Role } from "../../../engine/role.ts";
import type { SpeakerInput } from "../roles/role-inputs.ts";
import type { Speech } from "../schemas/reply.ts";
import { type Heard, holdStanding, type Session } from "./session.ts";
import { settleRound } from "./settle-round.ts";

/** One speaker, asked several times independently; each sample is a voice (question spec §2.3). */
export async function selfConsistency(session: Session): Promise<Heard> {
  const { debate, config } = session;
  const numbers = Array.from({ length: config.samples }, (_, index) => index + 1);
  const round = await debate.round(1, async () => settleRound(session, 1, await takeSamples(session, numbers)));
  holdStanding(session, [round]);
  return { rounds: [round], judgement: null };
}

/** Takes samples by their numbers, at once; the speakers take turns. */
export async function takeSamples({ debate, roles, brief }: Session, numbers: number[]): Promise<Answer<Speech>[]> {
  const speakers = roles.speakers(brief.speakers) as [Role<SpeakerInput, Speech>, ...Role<SpeakerInput, Speech>[]];
  const input: SpeakerInput = { ...brief, history: [], own: null, task: "opening" };
  const taken = await Promise.all(
    numbers.map(async (number) => {
      const role = speakers[(number - 1) % speakers.length] ?? speakers[0];
      const reply = await debate.tryAsk(role, input, `sample-${number}`);
      return reply ? [{ role: `sample-${number}`, reply }] : [];
    }),
  );
  return taken.flat();
}
