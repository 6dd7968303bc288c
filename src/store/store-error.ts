import { ParleyError } from "../contract/error.ts";

type Meaning = { code: "store_failed" | "corrupt_store" | "bad_config"; text: string; mayPass?: boolean };

const locked: Meaning = {
  code: "store_failed",
  text: "is locked by another process; go on when that one is done",
  mayPass: true,
};
const full: Meaning = {
  code: "store_failed",
  text: "could not be written: the disk is full; free some space and continue; everything stored so far is safe",
  mayPass: true,
};

const known: Record<number, Meaning> = {
  1: {
    code: "corrupt_store",
    text: "is not laid out as a Parley store, or is damaged; give another place with --store",
  },
  5: locked,
  6: locked,
  8: {
    code: "store_failed",
    text: "is read-only; make it and its folder writable, or give another place with --store",
  },
  10: {
    code: "store_failed",
    text: "could not be read or written (a disk error, or a limit on the size of files); everything stored so far is safe",
  },
  11: { code: "corrupt_store", text: "is damaged; what can be read can be exported, then move the file away" },
  13: full,
  14: {
    code: "store_failed",
    text: "could not be opened; check that the folder exists and is writable, or give another with --store",
  },
  26: { code: "corrupt_store", text: "is not a Parley store (not an SQLite file); give another place with --store" },
};

/** Extended codes that mean more than their family: no room for the log's index is a full disk. */
const knownExactly: Record<number, Meaning> = { 4874: full };

/** What a failure of a store file means, in words; other errors pass through. */
export function explainStoreError(file: string, error: unknown): unknown {
  const errcode = (error as { errcode?: number }).errcode;
  if (typeof errcode === "number") {
    const meaning = knownExactly[errcode] ?? known[errcode & 0xff];
    const text = meaning?.text ?? `failed: ${(error as Error).message}`;
    const details = { mayPass: meaning?.mayPass === true };
    return new ParleyError(meaning?.code ?? "store_failed", `the store ${file} ${text}`, { cause: error, details });
  }
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined && unusable.has(code))
    return new ParleyError(
      "store_failed",
      code === "ENOSPC"
        ? `the store ${file} could not be made: the disk is full; make room, or give another place with --store`
        : `the store ${file} could not be opened (${code}); give a folder that can be written with --store`,
      { cause: error },
    );
  return error;
}

const unusable = new Set([
  "EACCES",
  "EROFS",
  "ENOSPC",
  "ENOTDIR",
  "EEXIST",
  "EPERM",
  "ENOENT",
  "ENAMETOOLONG",
  "ELOOP",
]);

const away: Meaning = { code: "store_failed", text: "cannot be reached", mayPass: true };
const busy: Meaning = { code: "store_failed", text: "has no connection to spare", mayPass: true };
const serverFull: Meaning = {
  code: "store_failed",
  text: "could not be written: its disk is full; free some space and continue; everything stored so far is safe",
  mayPass: true,
};
const crossed: Meaning = { code: "store_failed", text: "had two writers in each other's way", mayPass: true };
const unlike: Meaning = {
  code: "store_failed",
  text: "is not laid out for this Parley; whoever owns the database runs: parley store init",
};

/** PostgreSQL's error codes that a user can do something about; a class is its first two characters. */
const knownOfServers: Record<string, Meaning> = {
  "08": away,
  "57": away,
  "53300": busy,
  "53100": serverFull,
  "40001": crossed,
  "40P01": crossed,
  "25006": {
    code: "store_failed",
    text: "is read-only at the moment; perhaps this is the address of a replica",
    mayPass: true,
  },
  "28": { code: "bad_config", text: "does not let this user in; check user and password in the address" },
  "3D000": { code: "bad_config", text: "does not exist; the owner of the server must create it first" },
  "3F000": unlike,
  "42P01": unlike,
  "42703": unlike,
  "42883": unlike,
  "42501": {
    code: "bad_config",
    text: "denies this user the rights it needs; docs/deploy.md says how to grant them",
  },
  XX001: { code: "corrupt_store", text: "is damaged" },
  XX002: { code: "corrupt_store", text: "is damaged" },
};

const unreachable = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** What a failure of the database means, in words; other errors pass through. */
export function explainPostgresError(location: string, error: unknown): unknown {
  if (error instanceof ParleyError || !(error instanceof Error)) return error;
  const meaning = findMeaning(error);
  if (!meaning) return error;
  return new ParleyError(meaning.code, `the store ${location} ${meaning.text} (${describe(error)})`, {
    cause: error,
    details: { mayPass: meaning.mayPass === true },
  });
}

function findMeaning(error: Error): Meaning | null {
  const { code = "" } = error as { code?: string };
  if (unreachable.has(code) || isCutOff(error)) return away;
  if (error instanceof AggregateError)
    return error.errors.map((one) => findMeaning(one as Error)).find(Boolean) ?? null;
  if (!/^[0-9A-Z]{5}$/.test(code)) return null;
  return knownOfServers[code] ?? knownOfServers[code.slice(0, 2)] ?? { code: "store_failed", text: "failed" };
}

/** The driver has no code for a connection that ended under it. */
function isCutOff({ message }: Error): boolean {
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
    message,
  );
}

function describe(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one: Error) => one.message).join("; ");
  return error.message;
}
