// An S3 server on loopback with one bucket, for tests.

import S3rver from "s3rver";
import type { S3Options } from "../src/platform/storage/s3.ts";

export type S3Server = { options: S3Options; close(): Promise<void> };

const BUCKET = "media";
/** The only credentials that it knows. */
const KEY = "S3RVER";

/** Stores files below `folder`. */
export const startS3 = async (folder: string): Promise<S3Server> => {
  const configureBuckets = [{ name: BUCKET, configs: [] }];
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets,
  });
  const { port } = await server.run();
  return {
    options: {
      bucket: BUCKET,
      region: "us-east-1",
      endpoint: `http://127.0.0.1:${port}`,
      pathStyle: true,
      credentials: { accessKeyId: KEY, secretAccessKey: KEY },
    },
    close: () => server.close(),
  };
};
