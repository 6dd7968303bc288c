import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { AccessRole } from "../../contract/api/index.ts";
import { memorySessions } from "../../store/memory-store.ts";
import type { Sessions } from "../../store/store.ts";

/** Who calls: what they may do, and a name for limits and logs that tells nothing of the token. */
export type Caller = { role: AccessRole; name: string };

/** The tokens of a server; a reader's is optional. */
export type Tokens = {
  operator: string;
  reader: string | null;
  /** What sessions hold for: with another, those of before are over. The tokens that an owner chose, or nothing. */
  bind?: string;
};

/** How a caller proves who they are: a token in a header, or a cookie that such a token or a one-time link was traded for. */
export type Access = {
  identify(authorization: string | undefined, cookie: string | undefined): Promise<Caller | null>;
  /** Makes a session; the value is for the cookie alone. */
  openSession(role: AccessRole): Promise<string>;
  /** Makes a code that opens one operator's session, once. */
  createCode(): string;
  /** Takes a code; false when it was never made, or is used up or too old. */
  takeCode(code: string): boolean;
};

const sessionMs = 30 * 24 * 3_600_000;
const codeMs = 15 * 60_000;
const mostSessions = 1_000;

/** What access control is made with: the time, and where sessions are kept. */
export type AccessOptions = { nowMs?: () => number; book?: Sessions };

/** A server's access control. A session ends with the token that its server was started with. */
export function createAccess(tokens: Tokens, options: AccessOptions = {}): Access {
  const { nowMs = Date.now, book = memorySessions() } = options;
  const known = [
    { role: "operator" as const, hash: hashText(tokens.operator) },
    ...(tokens.reader === null ? [] : [{ role: "reader" as const, hash: hashText(tokens.reader) }]),
  ];
  const keyOf = (value: string): string => hashText(`${tokens.bind ?? ""}:${value}`).toString("hex");
  const codes = new Map<string, number>();
  const findToken = (token: string): Caller | null => {
    const hash = hashText(token);
    const found = known.filter((one) => timingSafeEqual(one.hash, hash))[0];
    return found ? { role: found.role, name: `${found.role} token` } : null;
  };
  const findSession = async (value: string): Promise<Caller | null> => {
    const key = keyOf(value);
    const session = await book.find(key);
    if (!session || session.endsMs <= nowMs()) return null;
    return { role: session.role === "operator" ? "operator" : "reader", name: `session ${key.slice(0, 8)}` };
  };
  return {
    async identify(authorization, cookie) {
      const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
      if (authorization !== undefined) return token === undefined ? null : findToken(token);
      return cookie === undefined ? null : findSession(cookie);
    },
    async openSession(role) {
      const value = randomBytes(32).toString("base64url");
      const session = { role, endsMs: nowMs() + sessionMs };
      await book.keep(keyOf(value), session, { nowMs: nowMs(), most: mostSessions });
      return value;
    },
    createCode() {
      const code = randomBytes(24).toString("base64url");
      codes.set(hashText(code).toString("hex"), nowMs() + codeMs);
      return code;
    },
    takeCode(code) {
      const key = hashText(code).toString("hex");
      const endsMs = codes.get(key);
      codes.delete(key);
      return endsMs !== undefined && endsMs > nowMs();
    },
  };
}

/** Hashes are of one length and are compared in constant time. */
function hashText(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The value of a cookie, or undefined. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A session's cookie: scripts cannot read it, and no other site's page makes a browser send it. */
export function writeCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${30 * 24 * 3600}`;
}
