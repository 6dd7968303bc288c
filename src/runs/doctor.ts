import type { DoctorCheck } from "../contract/api/index.ts";
import { loadPack, listPackNames } from "../packs/registry.ts";
import { describeEndpoints, type EndpointDescription } from "../players/cast/describe-endpoints.ts";
import type { UserConfig } from "./user-config.ts";
import { version } from "./version.ts";

/** Whether this Node can run Parley. */
export function checkNode(): DoctorCheck {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= 24) return { name: "node", state: "ok", message: `${process.version}, Parley ${version}` };
  return {
    name: "node",
    state: "wrong",
    message: `${process.version} is too old`,
    fix: "install Node 24 or newer, or run through npm, which brings its own",
  };
}

/** Whether every pack can be loaded. */
export async function checkPacks(): Promise<DoctorCheck> {
  const packs = await Promise.all(listPackNames().map(loadPack));
  return { name: "packs", state: "ok", message: packs.map((pack) => pack.name).join(", ") };
}

/** Which endpoints are set up; none is asked, and no key is shown. */
export function checkEndpoints(
  env: Record<string, string | undefined>,
  { endpoints, prices }: Pick<UserConfig, "endpoints" | "prices">,
): DoctorCheck[] {
  return describeEndpoints({ env, endpoints, prices }).map((endpoint) => checkEndpoint(endpoint));
}

function checkEndpoint({ name, base_url, key_variables, key_set, problem }: EndpointDescription): DoctorCheck {
  if (problem !== null) return { name, state: "note", message: "not set up", fix: problem };
  if (key_set) return { name, state: "ok", message: `${base_url}, key set` };
  const key = key_variables.length > 0 ? "no key (none needed)" : "no key needed";
  return { name, state: "note", message: `${base_url}, ${key}; not asked: --online ${name}/MODEL asks it` };
}
