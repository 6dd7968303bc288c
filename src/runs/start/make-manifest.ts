import * as z from "zod";
import { BudgetSchema } from "../../contract/budget.ts";
import type { Manifest } from "../../contract/run.ts";
import { findPackOrigin } from "../../packs/registry.ts";
import { checkValue } from "../settings/read-settings.ts";
import { version } from "../settings/version.ts";
import type { RunRequest } from "./run-setting.ts";

/** The manifest of a request, its input and config checked and completed by the pack. */
export function makeManifest(request: RunRequest): Manifest {
  return openManifests(request)(request.input);
}

/** Checks what many requests share once, and makes the manifest of each of their inputs. */
export function openManifests(request: Omit<RunRequest, "input">): (input: unknown) => Manifest {
  const { pack } = request;
  const config: unknown = checkValue(
    pack.config,
    request.config ?? {},
    `config of the ${pack.name} pack`,
    "bad_config",
  );
  const budget = checkValue(BudgetSchema, request.budget ?? {}, "budget", "bad_config");
  const seed = checkValue(SeedSchema, request.seed ?? 0, "seed", "bad_config");
  const from = findPackOrigin(pack.name);
  return (input) => ({
    version: 1,
    parley: version,
    pack: pack.name,
    ...(from === null ? {} : { packFrom: from }),
    input: checkValue<unknown>(pack.input, input, `input of the ${pack.name} pack`, "bad_input"),
    given: request.config ?? {},
    config,
    cast: request.cast,
    seed,
    budget,
    parent: request.parent ?? null,
  });
}

const SeedSchema = z.int();
