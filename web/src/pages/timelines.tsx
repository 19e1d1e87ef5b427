// Pages that are a list of posts: home, the server's own and all public posts, a hashtag, a list, bookmarks and
// favourites.

import { useCallback } from "preact/hooks";
import type { Announcement, Tag } from "../api/entities.ts";
import type { Params } from "../api/get.ts";
import { useApp } from "../app.ts";
import type { Place } from "../app.ts";
import { useHomeMarker } from "../window/marker.ts";
import { feedState } from "../store/feed.ts";
import type { Key } from "../texts/texts.ts";
import { Announcements } from "../views/announcements.tsx";
import { Composer } from "../compose/composer.tsx";
import { NextStep } from "../views/empty.tsx";
import { FeedChoice } from "../views/feed-choice.tsx";
import { Feed, loadFeed } from "../views/feed.tsx";
import type { FeedData } from "../views/feed.tsx";
import { FollowTag } from "../views/follow-tag.tsx";
import { MuteTag } from "../views/mute-tag.tsx";
import { ColumnHead } from "../views/frame.tsx";
import type { AnyPage, Loading, Page } from "./page.ts";

/** Returns the parameters for older posts, which `max_id` in the address of a page requests. */
export const olderThan = ({ query }: Place): Record<string, string | undefined> => ({
  max_id: query["max_id"],
});

type Timeline = {
  path: string;
  api: string;
  params?: Params;
  title: Key;
  empty: Key;
  /** The link that is offered where the timeline is empty. */
  next?: { href: string; text: Key };
  isForMembers?: boolean;
  stream?: string;
};

const timelinePage = ({
  path,
  api,
  params,
  title,
  empty,
  next,
  isForMembers = true,
  stream,
}: Timeline): Page<FeedData> => ({
  path,
  isForMembers,
  load: (loading) =>
    loadFeed(
      loading,
      api,
      params,
      olderThan(loading.place),
      stream ? { stream: { stream }, context: "public" } : {},
    ),
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t(title)}>{stream && <FeedChoice path={api} />}</ColumnHead>
        <Feed
          data={data}
          label={t(title)}
          empty={
            <>
              <p>{t(empty)}</p>
              {next && <NextStep {...next} />}
            </>
          }
        />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t(title), isHidden: isForMembers }),
});

/** Loads announcements that the person has not dismissed. */
const loadAnnouncements = async ({ get }: Loading): Promise<Announcement[]> => {
  const { body } = await get<Announcement[]>("/api/v1/announcements", { with_dismissed: false });
  return body;
};

type Home = { feed: FeedData; announcements: Announcement[] };

const home: Page<Home> = {
  path: "/home",
  isForMembers: true,
  load: async (loading) => {
    const path = "/api/v1/timelines/home";
    const [feed, announcements] = await Promise.all([
      loadFeed(loading, path, {}, olderThan(loading.place), {
        stream: { stream: "user" },
        context: "home",
      }),
      loadAnnouncements(loading),
    ]);
    return { feed, announcements };
  },
  View: ({ data }) => {
    const app = useApp();
    const { t } = app;
    const newest = useCallback(() => feedState(data.feed).ids.peek()[0], [data.feed]);
    useHomeMarker(app, newest);
    return (
      <>
        <ColumnHead title={t("nav.home")}>
          <a class="button plain small" href="/catch-up">
            {t("home.catch_up")}
          </a>
          <FeedChoice path={data.feed.path} />
        </ColumnHead>
        <Announcements loaded={data.announcements} />
        <Composer />
        <Feed
          data={data.feed}
          label={t("nav.home")}
          end={<NextStep href="/explore" text="empty.explore" />}
          empty={
            <>
              <p>{t("home.empty")}</p>
              <p>
                <a class="button" href="/welcome">
                  {t("home.find_people")}
                </a>
              </p>
            </>
          }
        />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("nav.home"), isHidden: true }),
};

const writeAbout = (name: string): string =>
  `/compose?${new URLSearchParams({ text: `#${name} ` })}`;

type TagData = { feed: FeedData; name: string; isFollowing: boolean; isMuting: boolean };

const tag: Page<TagData> = {
  path: "/tags/:name",
  load: async (loading) => {
    const { name = "" } = loading.place.params;
    const api = `/api/v1/timelines/tag/${encodeURIComponent(name)}`;
    const feed = await loadFeed(loading, api, {}, olderThan(loading.place), {
      stream: { stream: "hashtag", tag: name },
      context: "public",
    });
    if (!loading.me) return { feed, name, isFollowing: false, isMuting: false };
    const { body } = await loading.get<Tag>(`/api/v1/tags/${encodeURIComponent(name)}`);
    const { following: isFollowing = false, muting: isMuting = false } = body;
    return { feed, name, isFollowing, isMuting };
  },
  View: ({ data }) => {
    const { t, me } = useApp();
    return (
      <>
        <ColumnHead title={`#${data.name}`}>
          {me && <FollowTag name={data.name} isFollowing={data.isFollowing} />}
        </ColumnHead>
        {me && <MuteTag name={data.name} isMuting={data.isMuting} />}
        <Feed
          data={data.feed}
          label={`#${data.name}`}
          empty={
            <>
              <p>{t("tag.empty", { name: data.name })}</p>
              {me && <NextStep href={writeAbout(data.name)} text="empty.write_first" />}
            </>
          }
        />
      </>
    );
  },
  head: ({ name }, { t, place }) => ({
    title: `#${name}`,
    description: t("tag.description", { name }),
    url: `/tags/${encodeURIComponent(name)}`,
    isHidden: place.query["max_id"] !== undefined,
    links: [
      {
        rel: "alternate",
        type: "application/rss+xml",
        href: `/tags/${encodeURIComponent(name)}.rss`,
      },
    ],
  }),
};

export const timelinePages: AnyPage[] = [
  home,
  tag,
  timelinePage({
    path: "/public/local",
    api: "/api/v1/timelines/public",
    params: { local: true },
    title: "nav.local",
    empty: "local.empty",
    stream: "public:local",
    isForMembers: false,
  }),
  timelinePage({
    path: "/public",
    api: "/api/v1/timelines/public",
    title: "nav.federated",
    empty: "public.empty",
    stream: "public",
    isForMembers: false,
  }),
  timelinePage({
    path: "/bookmarks",
    api: "/api/v1/bookmarks",
    title: "nav.bookmarks",
    empty: "bookmarks.empty",
    next: { href: "/explore", text: "empty.explore" },
  }),
  timelinePage({
    path: "/favourites",
    api: "/api/v1/favourites",
    title: "nav.favourites",
    empty: "favourites.empty",
    next: { href: "/explore", text: "empty.explore" },
  }),
];
