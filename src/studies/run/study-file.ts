import * as z from "zod";
import { BudgetSettingSchema, parseYaml } from "../../runs/settings.ts";
import { DatasetSchema } from "../datasets/load-dataset.ts";
import { readFileSync, existsSync, readdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { fileURLToPath } from "node:url";
import { suggestName } from "../../text/similar.ts";

/** The methods without a debate that studies compare with (product spec §5.1). */
export const controlNames = ["single", "vote", "self_consistency", "in_order"] as const;
export type ControlName = (typeof controlNames)[number];

export const usualControls: readonly ControlName[] = ["single", "vote", "self_consistency"];

const NameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
    "a name has letters, digits, _ . - (at most 64) and starts with a letter or digit",
  );

const ConfigSchema = z.record(z.string(), z.unknown());

export const ArmSchema = z.strictObject({
  name: NameSchema,
  /** For who reads the study file. */
  about: z.string().optional(),
  config: ConfigSchema.optional(),
  cast: z.string().min(1).optional(),
  /** Counts as a control in the verdict, such as an arm without the debate. */
  control: z.boolean().optional(),
  /** Only rules differ from that arm: its turns are reused without calls. */
  redecide: NameSchema.optional(),
});
export type ArmSpec = z.infer<typeof ArmSchema>;

/** A study file (product spec §5). */
export const StudySchema = z
  .strictObject({
    study: NameSchema,
    about: z.string().optional(),
    pack: z.string().min(1),
    dataset: DatasetSchema,
    config: ConfigSchema.default({}),
    cast: z.string().min(1).default("expert"),
    arms: z.array(ArmSchema).min(1, "a study has at least one arm"),
    controls: z.array(z.enum(controlNames)).optional(),
    seeds: z.array(z.int().nonnegative()).min(1, "a study has at least one seed").default([0]),
    budget: BudgetSettingSchema.optional(),
    run_budget: BudgetSettingSchema.optional(),
    concurrency: z.int().min(1).max(256).default(4),
  })
  .superRefine((study, context) => {
    for (const { path, message } of findArmProblems(study)) context.addIssue({ code: "custom", path, message });
  });
export type Study = z.infer<typeof StudySchema>;

type Problem = { path: (string | number)[]; message: string };

function findArmProblems(study: { arms: ArmSpec[]; seeds: number[] }): Problem[] {
  const names = study.arms.map((arm) => arm.name);
  const problems: Problem[] = [];
  for (const [i, arm] of study.arms.entries()) {
    if (names.indexOf(arm.name) !== i)
      problems.push({ path: ["arms", i, "name"], message: `there is already an arm "${arm.name}"` });
    if (controlNames.some((name) => name === arm.name))
      problems.push({
        path: ["arms", i, "name"],
        message: `"${arm.name}" is a control arm; give this arm another name`,
      });
    if (arm.redecide !== undefined) problems.push(...findRedecideProblems(study.arms, i));
  }
  if (new Set(study.seeds).size !== study.seeds.length)
    problems.push({ path: ["seeds"], message: "a seed is listed twice; each gives one run" });
  return problems;
}

function findRedecideProblems(arms: ArmSpec[], index: number): Problem[] {
  const arm = arms[index] as ArmSpec;
  const source = arms.find((one) => one.name === arm.redecide);
  const at = (message: string): Problem[] => [{ path: ["arms", index, "redecide"], message }];
  if (source === undefined)
    return at(`no arm is named "${arm.redecide}" (arms: ${arms.map((one) => one.name).join(", ")})`);
  if (source.redecide !== undefined || source === arm)
    return at(`"${arm.redecide}" has no turns of its own; name the arm whose turns it uses`);
  return arm.cast === undefined ? [] : at(`an arm that uses the turns of "${arm.redecide}" has its cast, not another`);
}

export function readStudy(path: string): Study {
  try {
    return parseStudy(readFileSync(path, "utf8"), basename(path));
  } catch (cause) {
    if (cause instanceof ParleyError) throw cause;
    throw new ParleyError("bad_input", `cannot read the study file ${path}: ${(cause as Error).message}`, { cause });
  }
}

export function parseStudy(text: string, name: string): Study {
  const { value, lineOf } = parseYaml(text, name);
  const parsed = StudySchema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = explainIssues(StudySchema, parsed.error).map(({ path, message }) => {
    const line = lineOf(path);
    return path.length === 0
      ? `${name}: ${message}`
      : `${name}${line === null ? "" : `:${line}`}: ${formatPath(path)}: ${message}`;
  });
  throw new ParleyError("bad_config", problems.slice(0, 20).join("\n"));
}

const bundledFolder = fileURLToPath(new URL("../../../studies/", import.meta.url));

export function bundledStudies(): string[] {
  if (!existsSync(bundledFolder)) return [];
  return readdirSync(bundledFolder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.slice(0, -".yaml".length))
    .sort();
}

export function findStudyFile(name: string, cwd: string): string {
  const own = resolve(cwd, name);
  if (existsSync(own)) return own;
  const bundled = resolve(bundledFolder, name.endsWith(".yaml") ? name : `${name}.yaml`);
  if (!/[\\/]/.test(name) && existsSync(bundled)) return bundled;
  throw new ParleyError(
    "bad_input",
    `there is no file ${name} and no bundled study of that name${suggestName(name, bundledStudies())}`,
  );
}
