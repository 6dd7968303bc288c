/** How the bytes of a log become text; `mixed` is UTF-8 with lines that are not, which are read as Latin-1. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "binary";

const sniffed = 8192;

/** Guesses the encoding from the first bytes; `skip` is the length of a byte order mark, or of the zeros that a crash left. */
export function sniffEncoding(head: Uint8Array): { encoding: Encoding; skip: number } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: "utf-8", skip: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: "utf-16le", skip: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: "utf-16be", skip: 2 };
  const lead = head.findIndex((byte) => byte !== 0);
  if (lead >= 4) {
    const rest = sniffEncoding(head.subarray(lead));
    return { encoding: rest.encoding, skip: lead + rest.skip };
  }
  const sample = head.subarray(0, sniffed);
  const zeros = [0, 0];
  let controls = 0;
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
    else if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) controls += 1;
  }
  return { encoding: guessEncoding(sample.length, zeros[0] ?? 0, zeros[1] ?? 0, controls), skip: 0 };
}

function guessEncoding(length: number, evenZeros: number, oddZeros: number, controls: number): Encoding {
  const half = length / 2;
  if (oddZeros > half * 0.7 && evenZeros < half * 0.05) return "utf-16le";
  if (evenZeros > half * 0.7 && oddZeros < half * 0.05) return "utf-16be";
  return evenZeros + oddZeros + controls > length * 0.02 + 1 ? "binary" : "utf-8";
}

/** Turns UTF-16 chunks into UTF-8 ones, so that everything after works on one encoding. */
export async function* convertUtf16(source: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }), "utf8");
  yield Buffer.from(decoder.decode(), "utf8");
}
