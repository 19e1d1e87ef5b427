// Encrypts a backup with AES-256-GCM in numbered pieces of 64 KiB, the last of which is marked, so that nothing can be
// cut off, exchanged or repeated (STREAM, https://eprint.iacr.org/2015/189). The key is derived from the passphrase by
// scrypt and differs for each file.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { LRUCache } from "lru-cache";
import { ConfigError } from "./uses.ts";

export const SEALED_MAGIC = Buffer.from("rookery sealed 1\n");
const SALT_BYTES = 16;
const TAG_BYTES = 16;
const PIECE_BYTES = 64 * 1024;
const HEADER_BYTES = SEALED_MAGIC.length + 2 * SALT_BYTES;

/** Each guess of a passphrase costs 128 MB and 0.4 s. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

export type Bytes = AsyncIterable<Buffer>;

export type Keys = {
  seal(source: Bytes): AsyncGenerator<Buffer>;
  /** Decrypts; throws ConfigError for another passphrase or changed bytes. `name` is the file's, for the message. */
  unseal(source: Bytes, name: string): AsyncGenerator<Buffer>;
};

/** Returns the encrypted size of a file in bytes. */
export const sealedSize = (bytes: number): number =>
  HEADER_BYTES + bytes + TAG_BYTES * Math.max(1, Math.ceil(bytes / PIECE_BYTES));

/** Yields pieces of `size` bytes; only the last may be smaller. */
async function* inPieces(source: Bytes, size: number): AsyncGenerator<[Buffer, isLast: boolean]> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes <= size) continue;
    let all = Buffer.concat(waiting);
    for (; all.length > size; all = all.subarray(size)) yield [all.subarray(0, size), false];
    waiting = [all];
    bytes = all.length;
  }
  yield [Buffer.concat(waiting), true];
}

const nonce = (n: number, isLast: boolean): Buffer => {
  const bytes = Buffer.alloc(12);
  bytes.writeUIntBE(n, 5, 6);
  bytes[11] = isLast ? 1 : 0;
  return bytes;
};

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

const fileKey = (key: Buffer, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, "rookery backup", 32));

/** Reads the header; `rest` yields what follows it. */
const readHeader = async (source: Bytes): Promise<{ header: Buffer; rest: Bytes }> => {
  const chunks = source[Symbol.asyncIterator]();
  let header = Buffer.alloc(0);
  while (header.length < HEADER_BYTES) {
    const next = await chunks.next();
    if (next.done) break;
    header = Buffer.concat([header, next.value]);
  }
  const left = header.subarray(HEADER_BYTES);
  const rest = (async function* () {
    yield left;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
  return { header: header.subarray(0, HEADER_BYTES), rest };
};

const refused = (name: string): ConfigError =>
  new ConfigError(`${name} cannot be decrypted: the passphrase is wrong, or the file is damaged.`);

const makeKeys = (passphrase: string): Keys => {
  const known = new Map<string, Promise<Buffer>>();
  /** Deriving a key takes long, so keys are kept by salt, and files that are encrypted together share one. */
  const keyOf = (salt: Buffer): Promise<Buffer> => {
    const name = salt.toString("hex");
    const key = known.get(name) ?? derive(passphrase.normalize("NFC"), salt, 32, SCRYPT);
    known.set(name, key);
    return key;
  };
  const own = randomBytes(SALT_BYTES);
  return {
    async *seal(source) {
      const file = randomBytes(SALT_BYTES);
      const key = fileKey(await keyOf(own), file);
      yield Buffer.concat([SEALED_MAGIC, own, file]);
      let n = 0;
      for await (const [piece, isLast] of inPieces(source, PIECE_BYTES)) {
        const cipher = createCipheriv("aes-256-gcm", key, nonce(n++, isLast));
        yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
      }
    },
    async *unseal(source, name) {
      const { header, rest } = await readHeader(source);
      const isWhole = header.length === HEADER_BYTES;
      if (!isWhole || !header.subarray(0, SEALED_MAGIC.length).equals(SEALED_MAGIC)) {
        throw new ConfigError(`${name} is not encrypted, or it is damaged.`);
      }
      const salts = header.subarray(SEALED_MAGIC.length);
      const key = fileKey(await keyOf(salts.subarray(0, SALT_BYTES)), salts.subarray(SALT_BYTES));
      let n = 0;
      for await (const [piece, isLast] of inPieces(rest, PIECE_BYTES + TAG_BYTES)) {
        if (piece.length < TAG_BYTES) throw refused(name);
        const end = piece.length - TAG_BYTES;
        const decipher = createDecipheriv("aes-256-gcm", key, nonce(n++, isLast), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAuthTag(piece.subarray(end));
        let text: Buffer;
        try {
          text = Buffer.concat([decipher.update(piece.subarray(0, end)), decipher.final()]);
        } catch {
          throw refused(name);
        }
        yield text;
      }
    },
  };
};

/** Keys by passphrase. A process needs the present passphrase and perhaps an earlier one. */
const cache = new LRUCache<string, Keys>({ max: 4 });

/** Returns the keys of a passphrase, the same object each time. */
export const createKeys = (passphrase: string): Keys => {
  const keys = cache.get(passphrase) ?? makeKeys(passphrase);
  cache.set(passphrase, keys);
  return keys;
};
