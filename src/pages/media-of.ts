// The pictures, videos and recordings that one of our people posted for everybody.

import type { App } from "../platform/app.ts";
import { MAX_ID } from "../platform/db/paging.ts";
import { html } from "../platform/text/html.ts";
import { NOBODY } from "../platform/viewer.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { instanceDetails } from "../domain/instance/details.ts";
import { loadVisible } from "../domain/statuses/load.ts";
import { publicHead } from "./head.ts";
import type { PublicPage } from "./layout.ts";
import { avatarUrl, handle, shownName } from "./parts.ts";
import { feed } from "./post.ts";
import { profileCard, tabs } from "./profile.ts";
import { selectMediaByAccount } from "./queries.ts";

const SHOWN = 20;

/** `view`: one of ours, not suspended. */
export const mediaPage = async (
  app: App,
  view: AccountView,
  maxId: string | null,
): Promise<PublicPage> => {
  const { site } = app.config;
  const page = { maxId: maxId ?? MAX_ID, limit: SHOWN };
  const [details, ids] = await Promise.all([
    instanceDetails(app),
    selectMediaByAccount(app.sql, view.id, page),
  ]);
  const views = await loadVisible(app, ids, NOBODY);
  const older = ids.length === SHOWN ? `?max_id=${ids.at(-1)}` : null;
  const title = `Media of ${shownName(view)} (${handle(site, view)})`;
  return {
    details,
    title,
    noindex: true,
    head: publicHead({
      type: "website",
      title,
      description: `Pictures, videos and recordings that ${handle(site, view)} posted.`,
      url: `${view.url}/media`,
      image: avatarUrl(site, view),
      site: details.title,
    }),
    body: html`${profileCard(app, view)} ${tabs(view, "media")}
    ${feed(app, views, "No public media yet.")}
    ${older && html`<p class="pager"><a class="button plain inline" href="${older}">Older posts</a></p>`}`,
  };
};
