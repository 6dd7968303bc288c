import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { AccessRole } from "../../contract/api/index.ts";
import { memoryStore } from "../../store/sqlite.ts";
import type { Sessions } from "../../store/store.ts";

/** The caller's rights, and a name for limits and logs that does not reveal the token. */
export type Caller = { role: AccessRole; name: string; reviewer: string | null };

export type Tokens = {
  operator: string;
  reader: string | null;
  reviewers?: Readonly<Record<string, string>>;
  /** Identifies the owner's tokens: changing them ends all sessions. Left out when the owner chose none. */
  bind?: string;
};

export type Access = ReturnType<typeof createAccess>;

export const sessionMs = 30 * 24 * 3_600_000;
const codeMs = 12 * 3_600_000;
const mostBrowsers = 5;
const mostSessions = 1_000;

type AccessOptions = { nowMs?: () => number; book?: Sessions };

export function createAccess(tokens: Tokens, options: AccessOptions = {}) {
  const { nowMs = Date.now, book = memoryStore().sessions } = options;
  const know = (role: AccessRole, token: string, reviewer: string | null = null): Known => ({
    role,
    reviewer,
    hash: hashText(token),
  });
  const known = [
    know("operator", tokens.operator),
    ...(tokens.reader === null ? [] : [know("reader", tokens.reader)]),
    ...Object.entries(tokens.reviewers ?? {}).map(([name, token]) => know("reviewer", token, name)),
  ];
  const keyOf = (value: string): string => hashText(`${tokens.bind ?? ""}:${value}`).toString("hex");
  const codes = new Map<string, { endsMs: number; left: number }>();
  const findToken = (token: string): Caller | null => {
    const hash = hashText(token);
    const found = known.filter((one) => timingSafeEqual(one.hash, hash))[0];
    if (!found) return null;
    const { role, reviewer } = found;
    return { role, reviewer, name: reviewer === null ? `${role} token` : `reviewer ${reviewer}` };
  };
  const findSession = async (value: string): Promise<Caller | null> => {
    const key = keyOf(value);
    const session = await book.find(key);
    if (!session || session.endsMs <= nowMs()) return null;
    const found = known.find((one) => nameSession(one) === session.role);
    return found ? { role: found.role, reviewer: found.reviewer, name: `session ${key.slice(0, 8)}` } : null;
  };
  return {
    async identify(authorization: string | undefined, cookie: string | undefined): Promise<Caller | null> {
      const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
      if (authorization !== undefined) return token === undefined ? null : findToken(token);
      return cookie === undefined ? null : findSession(cookie);
    },
    async openSession({ role, reviewer }: Pick<Caller, "role" | "reviewer">): Promise<string> {
      const value = randomBytes(32).toString("base64url");
      const owner = known.find((one) => one.role === role && one.reviewer === reviewer);
      if (!owner) throw new Error(`nobody here is a ${role}`);
      const session = { role: nameSession(owner), endsMs: nowMs() + sessionMs };
      await book.keep(keyOf(value), session, { nowMs: nowMs(), most: mostSessions });
      return value;
    },
    /** Makes a code that opens operator sessions in a few browsers of one person. */
    createCode(): string {
      const code = randomBytes(24).toString("base64url");
      codes.set(hashText(code).toString("hex"), { endsMs: nowMs() + codeMs, left: mostBrowsers });
      return code;
    },
    takeCode(code: string): boolean {
      const known = codes.get(hashText(code).toString("hex"));
      if (!known || known.endsMs <= nowMs() || known.left === 0) return false;
      known.left -= 1;
      return true;
    },
  };
}

type Known = { role: AccessRole; reviewer: string | null; hash: Buffer };

/** The key of a session; a reviewer's session ends with their token. */
function nameSession({ role, reviewer, hash }: Known): string {
  return reviewer === null ? role : `${role} ${reviewer} ${hash.toString("hex").slice(0, 16)}`;
}

/** Equal length, for comparison in constant time. */
function hashText(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
