// Questions of a drill about an uploaded file: whether it is served completely, and can be shown.

import { mkdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { kindOfBytes, uploadFolder } from "../uses.ts";
import { ask } from "./ask.ts";
import { differences, refusal } from "./question.ts";
import type { Question } from "./question.ts";
import type { StoredFile } from "./queries.ts";
import type { ThrowAway } from "./throw-away.ts";

const MAX_PIXELS = 100_000_000;
/** Pixels of the test output, for which the whole picture is decoded. */
const SMALL_PIXELS = 10_000;

/** Decodes a file; throws where that fails. Recordings and videos are skipped where there is no ffmpeg. */
const decode = async ({ app }: ThrowAway, path: string, body: Buffer): Promise<string | null> => {
  const kind = kindOfBytes(body.subarray(0, 64));
  if (!kind) return "It is no picture, video or recording.";
  if (kind.group === "picture" || kind.group === "gif") {
    const outputs = [{ path: `${path}-small`, pixels: SMALL_PIXELS }];
    await app.pictures.work({ path, by: "drill", maxPixels: MAX_PIXELS, outputs });
    return null;
  }
  await app.video?.probe(path, kind.demuxer!, "drill");
  return null;
};

export const aboutFile = (server: ThrowAway, { key, size }: StoredFile): Question => ({
  about: `/media/${key}`,
  async judge() {
    const reply = await ask(server, `/media/${key}`);
    const wrong =
      refusal(reply) ??
      (size === null ? null : differences([["The size", reply.body.length, Number(size)]]));
    if (wrong !== null) return wrong;
    // Pictures are only read from this folder.
    const folder = uploadFolder(server.app.config.dataDir);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, key.replaceAll("/", "-"));
    writeFileSync(path, reply.body);
    try {
      return await decode(server, path, reply.body);
    } finally {
      await rm(path, { force: true });
    }
  },
});
