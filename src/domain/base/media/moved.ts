// Computes where files from another server's folder (packages/import-mastodon) are now from where they were, so that
// their old addresses lead to them without a list.

import type { App } from "../../../platform/app.ts";
import { derived } from "../../../platform/seal.ts";
import { typeOfEnding } from "../../../platform/storage/index.ts";
import { partsOfOldPath } from "../../../platform/storage/old-layout.ts";

/** Maps other endings of a type to the one that keys here have. */
const ENDINGS: Record<string, string> = { jpeg: "jpg", oga: "ogg", m4v: "mp4" };

/**
 * Returns the key of the file that was at this path (`accounts/avatars/000/…/original/x.png`), or null where no such
 * file is taken. Nobody can compute it from the path without SECRET_KEY_BASE.
 */
export const movedKey = (app: App, path: string): string | null => {
  const parts = partsOfOldPath(path);
  if (!parts || typeOfEnding(parts.ending) === null) return null;
  const ending = ENDINGS[parts.ending] ?? parts.ending;
  const secret = derived(app, { what: "rookery moved files", owner: path });
  const id = Buffer.from(secret, "base64url").toString("hex").slice(0, 32);
  return `${parts.folder}/${id.slice(0, 2)}/${id.slice(2)}.${ending}`;
};
