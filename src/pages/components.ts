// Small parts that several public pages share: names, times, links to people.

import { avatarOf } from "../domain/people/accounts/pictures.ts";
import type { App } from "../platform/app.ts";
import { html } from "../platform/text/html.ts";
import type { Html } from "../platform/text/html.ts";
import { acct } from "../domain/people/accounts/present.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { webUrl } from "../platform/text/web-url.ts";
import type { SeenStatus } from "../domain/posts/statuses/tables.ts";
import { withEmojis } from "../domain/base/emojis/pictures.ts";

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

/** Draws a name with its custom emojis; titles and attributes take `shownName`. */
export const personName = (view: AccountView): Html =>
  html`<bdi>${withEmojis(shownName(view), view.emojis)}</bdi>`;

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

export const moment = (date: Date): Html =>
  html`<time datetime="${date.toISOString()}" title="${MOMENT.format(date)} UTC"
    >${MOMENT.format(date)}</time
  >`;
