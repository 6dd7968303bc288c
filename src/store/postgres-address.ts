import { ParleyError } from "../contract/error.ts";

/** Where a shared store is: how to connect, in which schema, and how it is named in messages, without its password. */
export type Address = { connection: string; schema: string; location: string };

/** True for what names a PostgreSQL database and not a folder. */
export function isPostgresAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text);
}

/** Reads `postgres://user:password@host/database?schema=name`; the schema is `parley` unless it says otherwise. */
export function readAddress(text: string): Address {
  const url = parseUrl(text);
  const schema = url.searchParams.get("schema") ?? "parley";
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw new ParleyError(
      "bad_config",
      "the schema of a store has lower-case letters, digits and _, at most 41 characters",
    );
  url.searchParams.delete("schema");
  const connection = url.href;
  const user = url.username === "" ? "" : `${url.username}@`;
  const location = `postgres://${user}${url.host}${url.pathname}${schema === "parley" ? "" : `?schema=${schema}`}`;
  return { connection, schema, location };
}

/** The text may hold a password, so it is not repeated. */
function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && url.pathname.length > 1) return url;
  throw new ParleyError(
    "bad_config",
    "the address of the store cannot be read; write postgres://USER:PASSWORD@HOST:5432/DATABASE",
  );
}
