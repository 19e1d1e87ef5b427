// Searches people, posts and hashtags. The browser remembers recent searches, the server those that people save.

import { useLayoutEffect, useState } from "preact/hooks";
import type { Search } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { keepAccount, keepStatuses } from "../store/store.ts";
import type { Key } from "../texts/texts.ts";
import { NextStep } from "../views/empty.tsx";
import { Feed } from "../views/feed.tsx";
import type { FeedData } from "../views/feed.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { More } from "../elements/more.tsx";
import { Icon } from "../elements/icons.tsx";
import { PersonCardOf, PersonCards } from "../views/person-card.tsx";
import { SettingsForm } from "../views/settings-form.tsx";
import { SearchForm } from "../views/search-form.tsx";
import { Tabs } from "../elements/tabs.tsx";
import { TagRow } from "../views/tag-row.tsx";
import type { Loading, Page } from "./page.ts";
import { loadTags } from "../store/here.ts";
import { loadSuggested } from "../store/suggested.ts";
import { loadRelationships } from "../store/relations.ts";
import { byName } from "../../../texts/lists.ts";

type Results = {
  q: string;
  accounts: string[];
  statuses: FeedData;
  hashtags: Search["hashtags"];
  /** Next page of the one kind that is shown; posts have their own. */
  next: Record<string, string> | null;
  /** True when posts alone are shown, which can be sorted by relevance. */
  isRanked: boolean;
  /** True to search people by their profile text. */
  isByBio: boolean;
  /** Saved searches of members. */
  saved: SavedSearch[];
  /** What a member can begin with, where nothing is searched for. */
  begin: Begin | null;
};

type Begin = { people: string[]; tags: Search["hashtags"] };

const MAX_PEOPLE = 3;
const MAX_TAGS = 8;

const loadBegin = async (loading: Loading): Promise<Begin> => {
  const [suggested, { tags }] = await Promise.all([
    loadSuggested(loading, MAX_PEOPLE),
    loadTags(loading, MAX_TAGS),
  ]);
  return { people: suggested.map(({ account }) => keepAccount(loading.store, account)), tags };
};

const BeginView = ({ begin: { people, tags } }: { begin: Begin }) => {
  const { t, site } = useApp();
  return (
    <>
      {people.length > 0 && (
        <section>
          <h2 class="section">{t("welcome.people")}</h2>
          <PersonCards ids={people} />
        </section>
      )}
      {tags.length > 0 && (
        <section>
          <h2 class="section">{t("around.here", { name: site.title })}</h2>
          <p class="chips">
            {tags.map(({ name }) => (
              <a key={name} class="chip" href={`/tags/${encodeURIComponent(name)}`}>
                #{name}
              </a>
            ))}
          </p>
        </section>
      )}
    </>
  );
};

type SavedSearch = { id: string; q: string };

const PATH = "/api/v2/search";
const LIMIT = 20;
const KINDS = ["accounts", "statuses", "hashtags"] as const;
type Kind = (typeof KINDS)[number];

const kindOf = (query: Record<string, string>): Kind | null =>
  KINDS.find((kind) => kind === query["type"]) ?? null;

const OPERATORS: readonly (readonly [example: string, text: Key])[] = [
  ["“…”", "search.op_phrase"],
  ["-…", "search.op_not"],
  ["from:name", "search.op_from"],
  ["from:me", "search.op_mine"],
  ["to:name", "search.op_to"],
  ["has:media", "search.op_has"],
  ["is:reply", "search.op_is"],
  ["link:example.org", "search.op_link"],
  ["lang:en", "search.op_language"],
  ["before:2026-01-31", "search.op_before"],
  ["after:2026-01-31", "search.op_after"],
  ["in:library", "search.op_library"],
  ["in:bookmarks", "search.op_bookmarks"],
];

