// Returns addresses of the avatar and the header of an account: stored here, or fetched from its server when somebody
// looks.

import type { FullConfig } from "../../../platform/config/config.ts";
import { fileUrl } from "../../../platform/storage/index.ts";
import { remoteFileUrl } from "../../../platform/storage/remote-url.ts";
import type { AccountView } from "./tables.ts";

type Site = FullConfig["site"];

const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

/**
 * Guesses by the name, since only these types move in all browsers. Whether a picture moves is known after it is
 * fetched.
 */
const mayMove = (url: string): boolean => /\.(?:gif|webp)(?:$|[?#])/i.test(url);

/** Returns null where the account has none. */
export const avatarOf = ({ id, avatar_key, avatar_url: url }: AccountView, site: Site) => {
  if (avatar_key) return fileUrl(site, avatar_key);
  return isWeb(url) ? remoteFileUrl(site, "avatars", id, url) : null;
};

/** Returns an avatar that does not move. */
export const stillAvatarOf = (view: AccountView, site: Site): string | null => {
  const { id, avatar_key, avatar_static_key, avatar_url: url } = view;
  if (avatar_static_key) return fileUrl(site, avatar_static_key);
  if (avatar_key || !isWeb(url) || !mayMove(url)) return avatarOf(view, site);
  return remoteFileUrl(site, "still_avatars", id, url);
};

/** Returns a still avatar of the size that lists show; null where there is none. */
export const smallAvatarOf = (view: AccountView, site: Site): string | null => {
  const { id, avatar_key, avatar_small_key, avatar_url: url } = view;
  if (avatar_small_key) return fileUrl(site, avatar_small_key);
  return avatar_key || !isWeb(url) ? null : remoteFileUrl(site, "small_avatars", id, url);
};

export const headerOf = ({ id, header_key, header_url: url }: AccountView, site: Site) => {
  if (header_key) return fileUrl(site, header_key);
  return isWeb(url) ? remoteFileUrl(site, "headers", id, url) : null;
};

export const stillHeaderOf = (view: AccountView, site: Site): string | null => {
  const { id, header_key, header_static_key, header_url: url } = view;
  if (header_static_key) return fileUrl(site, header_static_key);
  if (header_key || !isWeb(url) || !mayMove(url)) return headerOf(view, site);
  return remoteFileUrl(site, "still_headers", id, url);
};
