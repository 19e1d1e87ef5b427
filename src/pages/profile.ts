// The page of one of our people: who they are and what they posted for everybody.

import type { App } from "../platform/app.ts";
import { MAX_ID } from "../platform/db/paging.ts";
import { fieldLink } from "../platform/text/format.ts";
import { html } from "../platform/text/html.ts";
import type { Html, HtmlValue } from "../platform/text/html.ts";
import { plainText } from "../platform/text/plain.ts";
import { NOBODY } from "../platform/viewer.ts";
import type { AccountField, AccountView } from "../domain/accounts/tables.ts";
import { instanceDetails } from "../domain/instance/details.ts";
import { loadVisible } from "../domain/statuses/load.ts";
import { publicHead } from "./head.ts";
import { publicPage } from "./layout.ts";
import {
  avatarUrl,
  counted,
  countedText,
  day,
  handle,
  headerUrl,
  richText,
  shorten,
  shownName,
  webUrl,
  withEmojis,
} from "./parts.ts";
import { feed } from "./post.ts";
import { selectByAccount } from "./queries.ts";

const SHOWN = 20;

const field = (view: AccountView, { name, value_html, verified_at }: AccountField): Html =>
  html`<div>
    <dt>${withEmojis(name, view.emojis)}</dt>
    <dd class="${verified_at ? "verified" : ""}">
      ${verified_at && html`<span title="This link was verified">✓ </span>`}${richText(
        value_html,
        view.emojis,
      )}
    </dd>
  </div>`;

const badges = (view: AccountView): HtmlValue => [
  ["Service", "Application"].includes(view.actor_type) &&
    html`<span class="badge">automated</span>`,
  view.actor_type === "Group" && html`<span class="badge">group</span>`,
  view.locked && html`<span class="badge">approves followers</span>`,
  view.role?.highlighted && html`<span class="badge">${view.role.name}</span>`,
];

const figures = (view: AccountView): Html =>
  html`<ul class="figures">
    <li>${counted(view.statuses_count, "post", "posts")}</li>
    <li>${counted(view.following_count, "following", "following")}</li>
    <li>${counted(view.followers_count, "follower", "followers")}</li>
    <li>joined ${day(view.created_at)}</li>
  </ul>`;

const notices = (app: App, view: AccountView): HtmlValue => [
  view.memorial && html`<p class="notice">This account is kept in memory of its person.</p>`,
  view.moved_to &&
    html`<p class="notice">
      This person has moved to
      <a href="${webUrl(view.moved_to.url) ?? "#"}">${handle(app.config.site, view.moved_to)}</a>.
    </p>`,
];

const card = (app: App, view: AccountView): Html => {
  const { site } = app.config;
  const header = headerUrl(view);
  return html`<section class="card profile">
    ${
      header
        ? html`<img class="profile-header" src="${header}" alt="${view.header_description}" />`
        : html`<div class="profile-header"></div>`
    }
    <div class="profile-body">
      <img
        class="profile-avatar"
        src="${avatarUrl(site, view)}"
        alt="${view.avatar_description}"
        width="104"
        height="104"
      />
      <h1>${withEmojis(shownName(view), view.emojis)}</h1>
      <p class="handle">${handle(site, view)}${badges(view)}</p>
      ${notices(app, view)}
      <div class="bio text">${richText(view.note_html, view.emojis)}</div>
      ${
        view.fields.length > 0 &&
        html`<dl class="fields">${view.fields.map((item) => field(view, item))}</dl>`
      }
      ${figures(view)}
    </div>
  </section>`;
};

/** What a preview says: the bio, or the figures where there is none. */
const summary = (view: AccountView): string =>
  shorten(plainText(view.note_html), 280) ||
  [
    countedText(view.statuses_count, "post", "posts"),
    countedText(view.following_count, "following", "following"),
    countedText(view.followers_count, "follower", "followers"),
  ].join(", ");

const profileHead = (app: App, view: AccountView, site: string): Html =>
  publicHead({
    type: "profile",
    title: `${shownName(view)} (${handle(app.config.site, view)})`,
    description: summary(view),
    url: view.url,
    image: avatarUrl(app.config.site, view),
    site,
    extra: { "profile:username": handle(app.config.site, view).slice(1) },
    activity: view.uri,
    me: view.fields.flatMap((item) => webUrl(fieldLink(item.value)) ?? []),
  });

/** `view`: one of ours, not suspended. `maxId`: posts before this one; null: the newest. */
export const profilePage = async (
  app: App,
  view: AccountView,
  maxId: string | null,
): Promise<string> => {
  const [details, ids] = await Promise.all([
    instanceDetails(app),
    selectByAccount(app.sql, view.id, { maxId: maxId ?? MAX_ID, limit: SHOWN }),
  ]);
  const views = await loadVisible(app, ids, NOBODY);
  const older = ids.length === SHOWN ? `?max_id=${ids.at(-1)}` : null;
  return publicPage(app, details, {
    title: `${shownName(view)} (${handle(app.config.site, view)})`,
    noindex: !view.indexable || maxId !== null,
    head: profileHead(app, view, details.title),
    body: html`${card(app, view)}
      <h2 class="section">Posts</h2>
      ${feed(app, views, maxId ? "Nothing older." : "No public posts yet.")}
      ${older && html`<p class="pager"><a class="button plain inline" href="${older}">Older posts</a></p>`}`,
  });
};
