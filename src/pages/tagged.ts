// What one of our people posted for everybody with one hashtag: where their featured tags lead to.

import type { App } from "../platform/app.ts";
import { MAX_ID } from "../platform/db/paging.ts";
import { html } from "../platform/text/html.ts";
import { displayTag, normaliseTag } from "../platform/text/tags.ts";
import { NOBODY } from "../platform/viewer.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { instanceDetails } from "../domain/instance/details.ts";
import { loadVisible } from "../domain/statuses/load.ts";
import { ownTagUrl, tagUrl } from "../domain/tags/present.ts";
import { publicHead } from "./head.ts";
import type { PublicPage } from "./layout.ts";
import { avatarUrl, handle, shownName } from "./parts.ts";
import { feed } from "./post.ts";
import { selectByAccountAndTag } from "./queries.ts";

const SHOWN = 20;

/** `view`: one of ours, not suspended; `typed`: known to be a name that a hashtag can have. */
export const taggedPage = async (
  app: App,
  view: AccountView,
  typed: string,
  maxId: string | null,
): Promise<PublicPage> => {
  const { site } = app.config;
  const [name, key] = [displayTag(typed), normaliseTag(typed)];
  const [details, ids] = await Promise.all([
    instanceDetails(app),
    selectByAccountAndTag(app.sql, view.id, key, { maxId: maxId ?? MAX_ID, limit: SHOWN }),
  ]);
  const views = await loadVisible(app, ids, NOBODY);
  const older = ids.length === SHOWN ? `?max_id=${ids.at(-1)}` : null;
  const title = `#${name} – ${shownName(view)} (${handle(site, view)})`;
  return {
    details,
    title,
    noindex: true,
    head: publicHead({
      type: "website",
      title,
      description: `Public posts by ${handle(site, view)} with the hashtag #${name}.`,
      url: ownTagUrl(site, view, key),
      image: avatarUrl(site, view),
      site: details.title,
    }),
    body: html`<h1><a href="${tagUrl(site, key)}">#${name}</a></h1>
      <p><a href="${view.url}">${shownName(view)} ${handle(site, view)}</a></p>
      ${feed(app, views, "No public posts with this hashtag yet.")}
      ${older && html`<p class="pager"><a class="button plain inline" href="${older}">Older posts</a></p>`}`,
  };
};
