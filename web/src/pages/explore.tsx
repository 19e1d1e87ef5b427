// Shows trending posts, hashtags and news, people to follow, and the directory of all who want to be found.

import type { Account, Tag, Trends_Link } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { keepAccount, keepStatuses } from "../store/store.ts";
import type { Key } from "../texts/texts.ts";
import { Card } from "../views/card.tsx";
import { Feed, loadFeed } from "../views/feed.tsx";
import type { FeedData } from "../views/feed.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { More } from "../elements/more.tsx";
import { Icon } from "../elements/icons.tsx";
import { PersonCards } from "../views/person-card.tsx";
import { Tabs } from "../elements/tabs.tsx";
import { TagRow } from "../views/tag-row.tsx";
import type { AnyPage, Loading, Page } from "./page.ts";
import { NEWEST_PATH, loadHere, loadNewest, tagsOf } from "../store/here.ts";
import { loadRelationships } from "../store/relations.ts";
import { loadSuggested } from "../store/suggested.ts";

const TABS = [
  { path: "/explore", text: "explore.posts" },
  { path: "/explore/tags", text: "explore.tags" },
  { path: "/explore/links", text: "explore.news" },
  { path: "/explore/people", text: "explore.people" },
] as const satisfies readonly { path: string; text: Key }[];

type Next = Record<string, string> | null;

const ExploreHead = ({ path }: { path: string }) => {
  const { t } = useApp();
  return (
    <>
      <ColumnHead title={t("nav.explore")}>
        <a class="icon-button" href="/search" aria-label={t("nav.search")} title={t("nav.search")}>
          <Icon name="search" />
        </a>
      </ColumnHead>
      <Tabs label={t("explore.tabs")} tabs={TABS} shown={path} />
    </>
  );
};

const offsetOf = ({ place }: Loading) => ({ offset: place.query["offset"] });

const headOf =
  (text: Key): Page<unknown>["head"] =>
  (_data, { t, site, place }) => ({
    title: t("words.pair", { name: t("nav.explore"), value: t(text) }),
    description: t("explore.description", { name: site.title }),
    isHidden: place.query["offset"] !== undefined,
  });

/** What is shown of a server on which nothing trends: its newest posts, people and hashtags. */
type Instead = { feed: FeedData; people: string[]; tags: Tag[] };

const TRENDS_PATH = "/api/v1/trends/statuses";
/** What trends is as public as a timeline of the server. */
const PLACE = { context: "public" } as const;
const NEWEST = 5;
const SOME = 3;

const loadInstead = async (loading: Loading): Promise<Instead> => {
  const [newest, people] = await Promise.all([loadNewest(loading), loadPeople(loading, SOME)]);
  const ids = keepStatuses(loading.store, newest.slice(0, NEWEST));
  const feed = { path: NEWEST_PATH, params: { local: true }, ids, next: null, ...PLACE };
  return { feed, people: people.ids, tags: tagsOf(newest).slice(0, SOME) };
};

const InsteadView = ({ instead: { feed, people, tags } }: { instead: Instead }) => {
  const { t, site } = useApp();
  return (
    <>
      <h2 class="section">{t("explore.newest", { name: site.title })}</h2>
      <p class="soft small section-hint">{t("explore.instead")}</p>
      <Feed data={feed} label={t("explore.posts")} empty={<p>{t("explore.no_posts")}</p>} />
      <p class="pager">
        <a class="button plain" href="/public/local">
          {t("explore.more")}
        </a>
      </p>
      {people.length > 0 && <PeopleHere ids={people} />}
      {tags.length > 0 && (
        <>
          <h2 class="section">{t("around.here", { name: site.title })}</h2>
          <TagList tags={tags} />
        </>
      )}
    </>
  );
};

type Trending = { feed: FeedData; instead: Instead | null };

const posts: Page<Trending> = {
  path: "/explore",
  load: async (loading) => {
    const feed = await loadFeed(loading, TRENDS_PATH, {}, offsetOf(loading), PLACE);
    const isEmpty = feed.ids.length === 0 && loading.place.query["offset"] === undefined;
    return { feed, instead: isEmpty ? await loadInstead(loading).catch(() => null) : null };
  },
  View: ({ data: { feed, instead } }) => {
    const { t } = useApp();
    return (
      <>
        <ExploreHead path="/explore" />
        {instead && instead.feed.ids.length > 0 ? (
          <InsteadView instead={instead} />
        ) : (
          <Feed data={feed} label={t("explore.posts")} empty={<p>{t("explore.no_posts")}</p>} />
        )}
      </>
    );
  },
  head: headOf("explore.posts"),
};

const TagList = ({ tags }: { tags: readonly Tag[] }) => (
  <ul class="feed tag-list">
    {tags.map((tag) => (
      <TagRow key={tag.name} tag={tag} />
    ))}
  </ul>
);

const TAGS = 20;

