// The page of a hashtag: the newest public posts with it.

import type { App } from "../platform/app.ts";
import { MAX_ID } from "../platform/db/paging.ts";
import { html } from "../platform/text/html.ts";
import { displayTag, normaliseTag } from "../platform/text/tags.ts";
import { NOBODY } from "../platform/viewer.ts";
import { instanceDetails } from "../domain/instance/details.ts";
import { loadVisible } from "../domain/statuses/load.ts";
import { tagUrl } from "../domain/tags/present.ts";
import { publicHead } from "./head.ts";
import type { PublicPage } from "./layout.ts";
import { feed } from "./post.ts";
import { feedUrl } from "./rss.ts";
import { selectByTag } from "./queries.ts";

const SHOWN = 20;

/** `typed`: the name as it stands in the address, known to be one that a hashtag can have. */
export const tagPage = async (
  app: App,
  typed: string,
  maxId: string | null,
): Promise<PublicPage> => {
  const name = displayTag(typed);
  const [details, ids] = await Promise.all([
    instanceDetails(app),
    selectByTag(app.sql, normaliseTag(name), { maxId: maxId ?? MAX_ID, limit: SHOWN }),
  ]);
  const views = await loadVisible(app, ids, NOBODY);
  const older = ids.length === SHOWN ? `?max_id=${ids.at(-1)}` : null;
  const { site } = app.config;
  return {
    details,
    title: `#${name}`,
    noindex: true,
    head: publicHead({
      type: "website",
      title: `#${name}`,
      description: `Public posts with the hashtag #${name}, as seen from ${site.localDomain}.`,
      url: tagUrl(site, normaliseTag(name)),
      feed: feedUrl(tagUrl(site, normaliseTag(name))),
      image: `${site.origin}/preview.png`,
      site: details.title,
    }),
    body: html`<h1>#${name}</h1>
      ${feed(app, views, "No public posts with this hashtag yet.")}
      ${older && html`<p class="pager"><a class="button plain inline" href="${older}">Older posts</a></p>`}`,
  };
};
