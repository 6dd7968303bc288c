import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import { makeFolder } from "../../store/make-folder.ts";
import { locateUserFolder } from "../trust/user-folder.ts";

/** A key that signs proofs, with what others know it by. */
export type SigningKey = { key: KeyObject; file: string; publicKey: string; fingerprint: string };

export type Signature = { algorithm: "ed25519"; key: string; value: string };

/** Where a user's signing key lies: outside every project, so that no folder brings its own. */
export function locateKey(env: Record<string, string | undefined>): string {
  return join(locateUserFolder(env), "signing-key.pem");
}

/** The key in a file; null when there is none. */
export function readKey(file: string): SigningKey | null {
  if (!existsSync(file)) return null;
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType !== "ed25519") throw new Error(`it is a key of the kind ${key.asymmetricKeyType}`);
    const der = createPublicKey(key).export({ type: "spki", format: "der" });
    const fingerprint = createHash("sha256").update(der).digest("hex");
    return { key, file, publicKey: der.toString("base64"), fingerprint };
  } catch (cause) {
    throw new ParleyError("bad_input", `${file} is no Ed25519 key that can sign: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** Makes a key; one that is there already is never replaced. */
export function makeKey(file: string): SigningKey {
  if (existsSync(file))
    throw new ParleyError("bad_input", `there is a key already in ${file}; move it away first if you want another`);
  makeFolder(dirname(file));
  chmodSync(dirname(file), 0o700);
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
  const made = readKey(file);
  if (!made) throw new ParleyError("store_failed", `the key could not be written to ${file}`);
  return made;
}

/** Signs a text. */
export function signText({ key, publicKey }: SigningKey, text: string): Signature {
  return { algorithm: "ed25519", key: publicKey, value: sign(null, Buffer.from(text), key).toString("base64") };
}