const Operators = () => {
  const { t } = useApp();
  return (
    <details class="operators">
      <summary>{t("search.operators")}</summary>
      <dl>
        {OPERATORS.map(([example, text]) => (
          <div key={example}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
};

const keyOf = (me: { id: string } | null): string => `recent-searches-${me?.id ?? "visitor"}`;
const MAX_RECENT = 8;

const readRecent = (key: string): string[] => {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(known) ? known.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
};

/** Returns recent searches, kept in the browser for each account. */
const useRecent = (q: string) => {
  const key = keyOf(useApp().me);
  const [recent, setRecent] = useState<string[]>([]);
  // A search is remembered before the reader can leave the page.
  useLayoutEffect(() => {
    const known = readRecent(key);
    const now = q ? [q, ...known.filter((each) => each !== q)].slice(0, MAX_RECENT) : known;
    if (q) localStorage.setItem(key, JSON.stringify(now));
    setRecent(now);
  }, [q, key]);
  const forget = () => {
    localStorage.removeItem(key);
    setRecent([]);
  };
  return { recent, forget };
};

const Recent = ({ q }: { q: string }) => {
  const { t } = useApp();
  const { recent, forget } = useRecent(q);
  if (q || recent.length === 0) return null;
  return (
    <section class="recent" aria-label={t("search.recent")}>
      <h2>{t("search.recent")}</h2>
      <ul>
        {recent.map((each) => (
          <li key={each}>
            <a href={`/search?${new URLSearchParams({ q: each })}`}>
              <Icon name="clock" /> {each}
            </a>
          </li>
        ))}
      </ul>
      <button class="button plain small" type="button" onClick={forget}>
        {t("search.forget")}
      </button>
    </section>
  );
};

const pathOf = (q: string): string => `/search?${new URLSearchParams({ q })}`;

/** Lists saved searches without a query; with one, offers to save it. */
const Saved = ({ data: { q, saved } }: { data: Results }) => {
  const { t, me } = useApp();
  if (!me || (!q && saved.length === 0)) return null;
  if (q) {
    if (saved.some((each) => each.q === q)) return null;
    return (
      <div class="save-search">
        <SettingsForm
          action="/web/act/saved_searches"
          back={pathOf(q)}
          done={t("search.was_saved")}
        >
          <input type="hidden" name="q" value={q} />
          <button class="button plain small">{t("search.save")}</button>
        </SettingsForm>
      </div>
    );
  }
  return (
    <section class="recent" aria-label={t("search.saved")}>
      <h2>{t("search.saved")}</h2>
      <ul>
        {saved.map((each) => (
          <li key={each.id} class="saved-search">
            <a href={pathOf(each.q)}>
              <Icon name="search" /> {each.q}
            </a>
            <SettingsForm
              action={`/web/act/saved_searches/${each.id}/delete`}
              back="/search"
              done={t("search.was_removed")}
            >
              <button class="icon-button" aria-label={t("search.unsave", { q: each.q })}>
                <Icon name="close" />
              </button>
            </SettingsForm>
          </li>
        ))}
      </ul>
    </section>
  );
};

const TITLES: Record<Kind, Key> = {
  accounts: "explore.people",
  statuses: "explore.posts",
  hashtags: "explore.tags",
};

const Posts = ({ posts, q }: { posts: FeedData; q: string }) => {
  const { t } = useApp();
  const empty = <p>{t("search.none", { q })}</p>;
  return <Feed data={posts} label={t("explore.posts")} empty={empty} />;
};

const ROWS: Record<Kind, (data: Results) => preact.ComponentChildren> = {
  accounts: ({ accounts }) => (
    <div class="feed">
      {accounts.map((id) => (
        <PersonCardOf key={id} id={id} />
      ))}
    </div>
  ),
  statuses: ({ statuses, q }) => <Posts posts={statuses} q={q} />,
  hashtags: ({ hashtags }) => (
    <ul class="feed tag-list">
      {hashtags.map((tag) => (
        <TagRow key={tag.name} tag={tag} />
      ))}
    </ul>
  ),
};

const hasNone = ({ statuses, ...data }: Results, kind: Kind): boolean =>
  kind === "statuses" ? statuses.ids.length === 0 && !statuses.next : data[kind].length === 0;

const Section = ({ kind, data, isAlone }: { kind: Kind; data: Results; isAlone: boolean }) => {
  const { t } = useApp();
  if (hasNone(data, kind)) return null;
  return (
    <section>
      {!isAlone && <h2 class="section">{t(TITLES[kind])}</h2>}
      {ROWS[kind](data)}
    </section>
  );
};

/** Chooses the order of posts, or what people are found by; `chosen` means the second. */
const Choice = ({ label, paths, texts, chosen }: ChoiceProps) => {
  const { t } = useApp();
  return (
    <p class="search-orders small">
      {label}{" "}
      {paths.map((path, index) => (
        <a key={path} href={path} aria-current={chosen === (index === 1) ? "true" : undefined}>
          {t(texts[index]!)}
        </a>
      ))}
    </p>
  );
};

type ChoiceProps = {
  label: string;
  paths: readonly [string, string];
  texts: readonly [Key, Key];
  chosen: boolean;
};

const ChoiceOf = ({ kind, data }: { kind: Kind; data: Results }) => {
  const { t } = useApp();
  const path = `/search?${new URLSearchParams({ q: data.q, type: kind })}`;
  if (kind === "statuses" && data.statuses.ids.length > 0) {
    const texts = ["search.by_date", "search.by_rank"] as const;
    const paths = [path, `${path}&sort=rank`] as const;
    return <Choice label={t("search.order")} paths={paths} texts={texts} chosen={data.isRanked} />;
  }
  if (kind !== "accounts") return null;
  const texts = ["search.by_name", "search.by_bio"] as const;
  const paths = [path, `${path}&bio=true`] as const;
  return <Choice label={t("search.look_in")} paths={paths} texts={texts} chosen={data.isByBio} />;
};

const ResultsView = ({ data }: { data: Results }) => {
  const { t, me, place } = useApp();
  const kind = kindOf(place.query);
  const to = (type: string) => `/search?${new URLSearchParams({ q: data.q, type })}`;
  const all = `/search?${new URLSearchParams({ q: data.q })}`;
  const tabs = [
    { path: all, text: "search.all" as const },
    ...KINDS.map((each) => ({ path: to(each), text: TITLES[each] })),
  ];
  const shown = kind ? [kind] : KINDS;
  const isEmpty = shown.every((each) => hasNone(data, each));
  return (
    <>
      <Tabs label={t("search.kinds")} tabs={tabs} shown={kind ? to(kind) : all} />
      {kind && me && <ChoiceOf kind={kind} data={data} />}
      {isEmpty && !data.next && (
        <div class="empty">
          <p>{t("search.none", { q: data.q })}</p>
          {!me && <p class="soft">{t("search.visitor")}</p>}
          {me && shown.includes("statuses") && <p class="soft">{t("search.allowed")}</p>}
          <NextStep href="/explore" text="empty.explore" />
        </div>
      )}
      {shown.map((each) => (
        <Section key={each} kind={each} data={data} isAlone={kind !== null} />
      ))}
      <More next={data.next && { ...place.query, ...data.next }} text="explore.more" />
    </>
  );
};

export const search: Page<Results> = {
  path: "/search",
  load: async (loading) => {
    const { get, store, place, me, locale } = loading;
    const q = (place.query["q"] ?? "").trim();
    const type = kindOf(place.query);
    const isRanked = type === "statuses" && place.query["sort"] === "rank";
    const isByBio = type === "accounts" && place.query["bio"] === "true";
    const all = me ? (await get<SavedSearch[]>("/api/v1/saved_searches")).body : [];
    const saved = byName(locale, all, (search) => search.q);
    const sort = isRanked ? "rank" : null;
    const posts = { path: PATH, params: { q, type, sort }, ids: [], next: null };
    const none = { accounts: [], statuses: posts, hashtags: [], next: null };
    const begin = me && !q ? await loadBegin(loading).catch(() => null) : null;
    if (!q) return { q, ...none, isRanked, isByBio, saved, begin };
    const offset = me && type ? Number(place.query["offset"] ?? 0) || 0 : 0;
    const { body, next } = await get<Search>(PATH, {
      q,
      type,
      limit: type ? LIMIT : 5,
      resolve: me && offset === 0 ? true : null,
      offset: offset || null,
      sort,
      bio: isByBio || null,
    });
    const accounts = body.accounts.map((account) => keepAccount(store, account));
    await loadRelationships(loading, accounts);
    const ids = keepStatuses(store, body.statuses);
    const isOfPosts = type === "statuses";
    return {
      q,
      accounts,
      statuses: { ...posts, ids, next: isOfPosts ? next : null, context: "public" },
      hashtags: body.hashtags,
      next: isOfPosts ? null : next,
      isRanked,
      isByBio,
      saved,
      begin,
    };
  },
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("nav.search")} />
        <SearchForm q={data.q} />
        <Operators />
        <Saved data={data} />
        <Recent q={data.q} />
        {data.q && <ResultsView data={data} />}
        {data.begin && <BeginView begin={data.begin} />}
      </>
    );
  },
  head: ({ q }, { t }) => ({
    title: q ? t("search.title", { q }) : t("nav.search"),
    isHidden: true,
  }),
};
