import * as z from "zod";
import type { CastItem, PackItem, StudyItem } from "../../contract/api/index.ts";
import { hasCode } from "../../contract/error.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { listPackNames, loadPack } from "../../packs/registry.ts";
import { type CastOptions, resolvePlace } from "../../players/endpoints.ts";
import { parseCast, playerNameOf, type PlayerPlan } from "../../players/cast.ts";
import { takesText } from "../../runs/show-run.ts";
import type { Handlers, Server } from "../setting/server.ts";
import { join } from "node:path";
import { buildStudySections, listStudyFolders, readStudyFolder, summariseStudy } from "../../studies/index.ts";
import { RequestError } from "../http/request.ts";

export function createPackRoutes({ rules, env, config }: Server): Pick<Handlers, "listPacks"> {
  let packs: Promise<PackItem[]> | null = null;
  return {
    async listPacks() {
      packs ??= Promise.all(
        listPackNames().map(async (name) => {
          const pack = await loadPack(name);
          return { ...describePack(pack), casts: describeCasts(pack, rules.casts, { env, ...config }) };
        }),
      );
      return { packs: await packs, casts: [...rules.casts], defaultCast: rules.casts[0] ?? "expert" };
    },
  };
}

function describeCasts(pack: AnyPack, casts: readonly string[], options: CastOptions): CastItem[] {
  const roles = pack.roles(pack.config.parse({})).map((role) => role.name);
  return casts.flatMap((cast) => {
    try {
      const plan = Object.entries(parseCast(cast, roles, options).roles);
      const names = Map.groupBy(plan, ([, player]) => playerNameOf(player));
      const players = [...names].map(([player, own]) => ({
        player,
        roles: own.map(([role]) => role),
        price: priceOf(own[0]?.[1], options),
      }));
      return [{ cast, players }];
    } catch (error) {
      if (hasCode(error, "bad_cast") || hasCode(error, "bad_config")) return [];
      throw error;
    }
  });
}

function priceOf(player: PlayerPlan | undefined, options: CastOptions): { input: number; output: number } | null {
  if (player?.kind !== "model") return { input: 0, output: 0 };
  const { price } = resolvePlace(player, options);
  return price && { input: price.input, output: price.output };
}

function describePack(pack: AnyPack): Omit<PackItem, "casts"> {
  return {
    name: pack.name,
    summary: pack.summary,
    takesText: takesText(pack),
    input: jsonSchemaOf(pack.input),
    examples: pack.examples,
    gold: pack.measure === undefined ? null : jsonSchemaOf(pack.measure.gold),
  };
}

function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

type StoredStudy = { name: string } & ReturnType<typeof readStudyFolder>;

/** Study names are looked up in a list and never used as paths. */
export function createStudyRoutes({ studiesFolder }: Server): Pick<Handlers, "listStudies" | "readStudy"> {
  const open = (name: string): StoredStudy => ({ name, ...readStudyFolder(join(studiesFolder, name)) });
  return {
    listStudies: async () => ({ studies: listStudyFolders(studiesFolder).map((name) => describeStudy(open(name))) }),
    async readStudy({ params: { name } }) {
      if (!listStudyFolders(studiesFolder).includes(name))
        throw new RequestError("not_found", `no study "${name}" has run here`);
      const stored = open(name);
      const pack = await loadPack(stored.manifest.pack);
      const summary = summariseStudy(stored.manifest, stored.scorecards, pack.measure);
      const sections = stored.scorecards.length === 0 ? [] : buildStudySections(summary, stored.scorecards);
      return { study: describeStudy(stored), sections };
    },
  };
}

function describeStudy({ name, manifest, scorecards }: StoredStudy): StudyItem {
  const arms = manifest.arms.map((arm) => arm.name);
  const { cases } = manifest.dataset;
  const planned = arms.length * cases * manifest.seeds.length;
  return { name, pack: manifest.pack, arms, cases, runs: scorecards.length, planned };
}
