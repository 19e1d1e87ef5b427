// What trends, and what may: hashtags, links, posts and the sites that links lead to.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { normaliseTag } from "../../platform/text/tags.ts";
import { loadTagsByName } from "../../domain/tags/load.ts";
import { adminTagEntities } from "../../domain/trends/admin-tags.ts";
import {
  listPublishers,
  trendingLinks,
  trendingStatuses,
  trendingTags,
} from "../../domain/trends/admin-lists.ts";
import { changeTagAs, reviewAs } from "../../domain/trends/review.ts";
import type { Subject } from "../../domain/trends/review.ts";
import { accountHead, badge, empty, mediaRejectedOf, postQuote, tabs } from "./parts.ts";
import { formsOf } from "./forms.ts";
import { button, entered, idOf, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";

const TAGS = "/admin/trends";
const LINKS = "/admin/trends/links";
const POSTS = "/admin/trends/statuses";
const SITES = "/admin/trends/publishers";
const LIMIT = 40;
const SLICE = { limit: LIMIT, offset: 0 };

const TABS = [
  [TAGS, "Hashtags"],
  [LINKS, "Links"],
  [POSTS, "Posts"],
  [SITES, "Sites"],
] as const;

const DONE = {
  approved: "It may trend from now on.",
  rejected: "It does not trend from now on.",
  saved: "The hashtag has been changed.",
};

const send = (context: Staff, problem: string | undefined, path: string, body: HtmlValue) =>
  sendAdmin(context, {
    title: "Trends",
    problem,
    done: DONE,
    body: html`${tabs("Trends", path, TABS)} ${body}`,
  });

const decide = (context: Staff, path: string, of: string): Html =>
  html`<div class="buttons">
    ${button(context, { action: `${path}/approve`, label: "May trend", of, kind: "" })}
    ${button(context, { action: `${path}/reject`, label: "May not", of, kind: "bad" })}
  </div>`;

const state = (trendable: boolean | null, waits: boolean): Html =>
  waits
    ? badge("not reviewed")
    : trendable
      ? badge("may trend", "good")
      : badge("may not trend", "bad");

type Tag = Awaited<ReturnType<typeof trendingTags>>[number];

const week = (history: { uses: string; accounts: string }[] | undefined): string => {
  const total = (name: "uses" | "accounts") =>
    (history ?? []).reduce((sum, row) => sum + Number(row[name]), 0);
  return `${total("uses")} uses by ${total("accounts")} people in the last week`;
};

const FLAGS = [
  ["usable", "New posts may have it", "New posts may not have it"],
  ["listable", "Found in search", "Not found in search"],
] as const;

const tagItem = (context: Staff, tag: Tag): Html => {
  const path = `${TAGS}/tags/${tag.id}`;
  return html`<li>
    <div class="what">
      <strong>#${tag.name} ${state(tag.trendable, tag.requires_review)}</strong>
      <span>${week(tag.history)}</span>
      ${FLAGS.map(([flag, , off]) => tag[flag] === false && badge(off, "bad"))}
    </div>
    ${decide(context, path, tag.name)}
    <div class="buttons">
      ${FLAGS.map(([flag, on, off]) =>
        button(context, {
          action: `${path}/change`,
          label: tag[flag] ? off : on,
          of: tag.name,
          fields: { flag, value: String(!tag[flag]) },
        }),
      )}
    </div>
  </li>`;
};

/** One hashtag by its name, or those that trend. */
const findTags = async (context: Staff, name: string): Promise<Tag[]> => {
  const { app, who } = context;
  if (name === "") return trendingTags(app, SLICE, who.accountId);
  const views = await loadTagsByName(
    app,
    [{ name: normaliseTag(name), display: name }],
    who.accountId,
  );
  const ids = views.flatMap(({ id }) => id ?? []);
  return adminTagEntities(app, ids, who.accountId);
};

const showTags: Show = async (context, problem) => {
  const { q = "" } = entered(context);
  const tags = await findTags(context, q.trim().replace(/^#/, ""));
  const search = html`<form method="get" action="${TAGS}" role="search">
    <div class="filters">
      ${inputField({ name: "q", label: "Hashtag", value: q, optional: true, maxlength: 200 })}
      <button class="button">Search</button>
    </div>
  </form>`;
  const list =
    tags.length === 0
      ? empty(q ? "There is no such hashtag." : "No hashtags trend now.")
      : html`<ul class="rows">
          ${tags.map((tag) => tagItem(context, tag))}
        </ul>`;
  return send(context, problem, TAGS, html`${search} ${list}`);
};

const showLinks: Show = async (context, problem) => {
  const links = await trendingLinks(context.app, SLICE);
  const list = html`<ul class="rows">
    ${links.map(
      (link) =>
        html`<li>
          <div class="what">
            <strong
              ><a href="${link.url}" rel="noopener noreferrer nofollow"
                >${link.title || link.url}</a
              >
              ${link.requires_review && badge("not reviewed")}</strong
            >
            <span>${link.provider_name} · ${week(link.history)}</span>
          </div>
          ${decide(context, `${LINKS}/${link.id}`, link.url)}
        </li>`,
    )}
  </ul>`;
  return send(context, problem, LINKS, links.length === 0 ? empty("No links trend now.") : list);
};

const showPosts: Show = async (context, problem) => {
  const { app, who } = context;
  const { views, waiting } = await trendingStatuses(app, SLICE, who.accountId);
  const { site } = app.config;
  const rejected = await mediaRejectedOf(app, views);
  const list = views.map(
    (view) =>
      html`<section class="panel">
        ${accountHead(site, view.account)} ${postQuote(context, view, rejected)}
        ${waiting.has(view.id) && html`<p>${badge("not reviewed")}</p>`}
        ${decide(context, `${POSTS}/${view.id}`, view.account.username)}
      </section>`,
  );
  return send(context, problem, POSTS, views.length === 0 ? empty("No posts trend now.") : list);
};

const showSites: Show = async (context, problem) => {
  const rows = await listPublishers(context.app, pageOf(context, LIMIT));
  const ids = rows.map(({ id }) => id);
  const list = html`<ul class="rows">
      ${rows.map(
        (row) =>
          html`<li>
            <div class="what">
              <strong>${row.domain} ${state(row.trendable, row.reviewed_at === null)}</strong>
              ${row.reviewed_at && html`<span>Reviewed ${whenText(row.reviewed_at)}</span>`}
            </div>
            ${decide(context, `${SITES}/${row.id}`, row.domain)}
          </li>`,
      )}
    </ul>
    ${olderLink(context, ids, LIMIT)}`;
  return send(
    context,
    problem,
    SITES,
    rows.length === 0 ? empty("No site has been linked to.") : list,
  );
};

const changeFlag = (context: Staff): Promise<void> => {
  const { flag, value } = entered(context);
  const name = FLAGS.map(([flag]) => flag).find((name) => name === flag);
  if (!name) throw new Unprocessable("Choose what to change.");
  return changeTagAs(context.app, context.actor, idOf(context), { [name]: value === "true" });
};

export const trendPages = (pages: Server, app: App): void => {
  const add = (home: string, path: string, subject: Subject, show: Show) => {
    pages.get(home, staffPage(app, ["trends.review"], show));
    const take = formsOf(pages, app, home, ["trends.review"], show);
    for (const [verb, done, trendable] of [
      ["approve", "approved", true],
      ["reject", "rejected", false],
    ] as const) {
      take(`${path}/:id/${verb}`, done, (context) =>
        reviewAs(app, context.actor, subject, { id: idOf(context), trendable }),
      );
    }
    return take;
  };
  const tags = add(TAGS, `${TAGS}/tags`, "tag", showTags);
  tags(`${TAGS}/tags/:id/change`, "saved", changeFlag);
  add(LINKS, LINKS, "link", showLinks);
  add(POSTS, POSTS, "status", showPosts);
  add(SITES, SITES, "publisher", showSites);
};
