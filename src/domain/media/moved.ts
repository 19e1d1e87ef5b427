// Files that came from another server's folder (src/moving): where they are now follows from where they were, so that
// their old addresses lead to them without a list.

import type { App } from "../../platform/app.ts";
import { derived } from "../../platform/seal.ts";
import { typeOfEnding } from "../../platform/storage/index.ts";
import type { Folder } from "../../platform/storage/index.ts";

const KINDS: [RegExp, Folder][] = [
  [/^accounts\/avatars\//, "avatars"],
  [/^accounts\/headers\//, "headers"],
  [/^media_attachments\/(?:files|thumbnails)\//, "attachments"],
  [/^custom_emojis\/images\//, "emojis"],
  [/^cache\/preview_cards\/images\//, "cards"],
  [/^site_uploads\/files\//, "headers"],
];

/** Endings of other servers that mean one of ours. */
const ENDINGS: Record<string, string> = { jpeg: "jpg", oga: "ogg", m4v: "mp4" };

const endingOf = (path: string): string | null => {
  const ending = /\.([a-z0-9]{2,5})$/i.exec(path)?.[1]?.toLowerCase();
  const own = ending && (ENDINGS[ending] ?? ending);
  return own && typeOfEnding(own) !== null ? own : null;
};

/**
 * The key of the file that was at this path (`accounts/avatars/000/…/original/x.png`); null: no such file is taken.
 * Nobody can make it of the path who does not know SECRET_KEY_BASE.
 */
export const movedKey = (app: App, path: string): string | null => {
  const folder = KINDS.find(([kind]) => kind.test(path))?.[1];
  const ending = endingOf(path);
  if (!folder || !ending || path.length > 300) return null;
  const secret = derived(app, { what: "rookery moved files", owner: path });
  const id = Buffer.from(secret, "base64url").toString("hex").slice(0, 32);
  return `${folder}/${id.slice(0, 2)}/${id.slice(2)}.${ending}`;
};
