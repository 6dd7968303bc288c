import { noCost } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { turnIdOf } from "../contract/turn.ts";
import { noUsage } from "../contract/usage.ts";
import type { Player } from "../engine/player.ts";
import type { AnyRole } from "../engine/role.ts";
import { throwIfInterrupted } from "./with-retry.ts";

/** Plays a role with its built-in program: deterministic, offline, free. `roles` are those that errors can point to. */
export function expertPlayer(roles: readonly AnyRole[] = []): Player {
  return {
    id: "expert",
    deterministic: true,
    async play(role, input, turn) {
      if (role.expert === undefined) throw createNoExpertError(role, roles);
      throwIfInterrupted(turn.signal);
      await turn.reserve(noCost);
      try {
        const value = await role.expert(input);
        return { reply: { value }, usage: { ...noUsage, calls: 1 }, finish: null, final: true };
      } catch (cause) {
        if (cause instanceof ParleyError) throw cause;
        const what = cause instanceof Error ? cause.message : String(cause);
        throw new ParleyError("expert_failed", `the expert of ${turnIdOf(turn.key)} failed: ${what}`, { cause });
      }
    },
  };
}

function createNoExpertError(role: AnyRole, roles: readonly AnyRole[]): ParleyError {
  const having = roles.filter((one) => one.expert !== undefined).map((one) => one.name);
  const known = having.length === 0 ? "" : ` (roles with an expert: ${having.join(", ")})`;
  return new ParleyError("bad_cast", `role "${role.name}" has no expert: cast a model or a person${known}`);
}
