// Stores files in a bucket of an S3-compatible service.

import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { checkKey, isMediaKey, isPrivateKey, typeOfKey } from "./index.ts";
import type { Files, KeyRule, Listed, Storage } from "./index.ts";

export type S3Options = {
  bucket: string;
  region: string;
  /** URL of the service; null for that of AWS. */
  endpoint: string | null;
  /** True when the bucket is in the path instead of the host name. */
  pathStyle: boolean;
  /** Null to use those of the process's environment (roles of AWS). */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
};

/** Bytes of a part; twice this is in memory for a file that is being sent. */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
/** Files that one request of S3 can delete. */
const DELETE_AT_ONCE = 1000;
const CONNECT_MS = 5_000;
const SILENCE_MS = 30_000;

const isMissing = (error: unknown): boolean =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404;

const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error) => {
    if (isMissing(error)) return null;
    throw error;
  });

const configOf = ({ region, endpoint, pathStyle, credentials }: S3Options) => ({
  region,
  forcePathStyle: pathStyle,
  // Many other services do not know the checksums that AWS added later.
  requestChecksumCalculation: "WHEN_REQUIRED" as const,
  responseChecksumValidation: "WHEN_REQUIRED" as const,
  requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
  ...(endpoint !== null && { endpoint }),
  ...(credentials && { credentials }),
});

/** Loads the library at its first use, because that takes 100 ms. */
const loadSdk = async (options: S3Options) => {
  const [sdk, { Upload }] = await Promise.all([
    import("@aws-sdk/client-s3"),
    import("@aws-sdk/lib-storage"),
  ]);
  const client: S3Client = new sdk.S3Client(configOf(options));
  return { ...sdk, Upload, client };
};

/** Media never change; nothing else in the bucket is public. */
const headersOf = (key: string) => {
  const ContentType = typeOfKey(key);
  return ContentType === null || isPrivateKey(key)
    ? { ContentType: "application/octet-stream", CacheControl: "private, no-store" }
    : { ContentType, CacheControl: "public, max-age=31536000, immutable" };
};

/** `folder` is the prefix of all keys, without a slash at its end. */
export const s3Files = (options: S3Options, isKey: KeyRule, folder = ""): Files => {
  const { bucket } = options;
  const before = folder === "" ? "" : `${folder}/`;
  let loaded: ReturnType<typeof loadSdk> | null = null;
  const sdk = () => (loaded ??= loadSdk(options));
  const nameOf = (key: string): string => {
    checkKey(key, isKey);
    return before + key;
  };
  const objectOf = (key: string) => ({ Bucket: bucket, Key: nameOf(key) });
  async function* list(beginning = ""): AsyncGenerator<Listed> {
    const { paginateListObjectsV2, client } = await sdk();
    const Prefix = before + beginning;
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix })) {
      for (const { Key = "", Size = 0 } of page.Contents ?? []) {
        const key = Key.slice(before.length);
        if (isKey(key)) yield { key, size: Size };
      }
    }
  }
  return {
    async put(key, source) {
      const { Upload, client } = await sdk();
      const Body = typeof source === "string" ? createReadStream(source) : source;
      const upload = new Upload({
        client,
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
        params: { ...objectOf(key), ...headersOf(key), Body },
      });
      try {
        await upload.done();
      } catch (error) {
        // Aborting a multi-part upload may fail as well, and would hide the first error.
        throw Body.errored ?? error;
      } finally {
        Body.destroy();
      }
    },
    async open(key, range) {
      const { GetObjectCommand, client } = await sdk();
      const Range = range && `bytes=${range.start}-${range.end}`;
      const got = await orNull(client.send(new GetObjectCommand({ ...objectOf(key), Range })));
      if (!got) return null;
      const all = got.ContentRange?.split("/")[1];
      const size = Number(all ?? got.ContentLength ?? 0);
      return { size, etag: got.ETag ?? `"${size}"`, stream: got.Body as Readable };
    },
    async stat(key) {
      const { HeadObjectCommand, client } = await sdk();
      const got = await orNull(client.send(new HeadObjectCommand(objectOf(key))));
      return got && { size: got.ContentLength ?? 0, etag: got.ETag ?? `"${got.ContentLength}"` };
    },
    async delete(keys) {
      const { DeleteObjectsCommand, client } = await sdk();
      for (let n = 0; n < keys.length; n += DELETE_AT_ONCE) {
        const Objects = keys.slice(n, n + DELETE_AT_ONCE).map((key) => ({ Key: nameOf(key) }));
        const Delete = { Objects, Quiet: true };
        const { Errors } = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }));
        const fault = Errors?.find(({ Code }) => Code !== "NoSuchKey");
        if (fault) throw new Error(`S3 did not delete ${fault.Key}: ${fault.Code}`);
      }
    },
    list,
    close() {
      void loaded?.then(({ client }) => client.destroy()).catch(() => {});
    },
  };
};

export const s3Storage = (options: S3Options, folder = ""): Storage => ({
  ...s3Files(options, isMediaKey, folder),
  internalPath: () => null,
});
