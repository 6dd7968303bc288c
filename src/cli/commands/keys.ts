import { Command } from "commander";
import { locateKey, makeKey, readKey, type SigningKey } from "../../runs/proof/signing-key.ts";
import type { Io } from "../terminal/io.ts";

const about = `
The key signs what \`parley export RUN --proof FILE\` writes. Tell others the fingerprint on another way than the proof:
  parley-verify proof.json --key FINGERPRINT`;

/** `parley keys [new]` */
export function command(io: Io): Command {
  const file = locateKey(io.env);
  return new Command("keys")
    .description("Shows the key that signs proofs of runs; `keys new` makes it.")
    .addHelpText("after", about)
    .action(() => {
      const key = readKey(file);
      io.out(key ? describeKey(key) : `no signing key yet; \`parley keys new\` makes one in ${file}\n`);
    })
    .addCommand(
      new Command("new")
        .description("Makes a key; one that is there is never replaced.")
        .action(() => io.out(describeKey(makeKey(file)))),
    );
}

function describeKey({ file, fingerprint, publicKey }: SigningKey): string {
  return `fingerprint  ${fingerprint}\npublic key   ${publicKey}\nkept in      ${file}\n`;
}
