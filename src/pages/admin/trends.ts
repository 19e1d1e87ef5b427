// Shows what trends and what may trend: hashtags, links, posts and the sites that links lead to.

import type { ActButton, BadgePart, Part, Row } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { numberText } from "../../platform/text/figures.ts";
import { says } from "../../platform/text/texts.ts";
import type { Key } from "../../platform/text/texts.ts";
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
import { text, decision, older, outside } from "./page-parts.ts";
import { accountOf } from "./people.ts";
import { mediaRejectedOf, postPart } from "./components.ts";
import { formsOf } from "./forms.ts";
import { entered, idOf, pageOf, sendAdmin, staffPage } from "./frame.ts";
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

const send = (context: Staff, path: string, parts: readonly Part[]) =>
  sendAdmin(context, {
    parts: [{ tabs: TABS, title: "staff.section.trends", shown: path }, ...parts],
  });

const LABELS = ["network.trends.approve", "network.trends.reject"] as const;

const decide = (path: string, of: string): ActButton[] => decision(path, of, LABELS, false);

const state = (trendable: boolean | null, waits: boolean): BadgePart => {
  if (waits) return WAITS;
  return trendable
    ? { badge: "network.trends.may", kind: "good" }
    : { badge: "network.trends.may_not", kind: "bad" };
};

const WAITS: BadgePart = { badge: "network.trends.waits" };

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

const tagRow = (context: Staff, tag: Tag): Row => {
  const path = `${TAGS}/tags/${tag.id}`;
  const of = tag.name;
  return {
    title: `#${of}`,
    badges: [
      state(tag.trendable, tag.requires_review),
      ...FLAGS.map(
        ([flag, , , off]) => tag[flag] === false && ({ badge: off, kind: "bad" } as const),
      ),
    ],
    lines: [week(context, tag.history)],
    acts: [
      ...decide(path, of),
      ...FLAGS.map(([flag, on, off]): ActButton => ({
        action: `${path}/change`,
        label: tag[flag] ? off : on,
        of,
        fields: { flag, value: String(!tag[flag]) },
      })),
    ],
  };
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

const showTags: Show = async (context) => {
  const { q = "" } = entered(context);
  const tags = await findTags(context, q.trim().replace(/^#/, ""));
  return send(context, TAGS, [
    {
      filters: { action: TAGS, fields: [text("q", "network.trends.tag", 200, { optional: true })] },
    },
    {
      rows: tags.map((tag) => tagRow(context, tag)),
      none: q ? "network.trends.no_such_tag" : "network.trends.no_tags",
    },
  ]);
};

const showLinks: Show = async (context) => {
  const links = await trendingLinks(context.app, EVERYTHING);
  const rows = links.map((link): Row => ({
    title: outside(link.url, link.title || link.url),
    badges: [link.requires_review && WAITS],
    lines: [{ joined: [link.provider_name, week(context, link.history)] }],
    acts: decide(`${LINKS}/${link.id}`, link.url),
  }));
  return send(context, LINKS, [{ rows, none: "network.trends.no_links" }]);
};

const showPosts: Show = async (context) => {
  const { app, who } = context;
  const { views, waiting } = await trendingStatuses(app, EVERYTHING, who.accountId);
  const rejected = await mediaRejectedOf(app, views);
  const panels = views.map((view): Part => ({
    panel: [
      { who: accountOf(context, view.account) },
      postPart(context, view, rejected),
      waiting.has(view.id) && { text: WAITS },
      { acts: decide(`${POSTS}/${view.id}`, view.account.username) },
    ],
  }));
  return send(context, POSTS, views.length === 0 ? [{ none: "network.trends.no_posts" }] : panels);
};

const showSites: Show = async (context) => {
  const sites = await listPublishers(context.app, pageOf(context, LIMIT));
  const rows = sites.map(({ id, domain, trendable, reviewed_at: at }): Row => ({
    title: domain,
    badges: [state(trendable, at === null)],
    lines: [at && { say: "network.trends.reviewed", with: { time: at } }],
    acts: decide(`${SITES}/${id}`, domain),
  }));
  return send(context, SITES, [{ rows, none: "network.trends.no_sites" }, older(sites, LIMIT)]);
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
      ["approve", "network.trends.done.approved", true],
      ["reject", "network.trends.done.rejected", false],
    ] as const) {
      take(`${path}/:id/${verb}`, done, (context) =>
        reviewAs(app, context.actor, subject, { id: idOf(context), trendable }),
      );
    }
    return take;
  };
  const tags = add(TAGS, `${TAGS}/tags`, "tag", showTags);
  tags(`${TAGS}/tags/:id/change`, "network.trends.done.saved", changeFlag);
  add(LINKS, LINKS, "link", showLinks);
  add(POSTS, POSTS, "status", showPosts);
  add(SITES, SITES, "publisher", showSites);
};
