// Where the avatar and the header of an account are: stored here, or fetched from its server when somebody looks.

import type { FullConfig } from "../../platform/config/config.ts";
import { fileUrl } from "../../platform/storage/index.ts";
import { remoteFileUrl } from "../../platform/storage/remote-url.ts";
import type { AccountView } from "./tables.ts";

type Site = FullConfig["site"];

const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

/** null: the account has none. */
export const avatarOf = ({ id, avatar_key, avatar_url: url }: AccountView, site: Site) => {
  if (avatar_key) return fileUrl(site, avatar_key);
  return isWeb(url) ? remoteFileUrl(site, "avatars", id, url) : null;
};

/** One that does not move. */
export const stillAvatarOf = (view: AccountView, site: Site): string | null =>
  view.avatar_static_key ? fileUrl(site, view.avatar_static_key) : avatarOf(view, site);

export const headerOf = ({ id, header_key, header_url: url }: AccountView, site: Site) => {
  if (header_key) return fileUrl(site, header_key);
  return isWeb(url) ? remoteFileUrl(site, "headers", id, url) : null;
};

export const stillHeaderOf = (view: AccountView, site: Site): string | null =>
  view.header_static_key ? fileUrl(site, view.header_static_key) : headerOf(view, site);
