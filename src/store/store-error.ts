import { ParleyError } from "../contract/error.ts";

type Meaning = { code: "store_failed" | "corrupt_store" | "bad_config"; text: string; mayPass?: boolean };

const failed = (text: string): Meaning => ({ code: "store_failed", text });
const passing = (text: string): Meaning => ({ code: "store_failed", text, mayPass: true });
const corrupt = (text: string): Meaning => ({ code: "corrupt_store", text });
const config = (text: string): Meaning => ({ code: "bad_config", text });

const locked = passing("is locked by another process; go on when that one is done");
const full = passing(
  "could not be written: the disk is full; free some space and continue; everything stored so far is safe",
);

/** SQLite's result codes that a user can do something about: an extended one, else its family. */
const knownOfFiles: Record<number, Meaning> = {
  1: corrupt("is not laid out as a Parley store, or is damaged; give another place with --store"),
  5: locked,
  6: locked,
  8: failed("is read-only; make it and its folder writable, or give another place with --store"),
  10: failed(
    "could not be read or written (a disk error, or a limit on the size of files); everything stored so far is safe",
  ),
  11: corrupt("is damaged; what can be read can be exported, then move the file away"),
  13: full,
  14: failed("could not be opened; check that the folder exists and is writable, or give another with --store"),
  26: corrupt("is not a Parley store (not an SQLite file); give another place with --store"),
  4874: full,
};

export function explainStoreError(file: string, error: unknown): unknown {
  const { errcode, code, message } = error as { errcode?: number; code?: string; message?: string };
  const about = (meaning: Meaning): ParleyError => explain(`the store ${file} ${meaning.text}`, meaning, error);
  if (typeof errcode === "number")
    return about(knownOfFiles[errcode] ?? knownOfFiles[errcode & 0xff] ?? failed(`failed: ${message}`));
  if (code === "ENOSPC")
    return about(failed("could not be made: the disk is full; make room, or give another place with --store"));
  const isPlace = /^(?:EACCES|EROFS|ENOTDIR|EEXIST|EPERM|ENOENT|ENAMETOOLONG|ELOOP)$/.test(code ?? "");
  return isPlace
    ? about(failed(`could not be opened (${code}); give a folder that can be written with --store`))
    : error;
}

function explain(message: string, { code, mayPass = false }: Meaning, cause: unknown): ParleyError {
  return new ParleyError(code, message, { cause, details: { mayPass } });
}

const away = passing("cannot be reached");
const crossed = passing("had two writers in each other's way");
const unlike = failed("is not laid out for this Parley; whoever owns the database runs: parley store init");

const knownOfServers: Record<string, Meaning> = {
  "08": away,
  "57": away,
  "53300": passing("has no connection to spare"),
  "53100": passing("could not be written: its disk is full; free some space; everything stored so far is safe"),
  "40001": crossed,
  "40P01": crossed,
  "25006": passing("is read-only at the moment; perhaps this is the address of a replica"),
  "28": config("does not let this user in; check user and password in the address"),
  "3D000": config("does not exist; the owner of the server must create it first"),
  "3F000": unlike,
  "42P01": unlike,
  "42703": unlike,
  "42883": unlike,
  "42501": config("denies this user the rights it needs; docs/deploy.md says how to grant them"),
  XX001: corrupt("is damaged"),
  XX002: corrupt("is damaged"),
};

export function explainPostgresError(location: string, error: unknown): unknown {
  if (error instanceof ParleyError || !(error instanceof Error)) return error;
  const meaning = findMeaning(error);
  const said = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  return meaning ? explain(`the store ${location} ${meaning.text} (${said.message})`, meaning, error) : error;
}

/** What Node and the driver say when there is nobody at the other end, or no longer. */
const goneCode = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const goneMessage = /^(Connection terminated|timeout exceeded when trying|Client has encountered a connection error)/;

function findMeaning(error: Error): Meaning | null {
  const { code = "", message } = error as { code?: string; message: string };
  if (goneCode.test(code) || goneMessage.test(message)) return away;
  if (error instanceof AggregateError)
    return error.errors.map((one) => findMeaning(one as Error)).find(Boolean) ?? null;
  if (!/^[0-9A-Z]{5}$/.test(code)) return null;
  return knownOfServers[code] ?? knownOfServers[code.slice(0, 2)] ?? failed("failed");
}
