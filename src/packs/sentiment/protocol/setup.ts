import type { Debate } from "../../../engine/debate.ts";
import type { SentimentConfig } from "../config/resolve-config.ts";
import type { SentimentRoles } from "../roles/roles.ts";
import type { AteInput } from "../schemas/role-inputs.ts";

/** What every step of the protocol needs: the debate it asks in, who is asked, about which text, and how. */
export type Setup = { debate: Debate; roles: SentimentRoles; input: AteInput; config: SentimentConfig };
