/**
 * Data: folders of loghub-like files under $PARLEY_DATA (default ../shared/data), each with NAME_2k.log and
 * NAME_2k.log_structured_corrected.csv (or …_structured.csv).
 */
import { measureQuality } from "./logs/quality.ts";
import { measureMemory, measureSpeed } from "./logs/speed.ts";

const flags = process.argv.slice(2);
const systems =
  flags
    .find((flag) => flag.startsWith("--systems="))
    ?.slice("--systems=".length)
    .split(",") ?? null;

await measureQuality(systems);
if (!flags.includes("--quick")) await measureSpeed();
if (flags.includes("--big")) await measureMemory(1024 ** 3);
