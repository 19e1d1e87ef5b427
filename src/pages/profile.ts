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
import type { SeenStatus } from "../domain/statuses/tables.ts";
import { publicHead } from "./head.ts";
import type { PublicPage } from "./layout.ts";
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
import { feedUrl } from "./rss.ts";
import { selectByAccount, selectPinned } from "./queries.ts";

const SHOWN = 20;
/** More than anybody can pin. */
const MAX_PINNED = 20;

const field = (view: AccountView, { name, value_html, verified_at }: AccountField): Html =>
  html`<div>
    <dt>${withEmojis(name, view.emojis)}</dt>
    <dd class="${verified_at ? "verified" : ""}">
      ${verified_at && html`<span title="Verified link">✓ </span>`}${richText(
        value_html,
        view.emojis,
      )}
    </dd>
  </div>`;

const badges = (view: AccountView): HtmlValue => [
  ["Service", "Application"].includes(view.actor_type) &&
    html`<span class="badge">Automated</span>`,
  view.actor_type === "Group" && html`<span class="badge">Group</span>`,
  view.locked && html`<span class="badge">Approves followers</span>`,
  view.role?.highlighted && html`<span class="badge">${view.role.name}</span>`,
];

/** Of people here: the counts of others are not known. */
const figures = (view: AccountView): Html =>
  html`<ul class="figures">
    <li>${counted(view.statuses_count, "post", "posts")}</li>
    <li>${counted(view.following_count, "following", "following")}</li>
    <li>${counted(view.followers_count, "follower", "followers")}</li>
    <li>Joined ${day(view.created_at)}</li>
  </ul>`;

const notices = (app: App, view: AccountView): HtmlValue => [
  view.memorial && html`<p class="notice">This account is a memorial to its owner.</p>`,
  view.moved_to &&
    html`<p class="notice">
      This account has moved to
      <a href="${webUrl(view.moved_to.url) ?? "#"}">${handle(app.config.site, view.moved_to)}</a>.
    </p>`,
];

/** Who somebody is, here or elsewhere; `actions`: what the viewer can do about it. */
export const profileCard = (app: App, view: AccountView, actions: HtmlValue = null): Html => {
  const { site } = app.config;
  const header = headerUrl(app.config.site, view);
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
      ${notices(app, view)} ${actions}
      <div class="bio text">${richText(view.note_html, view.emojis)}</div>
      ${
        view.fields.length > 0 &&
        html`<dl class="fields">${view.fields.map((item) => field(view, item))}</dl>`
      }
      ${view.domain === null && figures(view)}
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
    feed: feedUrl(view.url),
    me: view.fields.flatMap((item) => webUrl(fieldLink(item.value)) ?? []),
  });

type Posts = { pinned: SeenStatus[]; others: SeenStatus[]; older: string | null };

/** The newest posts, the pinned ones apart and not repeated among them; or those before `maxId`. */
const postsOf = async (app: App, id: string, maxId: string | null): Promise<Posts> => {
  const [ids, pinnedIds] = await Promise.all([
    selectByAccount(app.sql, id, { maxId: maxId ?? MAX_ID, limit: SHOWN }),
    maxId === null ? selectPinned(app.sql, id, MAX_PINNED) : [],
  ]);
  const isPinned = new Set(pinnedIds);
  const otherIds = ids.filter((one) => !isPinned.has(one));
  const views = await loadVisible(app, [...pinnedIds, ...otherIds], NOBODY);
  return {
    pinned: views.filter((view) => isPinned.has(view.id)),
    others: views.filter((view) => !isPinned.has(view.id)),
    older: ids.length === SHOWN ? `?max_id=${ids.at(-1)}` : null,
  };
};

/** What is listed below a profile. */
export const tabs = ({ url }: AccountView, shown: "posts" | "media"): Html => {
  const other = shown === "posts" ? "media" : "posts";
  const links = {
    posts: html`<a href="${url}">Posts</a>`,
    media: html`<a href="${url}/media">Media</a>`,
  };
  const titles = { posts: "Posts", media: "Media" };
  return html`<nav class="tabs">
    <h2 class="section">${titles[shown]}</h2>
    ${links[other]}
  </nav>`;
};

/** `view`: one of ours, not suspended. `maxId`: posts before this one; null: the newest. */
export const profilePage = async (
  app: App,
  view: AccountView,
  maxId: string | null,
): Promise<PublicPage> => {
  const [details, { pinned, others, older }] = await Promise.all([
    instanceDetails(app),
    postsOf(app, view.id, maxId),
  ]);
  return {
    details,
    title: `${shownName(view)} (${handle(app.config.site, view)})`,
    noindex: !view.indexable || maxId !== null,
    head: profileHead(app, view, details.title),
    body: html`${profileCard(app, view)} ${tabs(view, "posts")}
    ${feed(app, others, maxId ? "No older posts." : "No public posts yet.", pinned)}
    ${older && html`<p class="pager"><a class="button plain inline" href="${older}">Older posts</a></p>`}`,
  };
};
