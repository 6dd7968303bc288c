import * as z from "zod";
import { turnIdOf } from "../../contract/turn.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { readRun } from "../../runs/record/read-run.ts";
import { findWaitingTurn } from "../../runs/review/review-turn.ts";
import { checkValue } from "../../runs/settings/read-settings.ts";
import { answerAs } from "../routes/reviews.ts";
import type { Server } from "../setting/server.ts";
import { type McpRules, requireOwnRun } from "./mcp-rules.ts";
import type { Tool } from "./mcp-tool.ts";

/** Who answers, in the inbox. */
const reviewer = "an MCP client";

/** A tool for turns that a debate has cast to a person: it says what is asked, and takes the answer. */
export function makeAnswerTool(server: Server, rules: McpRules): Tool {
  const schema = z.strictObject({
    run: z.string().describe("a run's id, or the beginning of it; its task is input_required"),
    reply: z.unknown().optional().describe("the answer in the schema of the turn; left out: say what is asked"),
  });
  return {
    description: "Answers a turn that waits for a person. Without a reply it says what is asked, and in which schema.",
    inputSchema: z.toJSONSchema(schema, { io: "input" }),
    async call(given) {
      const asked = checkValue(schema, given, "answer_turn", "bad_input");
      const run = requireOwnRun(rules, asked.run);
      if (asked.reply !== undefined) return answerAs(server, run, { reviewer, reply: asked.reply });
      const stored = await readRun(server.store, run);
      const turn = await findWaitingTurn(await loadPackOf(stored.run.manifest), stored, server.config);
      if (!turn) return { run, turn: null };
      const { key, prompt, schema: replySchema, problems } = turn;
      return { run, turn: turnIdOf(key), prompt, schema: replySchema, problems };
    },
  };
}
