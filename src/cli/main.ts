import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { findCommand } from "./commands.ts";
import { exitCodeOfError, type Io, type Surroundings, makeSafe, runAsProcess } from "./io.ts";

export async function main(args: string[], surroundings: Surroundings): Promise<void> {
  const io = makeSafe(surroundings);
  try {
    await dispatch(args, io);
  } catch (error) {
    fail(error, io);
  }
}

async function dispatch([given, ...rest]: string[], io: Io): Promise<void> {
  if (given === undefined || given === "--help" || given === "--help-all" || given === "-h")
    return io.painted((await import("./help.ts")).writeTopHelp(io, given === "--help-all"));
  if (given === "help") return dispatch([...rest, "--help"], io);
  if (given === "--version" || given === "-V") return io.out(`${(await import("../runs/read-run.ts")).version}\n`);
  const entry = findCommand(given);
  const { prepareCommand, describeUnknown } = await import("./help.ts");
  if (!entry) throw new ParleyError("bad_input", `${describeUnknown(given)}\nTry: parley --help`);
  const command = prepareCommand(io, (await entry.load()).command(io), rest);
  command.hook("preAction", async (_, action) => {
    requireOwnValues(action);
    const { knowPacks } = await import("./settings.ts");
    const isPackArgument = action.registeredArguments[0]?.name() === "pack";
    await knowPacks(io, action.opts(), entry.ownPacks, isPackArgument ? action.processedArgs[0] : undefined);
  });
  const words = rest.map((word) => (word === "--help-all" ? "--help" : word));
  await command.parseAsync(words, { from: "user" });
}

/** An option whose value was forgotten would take the next option as its value. */
function requireOwnValues(command: Command): void {
  const { options } = command;
  for (const option of options) {
    const value: unknown = option.required && command.getOptionValue(option.attributeName());
    const taken = options.find(({ long }) => [value].flat().includes(long));
    if (taken)
      throw new ParleyError("bad_input", `${option.long} needs a value; ${taken.long} is an option of its own`);
  }
}

function fail(error: unknown, io: Io): void {
  const commanderCode = (error as { code?: unknown } | null)?.code;
  if (typeof commanderCode === "string" && commanderCode.startsWith("commander.")) {
    const shown = ["commander.help", "commander.helpDisplayed", "commander.version"].includes(commanderCode);
    io.exit.code = shown ? 0 : 2;
    return;
  }
  io.exit.code = exitCodeOfError(error);
  if (isFileTrouble(error)) return io.err(`parley: ${explainFileTrouble(error)}\n`);
  if (lacksPostgres(error))
    return io.err("parley: a store in PostgreSQL needs two more packages: npm install pg pg-boss\n");
  if (!(error instanceof ParleyError))
    return io.err(`parley: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  io.err(`parley: ${error.message}\n`);
  const { runId } = error.details;
  if (typeof runId !== "string" || error.code === "lost_lease") return;
  io.err(
    error.code === "parked"
      ? `Nothing is lost. Answer it with: parley review ${runId}\n`
      : `Everything recorded so far is kept. Continue with: parley resume ${runId}\n`,
  );
}

const remedies: Record<string, string> = {
  EACCES: "permission denied; choose another place, or ask its owner",
  ENOSPC: "the disk is full; make room and try again",
  EDQUOT: "your quota is used up; make room and try again",
  EFBIG: "the file has reached its size limit (ulimit -f); raise the limit and try again",
  EROFS: "that file system is read-only; choose another place",
};

function explainFileTrouble({ code = "", path, message }: NodeJS.ErrnoException): string {
  const remedy = remedies[code];
  return remedy === undefined ? message : `${path === undefined ? "" : `${path}: `}${remedy} (${message})`;
}

function isFileTrouble(error: unknown): error is NodeJS.ErrnoException {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return error instanceof Error && typeof syscall === "string" && typeof code === "string" && /^E[A-Z]+$/.test(code);
}

/** PostgreSQL packages are optional peer dependencies. */
function lacksPostgres(error: unknown): boolean {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  return code === "ERR_MODULE_NOT_FOUND" && /package 'pg(?:-boss)?'/.test(message);
}

export const runProcess = (): Promise<void> => runAsProcess(main);

if (import.meta.main) await runProcess();
