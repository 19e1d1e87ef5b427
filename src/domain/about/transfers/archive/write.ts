// Makes an archive in a job (contents.ts). It is packed while it is stored: only texts are on the disk before, because
// a tar states the length of a file before its contents.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Transform } from "node:stream";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import type { App } from "../../../../platform/app.ts";
import { tarSink } from "../../../../platform/archive-sinks.ts";
import { perApp } from "../../../../platform/caches/index.ts";
import { newKey } from "../../../../platform/storage/index.ts";
import { uploadFolder } from "../../../../platform/storage/uploads.ts";
import { writeContents } from "./contents.ts";
import { finishArchive, selectArchive } from "./queries.ts";

/** Packs and stores the archive, and counts its bytes. */
const store = async (app: App, key: string, accountId: string, folder: string): Promise<number> => {
  const archive = pack();
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const out = new PassThrough();
  // Most of it is pictures and videos, which compression does not make smaller.
  const packing = pipeline(archive as unknown as Readable, createGzip({ level: 1 }), counting, out);
  const filling = writeContents(app, tarSink(archive, folder), accountId).then(
    () => archive.finalize(),
    (error: unknown) => {
      archive.destroy(error as Error);
      throw error;
    },
  );
  const results = await Promise.allSettled([filling, packing, app.storage.put(key, out)]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return bytes;
};

const makeArchive = async (app: App, id: string, accountId: string): Promise<void> => {
  const folder = join(uploadFolder(app.config.dataDir), `archive-${id}`);
  const key = newKey("archives", "tgz");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const bytes = await store(app, key, accountId, folder);
    const archive = { key, bytes, at: app.clock.now() };
    const isWanted = await app.sql.begin(async (tx) => {
      const isThere = await finishArchive(tx, id, archive);
      if (isThere) await app.jobs.add(tx, "archive.ready", { id });
      return isThere;
    });
    if (!isWanted) await app.storage.delete([key]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Archives are made one at a time in this process. */
const runningOf = perApp("archives being made", () => {
  const running = { count: 0 };
  return { running, entries: () => running.count };
});
const BUSY_MS = 5000;

/** Handles the job `archive.wanted`. */
export const onArchiveWanted = async (app: App, { id }: { id: string }): Promise<void> => {
  const row = await selectArchive(app.sql, id);
  if (row?.state !== "waiting") return;
  const { running } = runningOf(app);
  if (running.count > 0) {
    const runAt = new Date(Date.now() + BUSY_MS);
    return app.jobs.add(app.sql, "archive.wanted", { id }, { key: `archive:${id}`, runAt });
  }
  running.count += 1;
  try {
    await makeArchive(app, id, row.account_id);
  } finally {
    running.count -= 1;
  }
};
