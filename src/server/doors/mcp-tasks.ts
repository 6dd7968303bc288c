import type { TaskStore } from "@modelcontextprotocol/sdk/experimental/tasks/interfaces.js";
import type { CallToolResult, Task } from "@modelcontextprotocol/sdk/types.js";
import { ParleyError } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { readRun } from "../../runs/record/read-run.ts";
import { headlineOf } from "../../runs/record/show-run.ts";
import { buildResultJson } from "../../runs/start/result-json.ts";
import type { FinishedRun } from "../../runs/start/start-run.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { stopRun } from "../routes/act-on-runs.ts";
import type { Server } from "../setting/server.ts";
import { type McpRules, requireOwnRun } from "./mcp-rules.ts";

/** How often a client should ask how a debate stands. */
const pollInterval = 500;

/**
 * Debates as MCP tasks. A task is a run and has its id: nothing is kept of it but the run, so it can be asked for by
 * another connection, and after the server was started anew where clients may see every run.
 */
export function createRunTasks(server: Server, rules: McpRules, signal: AbortSignal): TaskStore {
  const { store, live } = server;
  const find = async (id: string): Promise<Run | null> => {
    // Whoever waits for a result and has gone away is not waited for.
    signal.throwIfAborted();
    if (rules.ownRuns !== null && !rules.ownRuns.has(id)) return null;
    return store.get(id);
  };
  const describe = (run: Run): Task => ({ ...describeState(run, live.has(run.id)), ...describeTask(run) });
  return {
    createTask: () => Promise.reject(new ParleyError("bad_input", "a task begins with the call of a tool")),
    storeTaskResult: () => Promise.reject(new ParleyError("bad_input", "a debate ends by itself")),
    async getTask(id) {
      const run = await find(id);
      return run && describe(run);
    },
    async getTaskResult(id) {
      const { run, turns, result } = await readRun(store, requireOwnRun(rules, id));
      if (!result) return makeError(`run ${id} was stopped before it ended; what was said is kept`);
      const { input, config } = run.manifest;
      const finished = { runId: id, finished: { input, material: null, config, result, turns } };
      return makeResult(describeEnd(await loadPackOf(run.manifest), finished));
    },
    async updateTaskStatus(id, status) {
      const run = await find(id);
      if (status !== "cancelled" || !run) return;
      await stopRun(server, run);
      await live.settled(id);
    },
    async listTasks(cursor) {
      const page = rules.ownRuns === null ? await store.page({ limit: 50, after: cursor }) : null;
      const runs = page?.runs ?? (await Promise.all([...(rules.ownRuns ?? [])].map((id) => store.get(id))));
      const tasks = runs.filter((run) => run !== null).map(describe);
      return { tasks, ...(page?.next ? { nextCursor: page.next } : {}) };
    },
  };
}

function describeTask({ id, createdAt }: Run): Omit<Task, "status"> {
  return { taskId: id, ttl: null, createdAt, lastUpdatedAt: createdAt, pollInterval };
}

/** A run's state in the words of MCP. */
export function describeState(
  { id, status, outcome }: Pick<Run, "id" | "status" | "outcome">,
  isLive: boolean,
): Pick<Task, "status" | "statusMessage"> {
  if (status === "waiting" && !isLive)
    return {
      status: "input_required",
      statusMessage: `a turn of run ${id} waits for a person: answer_turn says what is asked and takes the answer`,
    };
  if (status === "finished")
    return { status: outcome === "failed" ? "failed" : "completed", statusMessage: `${outcome}` };
  if (status === "interrupted" && !isLive) return { status: "cancelled", statusMessage: "stopped; it can be resumed" };
  return { status: "working" };
}

/** How a debate ended, as a tool answers it. */
export function describeEnd(pack: AnyPack, done: FinishedRun): Record<string, unknown> {
  const { parley, ...decision } = buildResultJson(done) as { parley: Record<string, unknown> };
  return { parley: { ...parley, headline: headlineOf(pack, done.finished) }, ...decision };
}

/** What a tool gives, as text for those who read and as data for those who count. */
export function makeResult(value: unknown): CallToolResult {
  const text = JSON.stringify(value, null, 2);
  return { content: [{ type: "text", text }], structuredContent: value as Record<string, unknown> };
}

export function makeError(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] };
}
