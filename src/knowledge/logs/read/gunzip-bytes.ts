import { createGunzip, type Gunzip } from "node:zlib";

/** Says whether bytes begin a gzip file. */
export function isGzip(head: Uint8Array): boolean {
  return head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b;
}

/**
 * Unpacks gzip data chunk by chunk. Damaged or cut off data ends the stream after everything that could be unpacked, and
 * `onDamage` is told why: a log that was being written when the disk filled up is still worth reading.
 */
export async function* gunzipBytes(
  source: AsyncIterable<Uint8Array>,
  onDamage: (reason: string) => void,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const state: Unpacking = { failure: null, wake: () => {} };
  const wake = () => state.wake();
  gunzip.on("error", (error) => {
    state.failure = error;
    wake();
  });
  gunzip.on("readable", wake).on("end", wake);
  for await (const chunk of source) {
    yield* feed(gunzip, chunk, state);
    if (state.failure !== null) break;
  }
  if (state.failure === null) {
    gunzip.end();
    yield* drain(gunzip, state, () => gunzip.readableEnded);
  }
  if (state.failure !== null) onDamage(state.failure.message);
}

type Unpacking = { failure: Error | null; wake: () => void };

/** Writes one chunk and yields what came out of it; all output is taken before the next chunk, so an error loses none. */
async function* feed(gunzip: Gunzip, chunk: Uint8Array, state: Unpacking): AsyncGenerator<Uint8Array> {
  let done = false;
  gunzip.write(chunk, () => {
    done = true;
    state.wake();
  });
  yield* drain(gunzip, state, () => done);
}

async function* drain(gunzip: Gunzip, state: Unpacking, isDone: () => boolean): AsyncGenerator<Uint8Array> {
  while (state.failure === null) {
    const bytes = gunzip.read() as Buffer | null;
    if (bytes) yield bytes;
    else if (isDone()) return;
    else await new Promise<void>((resolve) => (state.wake = resolve));
  }
}
