import { describeEndpoints, type EndpointDescription } from "../players/endpoints.ts";
import type { UserConfig } from "./settings.ts";
import type { HeldRun } from "../store/lease.ts";
import { formatDuration } from "../text/format.ts";

export type DoctorCheck = { name: string; state: "ok" | "note" | "wrong"; message: string; fix?: string };

const namedRuns = 10;

export function checkHeld(held: readonly HeldRun[]): DoctorCheck[] {
  const checks = held.slice(0, namedRuns).map(describeHeld);
  const others = held.length - checks.length;
  return others === 0
    ? checks
    : [...checks, { name: "held runs", state: "note", message: `and ${others} more in use` }];
}

function describeHeld({ run, epoch, holder, state, leftMs }: HeldRun): DoctorCheck {
  const who = `process ${holder.pid} on ${holder.host} (epoch ${epoch})`;
  const name = `run ${run}`;
  if (state === "held")
    return {
      name,
      state: "ok",
      message: `${who} holds it; the lease ends in ${formatDuration(leftMs)} unless renewed`,
    };
  const why = state === "gone" ? "which is gone" : "whose lease has run out";
  return { name, state: "note", message: `was left by ${who}, ${why}`, fix: `parley resume ${run}` };
}

export function checkEndpoints(
  env: Record<string, string | undefined>,
  { endpoints, prices }: Pick<UserConfig, "endpoints" | "prices">,
): DoctorCheck[] {
  return describeEndpoints({ env, endpoints, prices }).map(checkEndpoint);
}

function checkEndpoint({ name, base_url, key_variables, key_set, problem }: EndpointDescription): DoctorCheck {
  if (problem !== null) return { name, state: "note", message: "not set up", fix: problem };
  if (key_set) return { name, state: "ok", message: `${base_url}, key set` };
  const key = key_variables.length > 0 ? "no key (none needed)" : "no key needed";
  return { name, state: "note", message: `${base_url}, ${key}; not asked: --cast ${name}/MODEL asks it` };
}
