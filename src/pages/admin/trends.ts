// Shows what trends and what may trend: hashtags, links, posts and the sites that links lead to.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import { numberText } from "../../platform/text/figures.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { says } from "../../platform/text/texts.ts";
import type { Key } from "../../platform/text/texts.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { normaliseTag } from "../../platform/text/tags.ts";
import { loadTagsByName } from "../../domain/posts/tags/load.ts";
import { adminTagEntities } from "../../domain/reading/trends/admin-tags.ts";
import {
  listPublishers,
  trendingLinks,
  trendingStatuses,
  trendingTags,
} from "../../domain/reading/trends/admin-lists.ts";
import { changeTagAs, reviewAs } from "../../domain/reading/trends/review.ts";
import type { Subject } from "../../domain/reading/trends/review.ts";
import { accountHead, badge, empty, mediaRejectedOf, postQuote, tabs } from "./components.ts";
import { formsOf } from "./forms.ts";
import { button, entered, idOf, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";

const TAGS = "/admin/trends";
const LINKS = "/admin/trends/links";
const POSTS = "/admin/trends/statuses";
const SITES = "/admin/trends/publishers";
const LIMIT = 40;
const EVERYTHING = { all: true, slice: { limit: LIMIT, offset: 0 } } as const;

const TABS: readonly (readonly [string, Key])[] = [
  [TAGS, "network.trends.tags"],
  [LINKS, "network.trends.links"],
  [POSTS, "network.trends.posts"],
  [SITES, "network.trends.sites"],
];

const DONE: Record<string, Key> = {
  approved: "network.trends.done.approved",
  rejected: "network.trends.done.rejected",
  saved: "network.trends.done.saved",
};

const send = (context: Staff, problem: string | undefined, path: string, body: HtmlValue) => {
  const { t } = context;
  const title = t("network.trends.title");
  const views = TABS.map(([target, label]) => [target, t(label)] as const);
  return sendAdmin(context, {
    title,
    problem,
    done: DONE,
    body: html`${tabs(title, path, views)} ${body}`,
  });
};

const decide = (context: Staff, path: string, of: string): Html =>
  html`<div class="buttons">
    ${button(context, { action: `${path}/approve`, label: context.t("network.trends.approve"), of, kind: "" })}
    ${button(context, { action: `${path}/reject`, label: context.t("network.trends.reject"), of, kind: "bad" })}
  </div>`;

const state = ({ t }: Staff, trendable: boolean | null, waits: boolean): Html =>
  waits
    ? badge(t("network.trends.waits"))
    : trendable
      ? badge(t("network.trends.may"), "good")
      : badge(t("network.trends.may_not"), "bad");

type Tag = Awaited<ReturnType<typeof trendingTags>>[number];

const week = (
  { t, language }: Staff,
  history: { uses: string; accounts: string }[] | undefined,
): string => {
  const total = (name: "uses" | "accounts") =>
    (history ?? []).reduce((sum, row) => sum + Number(row[name]), 0);
  return t("network.trends.week", {
    count: total("uses"),
    people: numberText(language, total("accounts")),
  });
};

/**
 * Flags with the labels of the button that turns each on, of the one that turns it off, and the text while it is off.
 */
const FLAGS = [
  ["usable", "network.trends.usable", "network.trends.unusable", "network.trends.is_unusable"],
  [
    "listable",
    "network.trends.listable",
    "network.trends.unlistable",
    "network.trends.is_unlistable",
  ],
] as const;

const tagItem = (context: Staff, tag: Tag): Html => {
  const { t } = context;
  const path = `${TAGS}/tags/${tag.id}`;
  return html`<li>
    <div class="what">
      <strong>#${tag.name} ${state(context, tag.trendable, tag.requires_review)}</strong>
      <span>${week(context, tag.history)}</span>
      ${FLAGS.map(([flag, , , state]) => tag[flag] === false && badge(t(state), "bad"))}
    </div>
    ${decide(context, path, tag.name)}
    <div class="buttons">
      ${FLAGS.map(([flag, on, off]) =>
        button(context, {
          action: `${path}/change`,
          label: t(tag[flag] ? off : on),
          of: tag.name,
          fields: { flag, value: String(!tag[flag]) },
        }),
      )}
    </div>
  </li>`;
};

/** Finds one hashtag by its name, or those that trend. */
const findTags = async (context: Staff, name: string): Promise<Tag[]> => {
  const { app, who } = context;
  if (name === "") return trendingTags(app, EVERYTHING, who.accountId);
  const views = await loadTagsByName(
    app,
    [{ name: normaliseTag(name), display: name }],
    who.accountId,
  );
  const ids = views.flatMap(({ id }) => id ?? []);
  return adminTagEntities(app, ids, who.accountId);
};

const showTags: Show = async (context, problem) => {
  const { t } = context;
  const { q = "" } = entered(context);
  const tags = await findTags(context, q.trim().replace(/^#/, ""));
  const search = html`<form method="get" action="${TAGS}" role="search">
    <div class="filters">
      ${inputField({ name: "q", label: t("network.trends.tag"), value: q, optional: true, maxlength: 200 })}
      <button class="button">${t("staff.search")}</button>
    </div>
  </form>`;
  const list =
    tags.length === 0
      ? empty(t(q ? "network.trends.no_such_tag" : "network.trends.no_tags"))
      : html`<ul class="rows">
          ${tags.map((tag) => tagItem(context, tag))}
        </ul>`;
  return send(context, problem, TAGS, html`${search} ${list}`);
};

const showLinks: Show = async (context, problem) => {
  const links = await trendingLinks(context.app, EVERYTHING);
  const list = html`<ul class="rows">
    ${links.map(
      (link) =>
        html`<li>
          <div class="what">
            <strong
              ><a href="${link.url}" rel="noopener noreferrer nofollow"
                >${link.title || link.url}</a
              >
              ${link.requires_review && badge(context.t("network.trends.waits"))}</strong
            >
            <span>${link.provider_name} · ${week(context, link.history)}</span>
          </div>
          ${decide(context, `${LINKS}/${link.id}`, link.url)}
        </li>`,
    )}
  </ul>`;
  return send(
    context,
    problem,
    LINKS,
    links.length === 0 ? empty(context.t("network.trends.no_links")) : list,
  );
};

const showPosts: Show = async (context, problem) => {
  const { app, who } = context;
  const { views, waiting } = await trendingStatuses(app, EVERYTHING, who.accountId);
  const { site } = app.config;
  const rejected = await mediaRejectedOf(app, views);
  const list = views.map(
    (view) =>
      html`<section class="panel">
        ${accountHead(site, view.account)} ${postQuote(context, view, rejected)}
        ${waiting.has(view.id) && html`<p>${badge(context.t("network.trends.waits"))}</p>`}
        ${decide(context, `${POSTS}/${view.id}`, view.account.username)}
      </section>`,
  );
  return send(
    context,
    problem,
    POSTS,
    views.length === 0 ? empty(context.t("network.trends.no_posts")) : list,
  );
};

const showSites: Show = async (context, problem) => {
  const { t, language } = context;
  const rows = await listPublishers(context.app, pageOf(context, LIMIT));
  const ids = rows.map(({ id }) => id);
  const list = html`<ul class="rows">
      ${rows.map(
        (row) =>
          html`<li>
            <div class="what">
              <strong
                >${row.domain} ${state(context, row.trendable, row.reviewed_at === null)}</strong
              >
              ${row.reviewed_at && html`<span>${t("network.trends.reviewed")} ${whenText(row.reviewed_at, language)}</span>`}
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
    rows.length === 0 ? empty(t("network.trends.no_sites")) : list,
  );
};

const changeFlag = (context: Staff): Promise<void> => {
  const { flag, value } = entered(context);
  const name = FLAGS.map(([flag]) => flag).find((name) => name === flag);
  if (!name) throw new Unprocessable(says("network.trends.choose"));
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
