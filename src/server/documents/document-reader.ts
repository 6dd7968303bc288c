import { buffer } from "node:stream/consumers";
import { readFormat } from "../../knowledge/files/index.ts";

/** The process of `readAside`: reads one file from its input, tells its text or what is wrong with it, and ends. */
const told = await readFormat(process.argv[2] ?? "", await buffer(process.stdin)).then(
  (text) => ({ text }),
  (error: unknown) => ({ why: error instanceof Error ? error.message : String(error) }),
);
process.stdout.write(JSON.stringify(told));
