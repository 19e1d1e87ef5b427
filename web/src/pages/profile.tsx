// Shows a person: who they are, and what they posted.

import type {
  Account,
  FamiliarFollowers,
  FeaturedTag,
  Group,
  Search,
  Status,
} from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import type { Get } from "../api/get.ts";
import { useApp } from "../app.ts";
import { TagName } from "../elements/tag-name.tsx";
import { CoverSummary } from "../elements/cover-summary.tsx";
import { feedState } from "../store/feed.ts";
import { readRelationships } from "../store/relations.ts";
import { accountNamed, keepAccount, keepStatuses } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import { plainText } from "../text/parse-html.ts";
import { withoutEmojis } from "../text/rich-text.tsx";
import type { Key } from "../texts/texts.ts";
import { GroupAbout, GroupPost } from "../views/group-about.tsx";
import { Feed, loadFeed } from "../views/feed.tsx";
import type { FeedData } from "../views/feed.tsx";
import { FilterPlace } from "../views/filters.ts";
import { fullHandle, plainName, profilePath } from "../elements/names.tsx";
import { PlainMenu } from "../elements/menu.tsx";
import { personMenu } from "../views/person-menu.ts";
import { MediaGrid } from "../views/media-grid.tsx";
import { FormNotice } from "../views/frame.tsx";
import { PostOf } from "../views/post.tsx";
import { Elsewhere } from "../views/profile-about.tsx";
import { ProfileCard } from "../views/profile-card.tsx";
import { Tabs } from "../elements/tabs.tsx";
import { Skeletons } from "../elements/skeletons.tsx";
import { Redirect } from "./page.ts";
import type { AnyPage, Loading, Page } from "./page.ts";
import { olderThan } from "./timelines.tsx";

type Tab = "posts" | "replies" | "media" | "tagged";

type AnyTab = Tab | "featured";

type Profile = {
  id: string;
  tab: Tab;
  tag: string | null;
  pinned: string[];
  /** Followers whom the viewer knows. */
  familiar: string[];
  /** Featured hashtags. */
  tags: string[];
  feed: FeedData;
  /** Details of a local group. */
  group: Group | null;
  /** True until more than the account is loaded. */
  isPartial?: boolean;
};

const PARAMS: Record<Tab, Record<string, boolean>> = {
  posts: { exclude_replies: true },
  replies: { exclude_reblogs: true },
  media: { only_media: true },
  tagged: {},
};

/** Returns the error for visitors: people of other servers are read there; it redirects to web addresses only. */
export const homeOf = (url: string | null): Error =>
  url && /^https?:\/\//i.test(url) ? new Redirect(url) : new ApiError(404, "");

/** Returns an account; for a member its server is asked if nobody here has asked before. */
const findAccount = async (get: Get, acct: string, isMember: boolean): Promise<Account> => {
  try {
    return (await get<Account>("/api/v1/accounts/lookup", { acct })).body;
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.status === 404;
    if (!isUnknown || !isMember || !acct.includes("@")) throw error;
  }
  const { body } = await get<Search>("/api/v2/search", {
    q: `@${acct}`,
    type: "accounts",
    resolve: true,
    limit: 1,
  });
  const [account] = body.accounts;
  if (account?.acct.toLowerCase() !== acct.toLowerCase()) throw new ApiError(404, "");
  return account;
};

/** Returns the person of a page; only members see people of other servers here. */
export const loadAccount = async ({ get, store, place, me, site }: Loading): Promise<Account> => {
  const { acct = "" } = place.params;
  const local = acct.toLowerCase().endsWith(`@${site.domain.toLowerCase()}`);
  const name = local ? acct.slice(0, acct.lastIndexOf("@")) : acct;
  const known = accountNamed(store, acct);
  const [account] = await Promise.all([
    findAccount(get, name, me !== null),
    known && loadRelations({ get, store, me }, [known.id]),
  ]);
  if (account.suspended) throw new ApiError(410, "");
  if (account.acct.includes("@") && !me) throw homeOf(account.url);
  if (account.acct !== acct)
    throw new Redirect(place.path.replace(`/@${acct}`, profilePath(account)));
  keepAccount(store, account);
  if (account.id !== known?.id) await loadRelations({ get, store, me }, [account.id]);
  return account;
};

/** Loads the viewer's relationships with all of them, in one request. */
export const loadRelations = async (
  { get, store, me }: Pick<Loading, "get" | "store" | "me">,
  ids: readonly string[],
): Promise<void> => {
  if (!me) return;
  const others = ids.filter((id) => id !== me.id);
  await readRelationships({ get, store }, others);
};