const tags: Page<{ tags: Tag[]; next: Next; isTrending: boolean }> = {
  path: "/explore/tags",
  load: async (loading) => {
    const { body, next } = await loading.get<Tag[]>("/api/v1/trends/tags", {
      limit: TAGS,
      ...offsetOf(loading),
    });
    const isTrending = body.length > 0 || loading.place.query["offset"] !== undefined;
    if (isTrending) return { tags: body, next, isTrending };
    const { tags: here } = await loadHere(loading).catch(() => ({ tags: [] }));
    return { tags: here.slice(0, TAGS), next: null, isTrending };
  },
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <ExploreHead path="/explore/tags" />
        {data.tags.length === 0 ? (
          <div class="empty">
            <p>{t("explore.no_tags")}</p>
          </div>
        ) : (
          <>
            {!data.isTrending && <p class="soft small section-hint">{t("explore.tags_instead")}</p>}
            <TagList tags={data.tags} />
          </>
        )}
        <More next={data.next} text="explore.more" />
      </>
    );
  },
  head: headOf("explore.tags"),
};

const sharedBy = ({ history }: Trends_Link): number =>
  history.slice(0, 2).reduce((sum, { accounts }) => sum + Number(accounts), 0);

const news: Page<{ links: Trends_Link[]; next: Next }> = {
  path: "/explore/links",
  load: async (loading) => {
    const { body, next } = await loading.get<Trends_Link[]>("/api/v1/trends/links", {
      limit: 20,
      ...offsetOf(loading),
    });
    return { links: body, next };
  },
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <ExploreHead path="/explore/links" />
        {data.links.length === 0 ? (
          <div class="empty">
            <p>{t("explore.no_news")}</p>
          </div>
        ) : (
          <ul class="news">
            {data.links.map((link) => (
              <li key={link.url}>
                <Card card={link} isCovered={false} />
                <p class="soft small">{t("explore.shared", { count: sharedBy(link) })}</p>
              </li>
            ))}
          </ul>
        )}
        <More next={data.next} text="explore.more" />
      </>
    );
  },
  head: headOf("explore.news"),
};

type People = { ids: string[]; next: Next };

const keepPeople = async (loading: Loading, accounts: Account[], next: Next): Promise<People> => {
  const ids = accounts.map((account) => keepAccount(loading.store, account));
  await loadRelationships(loading, ids);
  return { ids, next };
};

const PAGE = 40;

const loadDirectory = async (
  loading: Loading,
  params: { order: string; local: boolean },
  limit = PAGE,
): Promise<People> => {
  const offset = Number(loading.place.query["offset"] ?? 0) || 0;
  const { body } = await loading.get<Account[]>("/api/v1/directory", {
    ...params,
    limit,
    offset,
  });
  const { offset: _offset, ...query } = loading.place.query;
  const next = body.length === limit ? { ...query, offset: String(offset + limit) } : null;
  return keepPeople(loading, body, next);
};

const PeopleList = ({ data, empty }: { data: People; empty: Key }) => {
  const { t } = useApp();
  return (
    <>
      {data.ids.length === 0 ? (
        <div class="empty">
          <p>{t(empty)}</p>
        </div>
      ) : (
        <PersonCards ids={data.ids} />
      )}
      <More next={data.next} text="explore.more" />
    </>
  );
};

/** Members get people picked for them, visitors those who are active here. */
const loadPeople = async (loading: Loading, limit: number): Promise<People> => {
  if (!loading.me) return loadDirectory(loading, { order: "active", local: true }, limit);
  const suggested = await loadSuggested(loading, limit);
  return keepPeople(
    loading,
    suggested.map(({ account }) => account),
    null,
  );
};

const PeopleHere = ({ ids }: { ids: readonly string[] }) => {
  const { t } = useApp();
  return (
    <>
      <h2 class="section">{t("welcome.people")}</h2>
      <PersonCards ids={ids} />
      <p class="pager">
        <a href="/directory">{t("explore.all_people")}</a>
      </p>
    </>
  );
};

const people: Page<People> = {
  path: "/explore/people",
  load: (loading) => loadPeople(loading, PAGE),
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <ExploreHead path="/explore/people" />
        <PeopleList data={data} empty="explore.no_people" />
        <p class="pager">
          <a href="/directory">{t("explore.all_people")}</a>
        </p>
      </>
    );
  },
  head: headOf("explore.people"),
};

const DIRECTORY_TABS = [
  { path: "/directory", text: "directory.active" },
  { path: "/directory?order=new", text: "directory.new" },
  { path: "/directory?local=false", text: "directory.known" },
] as const satisfies readonly { path: string; text: Key }[];

const tabOf = ({ order, local }: Record<string, string>): string => {
  if (local === "false") return "/directory?local=false";
  return order === "new" ? "/directory?order=new" : "/directory";
};

const directory: Page<People> = {
  path: "/directory",
  load: (loading) => {
    const { order = "active", local } = loading.place.query;
    return loadDirectory(loading, { order, local: local !== "false" });
  },
  View: ({ data }) => {
    const { t, place } = useApp();
    return (
      <>
        <ColumnHead title={t("directory.title")} />
        <Tabs label={t("directory.title")} tabs={DIRECTORY_TABS} shown={tabOf(place.query)} />
        <PeopleList data={data} empty="directory.empty" />
      </>
    );
  },
  head: (_data, { t, site, place }) => ({
    title: t("directory.title"),
    description: t("directory.description", { name: site.title }),
    isHidden: Object.keys(place.query).length > 0,
  }),
};

export const explorePages: AnyPage[] = [posts, tags, news, people, directory];
