import { randomBytes } from "node:crypto";
import { ParleyError } from "../../contract/error.ts";
import { hashValue, sha256 } from "../../engine/hash.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { measureOf } from "../datasets/measure.ts";
import type { Dataset } from "../datasets/load-dataset.ts";
import type { PlannedArm, StudyManifest } from "../results/results.ts";
import type { Study } from "./study-file.ts";
import type { ArmsPlan } from "./plan-arms.ts";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { locatePackOrigin } from "../../packs/registry.ts";
import { version } from "../../runs/version.ts";

/** The manifest of a study, new or going on from an earlier one; results of other data, arms or prompts are not mixed in. */
export function makeStudyManifest(
  study: Study,
  pack: AnyPack,
  dataset: Dataset,
  plan: ArmsPlan,
  earlier: StudyManifest | null,
): StudyManifest {
  const arms = plan.arms.map(({ control: _c, players: _p, deterministic: _d, samples: _s, ...arm }) => arm);
  const manifest: StudyManifest = {
    version: 1,
    study: study.study,
    batch: earlier?.batch ?? `study/${study.study}/${randomBytes(4).toString("hex")}`,
    about: study.about ?? null,
    pack: pack.name,
    code: { parley: version, commit: readCommit() },
    study_hash: hashValue(study),
    prompt_hashes: hashPrompts(pack.name),
    dataset: {
      path: dataset.path,
      hash: dataset.hash,
      cases: dataset.cases.length,
      with_gold: dataset.cases.filter((one) => one.gold !== null).length,
      notes: dataset.notes,
      made_up: study.dataset.made_up,
    },
    arms,
    left_out: plan.leftOut,
    models: [...new Set(plan.arms.flatMap((arm) => arm.players))].sort(),
    seeds: study.seeds,
    primary: measureOf(pack).primary,
    budget: study.budget ?? {},
    run_budget: study.run_budget ?? {},
    notes: earlier?.notes ?? [],
    started_at: earlier?.started_at ?? new Date().toISOString(),
  };
  return earlier ? continueManifest(earlier, manifest) : manifest;
}

function continueManifest(earlier: StudyManifest, now: StudyManifest): StudyManifest {
  const changed = findChanges(earlier, now);
  if (changed.length > 0)
    throw new ParleyError(
      "bad_config",
      `the folder holds results of an earlier version of this study: ${changed.join("; ")}. Choose another --out, or remove the folder`,
    );
  const version = (one: StudyManifest): string =>
    `${one.code.parley}${one.code.commit ? ` (${one.code.commit.slice(0, 12)})` : ""}`;
  const note = `Some results were made by Parley ${version(earlier)}, later ones by ${version(now)}.`;
  return version(earlier) === version(now) || now.notes.includes(note) ? now : { ...now, notes: [...now.notes, note] };
}

function findChanges(earlier: StudyManifest, now: StudyManifest): string[] {
  const isSame = (one: unknown, other: unknown): boolean => hashValue(one) === hashValue(other);
  const identity = ({ config_hash, cast, redecide }: PlannedArm) => ({ config_hash, cast, redecide });
  const arms = earlier.arms.flatMap((before) => {
    const after = now.arms.find((arm) => arm.name === before.name);
    if (!after) return [`arm "${before.name}" is gone`];
    return isSame(identity(after), identity(before)) ? [] : [`arm "${before.name}" has another config or cast`];
  });
  const named = earlier.study === now.study && earlier.pack === now.pack;
  return [
    ...(named ? [] : [`it is "${earlier.study}" of the ${earlier.pack} pack`]),
    ...(earlier.dataset.hash === now.dataset.hash ? [] : [`the dataset ${now.dataset.path} has changed`]),
    ...(isSame(earlier.prompt_hashes, now.prompt_hashes) ? [] : ["the pack's prompts have changed"]),
    ...(isSame(earlier.run_budget, now.run_budget) ? [] : ["run_budget differs"]),
    ...arms,
  ];
}

export function hashPrompts(pack: string): Record<string, string> {
  const home = locatePackOrigin(pack)?.url ?? new URL(`../../packs/${pack}/pack.ts`, import.meta.url);
  const folder = fileURLToPath(new URL("prompts/", home));
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { encoding: "utf8", recursive: true }).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(names.sort().map((name) => [name, sha256(readFileSync(join(folder, name)))]));
}

function readCommit(): string | null {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  if (!existsSync(join(root, ".git"))) return null;
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