const loadPosts = (loading: Loading, id: string, tab: Tab): Promise<FeedData> =>
  loadFeed(
    loading,
    `/api/v1/accounts/${id}/statuses`,
    {
      ...PARAMS[tab],
      tagged: loading.place.params["tag"],
      ...(loading.place.query["boosts"] === "no" && { exclude_reblogs: true }),
    },
    olderThan(loading.place),
    { context: "account" },
  );

const loadPinned = async (
  { get, store, place }: Loading,
  id: string,
  tab: Tab,
): Promise<string[]> => {
  if (tab !== "posts" || place.query["max_id"]) return [];
  const { body } = await get<Status[]>(`/api/v1/accounts/${id}/statuses`, { pinned: true });
  return keepStatuses(store, body);
};

const MAX_FACES = 20;

const loadFamiliar = async ({ get, store, me }: Loading, id: string): Promise<string[]> => {
  if (!me || me.id === id) return [];
  const path = "/api/v1/accounts/familiar_followers";
  const { body } = await get<FamiliarFollowers[]>(path, { id: [id] });
  return (body[0]?.accounts ?? []).slice(0, MAX_FACES).map((each) => keepAccount(store, each));
};

/** Loads featured hashtags for members; visitors have the tab. */
const loadTags = async ({ get, me }: Loading, id: string, tab: Tab): Promise<string[]> => {
  if (!me || tab === "media") return [];
  const { body } = await get<FeaturedTag[]>(`/api/v1/accounts/${id}/featured_tags`);
  return body.map(({ name }) => name);
};

/** Loads a local group's details; those of remote groups are not known here. */
const loadGroup = async ({ get }: Loading, { id, acct, group }: Account): Promise<Group | null> =>
  group && !acct.includes("@") ? (await get<Group>(`/api/v1/groups/${id}`)).body : null;

const TABS: readonly { tab: AnyTab; path: string; text: Key }[] = [
  { tab: "posts", path: "", text: "profile.posts" },
  { tab: "replies", path: "/with_replies", text: "profile.replies" },
  { tab: "media", path: "/media", text: "profile.media" },
  { tab: "featured", path: "/featured", text: "profile.featured" },
];

/** Returns the tabs, without those that somebody does not show. */
const tabsOf = ({ show_media, show_featured }: Account) =>
  TABS.filter(({ tab }) => (tab === "media" ? show_media : tab !== "featured" || show_featured));

export const ProfileTabs = ({ account, shown }: { account: Account; shown: AnyTab }) => {
  const { t } = useApp();
  const pathOf = (path: string): string => `${profilePath(account)}${path}`;
  return (
    <Tabs
      label={t("profile.tabs")}
      tabs={tabsOf(account).map(({ path, text }) => ({ path: pathOf(path), text }))}
      shown={pathOf(TABS.find(({ tab }) => tab === shown)?.path ?? "none")}
    />
  );
};

const View: Page<Profile>["View"] = ({ data }) => {
  const app = useApp();
  const { store, t } = app;
  const account = store.accounts.get(data.id)!.value;
  return (
    <>
      <FormNotice />
      <ProfileCard account={account} familiar={data.familiar} />
      <GroupPost account={account} />
      {data.group && <GroupAbout group={data.group} />}
      {app.place.query["menu"] !== undefined && (
        <PlainMenu
          label={t("menu.person", { name: plainName(account) })}
          items={personMenu(app, account)}
        />
      )}
      <ProfileTabs account={account} shown={data.tab} />
      {data.tab !== "media" && <Narrowed data={data} account={account} />}
      {data.tag && (
        <h2 class="section">
          <TagName name={data.tag} />
        </h2>
      )}
      {data.isPartial ? <Skeletons count={SKELETONS} /> : <Posts data={data} account={account} />}
    </>
  );
};

/** Draws the choice of boosts, and the featured hashtags. */
const Narrowed = ({ data, account }: { data: Profile; account: Account }) => {
  const { t, place } = useApp();
  const path = profilePath(account);
  const isWithout = place.query["boosts"] === "no";
  return (
    <p class="chips">
      {data.tab === "posts" && !account.group && (
        <a
          class={isWithout ? "chip on" : "chip"}
          href={isWithout ? path : `${path}?boosts=no`}
          rel="nofollow"
        >
          {t("profile.without_boosts")}
        </a>
      )}
      {data.tags.map((tag) => (
        <a
          key={tag}
          class={tag === data.tag ? "chip on" : "chip"}
          href={tag === data.tag ? path : `${path}/tagged/${tag}`}
        >
          <TagName name={tag} />
        </a>
      ))}
    </p>
  );
};

