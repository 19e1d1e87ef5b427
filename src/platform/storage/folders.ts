// The folders of stored files, and whether everybody may read the files in each.

/**
 * The first folders of all keys. Anything else in the bucket or folder is not ours: it is never served, moved or
 * deleted. Files in private folders are given only to their owners, and have no public address.
 */
export const FOLDERS = {
  attachments: "public",
  avatars: "public",
  headers: "public",
  emojis: "public",
  cards: "public",
  /** Banner, icon and logo of the server. */
  site: "public",
  remote: "public",
  archives: "private",
} as const;

export type Folder = keyof typeof FOLDERS;
