import type { DebateResult } from "../src/contract/result.ts";
import type { Proof, Receipt } from "../src/runs/proof.ts";

/** Throws with the first thing that is wrong with a proof; returns what it says and who signed it. */
export function checkProof(
  bytes: Buffer,
  trustedKey?: string | null,
): { proof: Proof; bodies: unknown[]; result: DebateResult; signer: string | null };

/** Throws with the first thing that is wrong with a receipt; returns what it says and who signed it. */
export function checkReceipt(bytes: Buffer, trustedKey?: string | null): { receipt: Receipt; signer: string | null };
