// Where the avatar and the header of an account are.

import type { FullConfig } from "../../platform/config/config.ts";
import { fileUrl } from "../../platform/storage/index.ts";
import type { AccountView } from "./tables.ts";

type Site = FullConfig["site"];
type Pictured = Pick<AccountView, "avatar_key" | "avatar_url">;

/** null: the account has none. A picture of another server is where that says. */
export const avatarOf = ({ avatar_key, avatar_url }: Pictured, site: Site): string | null =>
  avatar_key ? fileUrl(site, avatar_key) : avatar_url;

/** One that does not move. */
export const stillAvatarOf = (view: AccountView, site: Site): string | null =>
  view.avatar_static_key ? fileUrl(site, view.avatar_static_key) : avatarOf(view, site);

export const headerOf = (view: AccountView, site: Site): string | null =>
  view.header_key ? fileUrl(site, view.header_key) : view.header_url;

export const stillHeaderOf = (view: AccountView, site: Site): string | null =>
  view.header_static_key ? fileUrl(site, view.header_static_key) : headerOf(view, site);
