import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Everything that the tests, and the processes they start, put into the temp folder goes into one, which is gone afterwards. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "parley-tests-"));
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
