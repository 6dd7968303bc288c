import { hasCode } from "../contract/error.ts";
import type { Field } from "../contract/form.ts";
import { describeProblem, type Problem, turnIdOf, type TurnKey } from "../contract/turn.ts";
import type { AnyPack } from "../engine/pack.ts";
import type { Player } from "../engine/player.ts";
import { readReply } from "../engine/read-reply.ts";
import type { AnyRole } from "../engine/role.ts";
import type { CastOptions } from "../players/endpoints.ts";
import { parseCast } from "../players/cast.ts";
import { addKnown, makeForm, parked, type PersonForm, type PersonPort } from "../players/person.ts";
import { listAttempts, type StoredRun } from "./read-run.ts";
import { replay } from "./redecide.ts";

type WaitingTurn = {
  key: TurnKey;
  role: AnyRole;
  prompt: string[];
  schema: Field;
  problems: string[];
  /** Problems by the role's schema and its own checks; null abstains and is always valid. */
  check(reply: unknown): { isReadable: boolean; problems: Problem[] };
};

/** Replays a run, calling nobody, up to the turn that waits for a person; null if there is none. */
export async function findWaitingTurn(
  pack: AnyPack,
  stored: StoredRun,
  options: CastOptions,
): Promise<WaitingTurn | null> {
  const { manifest } = stored.run;
  const config: unknown = pack.config.parse(manifest.config);
  const roles = pack.roles(config).map((role) => role.name);
  const { roles: plan } = parseCast(manifest.cast, roles, options);
  const found: WaitingTurn[] = [];
  const missing: Player = {
    id: "person",
    async play(role, input, turn) {
      const { system, shared, own } = turn.rendered;
      if (plan[role.name]?.kind === "person")
        found.push({
          key: turn.key,
          role,
          prompt: [system, ...shared, ...own],
          schema: makeForm(role, input, turn.rendered),
          problems: listProblems(stored, turn.key),
          check(reply) {
            if (reply === null) return { isReadable: true, problems: [] };
            const value = addKnown(role, input, reply);
            const read = readReply(role, input, turn, { reply: { value }, finish: null });
            return { isReadable: read.value !== null, problems: read.problems };
          },
        });
      throw parked(turn.key);
    },
  };
  await replay(pack, stored, config, { missing }).catch((error: unknown) => {
    if (!hasCode(error, "parked")) throw error;
  });
  return found[0] ?? null;
}

function listProblems({ entries }: StoredRun, key: TurnKey): string[] {
  const last = listAttempts(entries).findLast((body) => turnIdOf(body.turn) === turnIdOf(key));
  return (last?.attempt.problems ?? []).map(describeProblem);
}

/** A person with one known reply. A second turn waits again; problems of the first are reported. */
export function answerOnce(
  reply: unknown,
  who: Pick<PersonPort, "by" | "overrule"> = {},
  onRefused: (key: TurnKey, refused: NonNullable<PersonForm["earlier"]>) => void = () => undefined,
): PersonPort {
  let isGiven = false;
  return {
    ...who,
    answer: async (form) => {
      if (isGiven) {
        if (form.earlier !== null) onRefused(form.key, form.earlier);
        throw parked(form.key);
      }
      isGiven = true;
      return reply;
    },
  };
}
