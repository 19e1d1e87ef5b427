// The file of a backup is a tar, compressed by zstd with a checksum, and encrypted where there is a passphrase. `tar
// --zstd -tf` lists one that is not encrypted.

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { extract, pack } from "tar-stream";
import { ConfigError, says } from "./uses.ts";
import { SEALED_MAGIC } from "./sealed.ts";
import type { Bytes, Keys } from "./sealed.ts";

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

export const compress = () =>
  createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });

export type ArchiveWriter = {
  add(name: string, content: Buffer | string): Promise<void>;
  /** Writes an entry of exactly `size` bytes from a stream. */
  stream(name: string, size: number, source: Readable): Promise<void>;
};

/** `store` gets the finished stream; both it and `write` have to succeed. */
export const writeArchive = async (
  keys: Keys | null,
  store: (body: Readable) => Promise<void>,
  write: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> => {
  const tar = pack();
  const mtime = new Date();
  const zstd = compress();
  const archive: ArchiveWriter = {
    add: (name, content) =>
      new Promise((resolve, reject) => {
        const done = (error?: unknown) => (error ? reject(error) : resolve());
        tar.entry({ name, mtime }, Buffer.from(content), done);
      }),
    stream: (name, size, source) =>
      pipeline(source, tar.entry({ name, size, mtime }) as unknown as NodeJS.WritableStream),
  };
  const body = keys ? Readable.from(keys.seal(zstd), { objectMode: false }) : zstd;
  const feed = async () => {
    await write(archive);
    tar.finalize();
  };
  try {
    await Promise.all([pipeline(tar as unknown as Readable, zstd), store(body), feed()]);
  } catch (error) {
    tar.destroy(error as Error);
    body.destroy(error as Error);
    throw error;
  }
};

/** Reads the first bytes, which tell the type of a file; `all` still yields the whole file. */
const peek = async (source: Bytes): Promise<{ first: Buffer; all: Bytes }> => {
  const chunks = source[Symbol.asyncIterator]();
  let first = Buffer.alloc(0);
  while (first.length < SEALED_MAGIC.length) {
    const next = await chunks.next();
    if (next.done) break;
    first = Buffer.concat([first, next.value]);
  }
  const all = (async function* () {
    yield first;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
  return { first, all };
};

const startsWith = (bytes: Buffer, magic: Buffer): boolean =>
  bytes.subarray(0, magic.length).equals(magic);

export const damaged = (name: string): ConfigError =>
  new ConfigError(says("reason.backup.damaged", { name }));

/** Thrown when a backup is encrypted and no passphrase was given. */
export class PassphraseNeeded extends ConfigError {}

/** Decrypts a backup. Throws ConfigError for a file that is no backup, or that needs a passphrase. */
const decrypted = async (source: Bytes, keys: Keys | null, name: string): Promise<Bytes> => {
  const { first, all } = await peek(source);
  if (startsWith(first, ZSTD_MAGIC)) return all;
  if (!startsWith(first, SEALED_MAGIC)) {
    throw new ConfigError(`${name} is not a backup of Rookery.`);
  }
  if (keys) return keys.unseal(all, name);
  throw new PassphraseNeeded(says("reason.backup.sealed", { name }));
};

/**
 * Yields the decompressed, and if needed decrypted, bytes. Throws ConfigError as soon as they differ from what was
 * written.
 */
export async function* unpack(
  source: AsyncGenerator<Buffer>,
  keys: Keys | null,
  name: string,
): AsyncGenerator<Buffer> {
  try {
    const plain = await decrypted(source, keys, name);
    const zstd = createZstdDecompress();
    const fed = pipeline(plain, zstd);
    // The iteration throws the same error.
    fed.catch(() => {});
    yield* zstd as AsyncIterable<Buffer>;
    await fed;
  } catch (error) {
    throw error instanceof ConfigError ? error : damaged(name);
  } finally {
    await source.return(undefined);
  }
}

export type ArchiveEntry = { name: string; size: number; content: Bytes };

/** Yields the entries in order; the content of each has to be read before the next. */
export async function* readArchive(
  source: AsyncGenerator<Buffer>,
  keys: Keys | null,
  name: string,
): AsyncGenerator<ArchiveEntry> {
  const tar = extract();
  let fault: unknown = null;
  const fed = pipeline(unpack(source, keys, name), tar as unknown as NodeJS.WritableStream);
  fed.catch((error: unknown) => (fault = error));
  const asFault = (error: unknown): ConfigError => {
    const first = fault ?? error;
    return first instanceof ConfigError ? first : damaged(name);
  };
  async function* contentOf(entry: Bytes): AsyncGenerator<Buffer> {
    try {
      yield* entry;
    } catch (error) {
      throw asFault(error);
    }
  }
  try {
    for await (const entry of tar) {
      const { name: path, size = 0 } = entry.header;
      yield { name: path, size, content: contentOf(entry as unknown as Bytes) };
    }
    await fed;
  } catch (error) {
    throw asFault(error);
  }
}

export const readAll = async (content: Bytes): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(content));
