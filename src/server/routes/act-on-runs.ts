import { takesText } from "../../runs/show-run.ts";
import type { StartRun } from "../../contract/api/index.ts";
import type { Run } from "../../contract/run.ts";
import { ParleyError } from "../../contract/error.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { loadPack, loadPackOf } from "../../packs/registry.ts";
import { prepareBranch } from "../../runs/branch.ts";
import { readRun, requireRun } from "../../runs/read-run.ts";
import { isOver, type RunRequest } from "../../runs/start.ts";
import { pickPackSection, type UserConfig, withSettings } from "../../runs/settings.ts";
import { RequestError } from "../http/request.ts";
import { limitBudget, requireCast, requireOwnFiles } from "../guard/guard.ts";
import type { Handlers, Server, ServerRules } from "../setting/server.ts";
import { refuseWithheld } from "./read-runs.ts";

type Names = "startRun" | "cancelRun" | "resumeRun" | "branchRun";

export function createActRoutes(server: Server): Pick<Handlers, Names> {
  const { store, live, rules } = server;
  return {
    startRun: async ({ body }) => {
      const { id } = await live.start(await makeRequest(server, body));
      return { id };
    },
    async cancelRun({ params }) {
      if (await stopRun(server, await requireRun(store, params.id))) return { done: true };
      throw new RequestError("conflict", `run ${params.id} is not running here, so there is nothing to stop`);
    },
    async resumeRun({ params, body }) {
      const run = await requireRun(store, params.id);
      requireCast(rules.casts, run.manifest.cast);
      if (isOver(run)) throw new RequestError("conflict", `run ${run.id} has ended: it is ${run.outcome}`);
      const budget = body.budget && limitBudget(server.config.budget, body.budget);
      await readRun(store, run.id);
      live.resume(run.id, { budget });
      return { id: run.id };
    },
    async branchRun({ params, body }) {
      refuseWithheld(server, await requireRun(store, params.id));
      const stored = await readRun(store, params.id);
      const pack = await loadPackOf(stored.run.manifest);
      const cast = requireCast(rules.casts, body.cast ?? stored.run.manifest.cast);
      const { from, seed, set } = body;
      const { given, config } = stored.run.manifest;
      requireOwnFiles(pack, config, withSettings(given, set));
      const setting = { store, castOf: server.castOf };
      const id = await prepareBranch(setting, pack, stored, { from, cast, seed, settings: set });
      live.resume(id);
      return { id };
    },
  };
}

async function stopRun({ live, fleet }: Server, { id, manifest }: Run): Promise<boolean> {
  if (live.cancel(id)) return true;
  const queued = await fleet?.queue.cancel([{ id, pack: manifest.pack }]);
  return queued?.includes(id) ?? false;
}

type Owner = { config: UserConfig; rules: Pick<ServerRules, "casts"> };

export async function makeRequest({ config, rules }: Owner, body: StartRun): Promise<RunRequest> {
  const pack = await loadPack(body.pack);
  const own = pickPackSection(config, pack.name) as object;
  return {
    pack,
    input: readCase(pack, body),
    config: requireOwnFiles(pack, own, { ...own, ...body.config }),
    cast: requireCast(rules.casts, body.cast),
    seed: body.seed ?? config.seed ?? 0,
    budget: limitBudget(config.budget, body.budget),
    caseId: body.caseId ?? null,
  };
}

function readCase(pack: AnyPack, { text, input }: StartRun): unknown {
  if ((text === undefined) === (input === undefined))
    throw new ParleyError("bad_input", "give the case as input, or as plain text, and not both");
  if (text === undefined) return input;
  if (!takesText(pack)) throw new ParleyError("bad_input", `the ${pack.name} pack takes no plain text; give input`);
  return text;
}
