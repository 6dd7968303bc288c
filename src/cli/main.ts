import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { commands } from "./commands.ts";
import { exitCodeOfError } from "./exit-code.ts";
import { type Io, type Surroundings, makeSafe, runAsProcess } from "./io.ts";

/** Runs the command line; returns when everything is written and recorded. */
export async function main(args: string[], surroundings: Surroundings): Promise<void> {
  const io = makeSafe(surroundings);
  try {
    await dispatch(args, io);
  } catch (error) {
    fail(error, io);
  }
}

async function dispatch(args: string[], io: Io): Promise<void> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "--help-all" || name === "-h")
    return io.painted((await import("./help.ts")).writeTopHelp(io.color));
  if (name === "help") return dispatch(rest.length > 0 ? [...rest, "--help"] : ["--help"], io);
  if (name === "--version" || name === "-V") return io.out(`${(await import("../runs/version.ts")).version}\n`);
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const { listDescendants, rewordUsageError, shapeHelp, suggestCommand } = await import("./help.ts");
  if (!entry)
    throw new ParleyError(
      "bad_input",
      `unknown command "${name}"${await suggestCommand(io, name, commands)}\nTry: parley --help`,
    );
  const command = (await entry.load()).command(io, commands);
  command.configureOutput({
    writeOut: io.out,
    writeErr: io.err,
    outputError: (text, write) => write(rewordUsageError(text, command, rest)),
  });
  command.name(`parley ${command.name()}`);
  for (const option of [command, ...listDescendants(command)].flatMap((one) => one.options))
    if (Array.isArray(option.defaultValue)) option.defaultValueDescription = "none";
  command.exitOverride().enablePositionalOptions();
  command.hook("preAction", async (_, action) => {
    const { knowPacks } = await import("./settings.ts");
    await knowPacks(io, action, entry.ownPacks ?? "all");
  });
  inheritSettings(command);
  if (rest.some((word) => word === "--help" || word === "-h")) shapeHelp(command);
  await command.parseAsync(
    rest.map((word) => (word === "--help-all" ? "--help" : word)),
    { from: "user" },
  );
}

/** Output and exits of subcommands are handled as those of their parents. */
function inheritSettings(command: Command): void {
  for (const sub of command.commands) {
    sub.copyInheritedSettings(command);
    inheritSettings(sub);
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
  if (!(error instanceof ParleyError))
    return io.err(`parley: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  io.err(`parley: ${error.message}\n`);
  const { runId } = error.details;
  if (typeof runId !== "string" || error.code === "lost_lease") return;
  // A reply that the store did not take is lost, and a call that was aborted is paid for.
  const [kept, how] =
    error.code === "parked"
      ? ["Nothing is lost.", "Answer it with: parley review"]
      : ["What was recorded is kept.", "Go on with: parley resume"];
  io.err(`${kept} ${how} ${runId}\n`);
}

/** The names of what commonly goes wrong with files, and what to do about it. */
const remedies: Record<string, string> = {
  ENOSPC: "the disk is full; make room and try again",
  EDQUOT: "your quota is used up; make room and try again",
  EFBIG: "the file may not grow any more (ulimit -f); raise the limit and try again",
  EROFS: "that file system is read-only; choose another place",
};

function explainFileTrouble(error: Error & { code?: string; path?: string }): string {
  const remedy = remedies[error.code ?? ""];
  return remedy === undefined
    ? error.message
    : `${error.path === undefined ? "" : `${error.path}: `}${remedy} (${error.message})`;
}

/** A file that cannot be read or written is trouble of the user's system, not a bug. */
function isFileTrouble(error: unknown): error is Error {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return error instanceof Error && typeof syscall === "string" && typeof code === "string" && /^E[A-Z]+$/.test(code);
}

/** Runs the process's own command line. */
export const runProcess = (): Promise<void> => runAsProcess(main);

if (import.meta.main) await runProcess();
