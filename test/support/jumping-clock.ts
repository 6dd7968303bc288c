/**
 * Loaded before a process (`--import`): its wall clock jumps back and forth by up to years with every look at it, as when
 * a virtual machine wakes up or a bad time server is believed. PARLEY_TEST_CLOCK_MS sets it off by a fixed amount instead.
 */
const realNow = Date.now;
const fixed = process.env.PARLEY_TEST_CLOCK_MS;
const jumps = [0, -86_400_000, 31_536_000_000, -315_360_000_000, 3_600_000, -1];
let looks = 0;

function now(): number {
  looks += 1;
  return realNow() + (fixed === undefined ? (jumps[looks % jumps.length] ?? 0) : Number(fixed));
}

const RealDate = Date;
class JumpingDate extends RealDate {
  constructor(...args: ConstructorParameters<typeof Date> | []) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static override now(): number {
    return now();
  }
}
globalThis.Date = JumpingDate as DateConstructor;