/** Returns what is pinned now: the author pins and unpins posts of the list. */
const pinnedNow = (store: Store, { tab, tag, pinned, feed }: Profile): string[] => {
  if (tab !== "posts" || tag !== null) return [];
  const isPinned = (id: string) => store.statuses.get(id)?.value.pinned;
  const added = feedState(feed).ids.value.filter((id) => isPinned(id) && !pinned.includes(id));
  return [...added, ...pinned.filter((id) => isPinned(id) !== false)];
};

const Posts = ({ data, account }: { data: Profile; account: Account }) => {
  const { t, store } = useApp();
  const pinned = pinnedNow(store, data);
  const posts =
    data.tab === "media" ? (
      <MediaGrid data={data.feed} empty={t("profile.no_media")} />
    ) : (
      <>
        <FilterPlace value="account">
          {pinned.map((id) => (
            <PostOf key={id} id={id} isPinned />
          ))}
        </FilterPlace>
        <Feed
          data={data.feed}
          above={pinned}
          label={t("profile.posts")}
          empty={<p>{t("profile.empty")}</p>}
        />
      </>
    );
  return (
    <>
      {account.limited ? (
        <details class="warning limited">
          <CoverSummary>{t("profile.limited")}</CoverSummary>
          {posts}
        </details>
      ) : (
        posts
      )}
      <Elsewhere account={account} />
    </>
  );
};

const SKELETONS = 3;

/** Returns the profile of somebody whom the window knows, without posts; null where it may be elsewhere. */
const knownProfile = (
  { store, place, me }: Pick<Loading, "store" | "place" | "me">,
  tab: Tab,
): Profile | null => {
  const account = accountNamed(store, place.params["acct"]!);
  const isElsewhere = !me && account?.acct.includes("@");
  if (!account || account.suspended || isElsewhere || Object.keys(place.query).length > 0)
    return null;
  return {
    id: keepAccount(store, account),
    tab,
    tag: place.params["tag"] ?? null,
    pinned: [],
    familiar: [],
    tags: [],
    feed: { path: "", params: {}, ids: [], next: null },
    group: null,
    isPartial: true,
  };
};

/** Loads what a profile shows beside the account. */
const loadRest = async (loading: Loading, account: Account, tab: Tab): Promise<Profile> => {
  const { id } = account;
  const [pinned, feed, familiar, tags, group] = await Promise.all([
    loadPinned(loading, id, tab),
    loadPosts(loading, id, tab),
    loadFamiliar(loading, id),
    loadTags(loading, id, tab),
    loadGroup(loading, account),
  ]);
  return { id, tab, tag: loading.place.params["tag"] ?? null, pinned, feed, familiar, tags, group };
};

const profilePage = (tab: Tab, path: string): Page<Profile> => ({
  path,
  load: async (loading) => {
    // Of somebody whom the window knows all is requested at once.
    const known = accountNamed(loading.store, loading.place.params["acct"]!);
    const [account, ahead] = await Promise.all([
      loadAccount(loading),
      known && loadRest(loading, known, tab).catch(() => null),
    ]);
    return ahead?.id === account.id ? ahead : loadRest(loading, account, tab);
  },
  loadKnown: (known) => knownProfile(known, tab),
  View,
  head: ({ id, tab }, { store, site, place, t }) => {
    const account = store.accounts.get(id)!.value;
    const handle = fullHandle(account, site.domain);
    const name = `${plainName(account)} (${handle})`;
    const links = account.fields.flatMap(
      ({ value }) => /href="(https?:[^"]+)"/.exec(value)?.[1] ?? [],
    );
    return {
      title: name,
      description:
        withoutEmojis(plainText(account.note), account.emojis).slice(0, 280) ||
        t("profile.summary", { count: account.statuses_count }),
      type: "profile",
      image: account.avatar,
      isHidden: !account.indexable || tab !== "posts" || place.query["max_id"] !== undefined,
      ...(account.url && { url: account.url }),
      properties: { "profile:username": handle.slice(1) },
      links: [
        { rel: "alternate", type: "application/activity+json", href: account.uri },
        { rel: "alternate", type: "application/rss+xml", href: `${account.url}.rss` },
        ...links.map((href) => ({ rel: "me", href })),
      ],
    };
  },
});

export const profilePages: AnyPage[] = [
  profilePage("posts", "/@:acct"),
  profilePage("replies", "/@:acct/with_replies"),
  profilePage("media", "/@:acct/media"),
  profilePage("tagged", "/@:acct/tagged/:tag"),
];
