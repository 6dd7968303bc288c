import { ParleyError } from "../../contract/error.ts";
import { type SyntheticSettings, SyntheticSettingsSchema } from "../../players/synthetic/settings.ts";
import { suggestName } from "../../text/nearest-name.ts";
import { shortenText } from "../../text/short-text.ts";
import type { LabArm } from "./lab-arms.ts";
import type { LabCase } from "./lab-case.ts";
import { type LabOptions, type LabPoint, runLabPoint } from "./run-lab.ts";

/** The values of a setting that are tried. */
export type Axis = { name: string; values: (number | string)[] };

/** Reads `accuracy=0.6,0.7,0.8`: one setting with the values that are tried. */
export function readAxis(text: string): Axis {
  const [name = "", list = ""] = text.split("=");
  const known = Object.keys(SyntheticSettingsSchema.shape).filter((one) => one !== "truth");
  if (!known.includes(name))
    throw new ParleyError("bad_input", `--speakers: unknown setting "${shortenText(name)}"${suggestName(name, known)}`);
  const values = list.split(",").map((one) => (Number.isFinite(Number(one)) && one.trim() !== "" ? Number(one) : one));
  const wrong = values.find((value) => !SyntheticSettingsSchema.safeParse({ [name]: value }).success);
  if (list === "" || wrong !== undefined)
    throw new ParleyError("bad_input", `--speakers: ${name}=${shortenText(list)}: "${wrong ?? ""}" is no value of it`);
  return { name, values };
}

/** Every kind of speaker that the axes span. */
export function spanGrid(axes: readonly Axis[]): SyntheticSettings[] {
  const points = axes.reduce<Record<string, unknown>[]>(
    (found, { name, values }) => found.flatMap((point) => values.map((value) => ({ ...point, [name]: value }))),
    [{}],
  );
  return points.map((point) => SyntheticSettingsSchema.parse(point));
}

/** Runs every arm with every kind of speaker over the same questions. */
export async function runLab(
  arms: readonly LabArm[],
  kinds: readonly SyntheticSettings[],
  cases: readonly LabCase[],
  options: LabOptions = {},
): Promise<LabPoint[]> {
  const points: LabPoint[] = [];
  for (const kind of kinds) for (const arm of arms) points.push(await runLabPoint(arm, kind, cases, options));
  return points;
}
