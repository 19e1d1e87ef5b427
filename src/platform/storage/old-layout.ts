// The folders and names of files in a Mastodon's storage. Files that stay in a bucket (packages/import-mastodon) keep
// these keys. https://docs.joinmastodon.org/admin/optional/object-storage/

import type { Folder } from "./folders.ts";

const KINDS: Record<string, Folder> = {
  "accounts/avatars": "avatars",
  "accounts/headers": "headers",
  "media_attachments/files": "attachments",
  "media_attachments/thumbnails": "attachments",
  "custom_emojis/images": "emojis",
  "cache/preview_cards/images": "cards",
  "site_uploads/files": "headers",
};

/** Paths such as kind/000/000/001/original/name.png. */
const PATH =
  /^((?:[a-z_]+\/){1,2}[a-z_]+)\/(?:\d{3}\/){3,7}[a-z0-9]+\/\w[\w-]*\.([A-Za-z0-9]{2,5})$/;

const MAX_LENGTH = 300;

/** The folders that such files are in. */
export const OLD_FOLDERS = Object.keys(KINDS);

/** Returns the parts of such a path; null for any other. */
export const partsOfOldPath = (path: string): { folder: Folder; ending: string } | null => {
  if (path.length > MAX_LENGTH) return null;
  const [, kind = "", ending = ""] = PATH.exec(path) ?? [];
  return Object.hasOwn(KINDS, kind) ? { folder: KINDS[kind]!, ending: ending.toLowerCase() } : null;
};
