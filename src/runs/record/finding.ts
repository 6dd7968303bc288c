import type { Finding } from "../../engine/pack.ts";

/** A check that held. */
export function good(check: string, where: string, message: string): Finding {
  return { check, ok: true, where, message };
}

/** A check that did not hold. */
export function bad(check: string, where: string, message: string): Finding {
  return { check, ok: false, where, message };
}
