// Small parts that several public pages share: names, times, links to people.

import { avatarOf, acct } from "../domain/people/accounts/present.ts";
import type { App } from "../platform/app.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { webUrl } from "../platform/text/web-url.ts";
import type { SeenStatus } from "../domain/posts/statuses/tables.ts";

type Site = App["config"]["site"];

/** Returns `@alice@here.example`, complete for everybody: a handle has to work wherever it is pasted. */
export const handle = (site: Site, view: { username: string; domain: string | null }): string =>
  `@${view.username}@${view.domain ?? site.localDomain}`;

export const shownName = (view: AccountView): string =>
  (view.suspended_at === null && view.display_name.trim()) || acct(view);

export const avatarUrl = (site: Site, view: AccountView): string =>
  (view.suspended_at === null && webUrl(avatarOf(view, site))) ||
  `${site.origin}/avatars/missing.png`;

/** Returns the address where the post is read: here for ours, on its server for others. */
export const postUrl = (view: SeenStatus): string => webUrl(view.url) ?? webUrl(view.uri) ?? "#";
