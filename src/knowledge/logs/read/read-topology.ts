import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { ParleyError } from "../../../contract/error.ts";
import type { ParsedLog } from "../../../contract/parsed-log.ts";

const TopologySchema = z.record(z.string().min(1), z.union([z.array(z.string().min(1)), z.string().min(1), z.null()]));
const howTo = "write who calls whom, a service a line: `orders: [stock, payment]`";

/** Who calls whom, from a YAML or JSON file of `service: [calls]`. */
export async function readTopology(file: string, folder = process.cwd()): Promise<ParsedLog["topology"]> {
  const path = file.startsWith("/") ? file : join(folder, file);
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new ParleyError("bad_input", `${file}: the topology could not be read (${error.message})`, { cause: error });
  });
  const calls = TopologySchema.safeParse(parseYaml(text, file));
  if (!calls.success) {
    const [issue] = calls.error.issues;
    const where = issue && issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
    throw new ParleyError("bad_input", `${file}: not a topology${where}; ${howTo}`);
  }
  return Object.entries(calls.data).flatMap(([caller, callees]) =>
    [callees ?? []].flat().map((callee) => ({ caller, callee })),
  );
}

function parseYaml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    throw new ParleyError("bad_input", `${file}: not a topology (${reason}); ${howTo}`, { cause: error });
  }
}
