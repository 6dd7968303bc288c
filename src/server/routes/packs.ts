import * as z from "zod";
import type { PackItem } from "../../contract/api/index.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { loadPack, listPackNames } from "../../packs/registry.ts";
import { listConfigLeaves } from "../../runs/config-leaves.ts";
import { checkEndpoints, checkNode, checkPacks } from "../../runs/doctor.ts";
import { isRecord } from "../../text/is-record.ts";
import type { Handlers, Server } from "../setting/server.ts";

/** The routes that say what can be run here. */
export function createPackRoutes({ rules, env, config, store }: Server): Pick<Handlers, "listPacks" | "runDoctor"> {
  let packs: Promise<PackItem[]> | null = null;
  return {
    async listPacks() {
      packs ??= Promise.all(listPackNames().map(async (name) => describePack(await loadPack(name))));
      return { packs: await packs, casts: [...rules.casts], defaultCast: rules.casts[0] ?? "expert" };
    },
    async runDoctor() {
      const problems = await store.problems();
      const message = problems.length === 0 ? "as it should be" : problems.join("; ");
      return {
        checks: [
          checkNode(),
          { name: "store", state: problems.length === 0 ? ("ok" as const) : ("wrong" as const), message },
          await checkPacks(),
          ...checkEndpoints(env, config),
        ],
      };
    },
  };
}

function describePack(pack: AnyPack): PackItem {
  const defaults: unknown = pack.config.parse({});
  return {
    name: pack.name,
    summary: pack.summary,
    takesText: pack.fromText !== undefined,
    input: jsonSchemaOf(pack.input),
    config: jsonSchemaOf(pack.config),
    defaults,
    settings: listConfigLeaves(pack.config).map((leaf) => ({
      key: leaf.key,
      about: leaf.about,
      kind: leaf.kind,
      choices: leaf.kind === "choice" ? leaf.choices : [],
      default: findValue(defaults, leaf.key) ?? null,
    })),
    roles: pack.roles(defaults).map((role) => ({ name: role.name, expert: role.expert !== undefined })),
    examples: pack.examples,
    gold: pack.measure === undefined ? null : jsonSchemaOf(pack.measure.gold),
  };
}

function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

function findValue(value: unknown, key: string): unknown {
  return key.split(".").reduce((part: unknown, name) => (isRecord(part) ? part[name] : undefined), value);
}
