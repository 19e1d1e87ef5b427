// The folders that files are kept in, and whether everybody may read what is in one.

/**
 * The first folders of keys, all that there are: whatever else lies in the bucket or folder is not ours, is never
 * served, moved or deleted. Files of private ones are given only to whom they belong, and have no public address.
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
