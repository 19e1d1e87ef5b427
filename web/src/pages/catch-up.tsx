// Shows what was posted in home since the last visit, by person.

import { useCallback, useState } from "preact/hooks";
import type { Marker, Status } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { useApp } from "../app.ts";
import type { App } from "../app.ts";
import { useHomeMarker } from "../window/marker.ts";
import { isNewer, withoutRepeats } from "../store/feed.ts";
import { keepStatuses } from "../store/store.ts";
import { FilterPlace, isHidden } from "../views/filters.ts";
import { ColumnHead } from "../views/frame.tsx";
import { Picture, Name, profilePath, shownName } from "../elements/names.tsx";
import { PostOf } from "../views/post.tsx";
import { Age, Ago } from "../elements/times.tsx";
import { Tabs } from "../elements/tabs.tsx";
import type { Page } from "./page.ts";
import { byName } from "../../../texts/lists.ts";

const LIMIT = 40;
const MAX_PAGES = 5;
const DAY_MS = 86_400_000;

const SORTS = ["posts", "name", "newest"] as const;
type Sort = (typeof SORTS)[number];

type Person = { id: string; ids: string[] };

type Data = {
  ids: string[];
  /** Who posted, in the order of the server or browser that loaded them: others may sort names in another way. */
  people: Person[];
  /** Newest post of the last visit; null to show the last day. Links carry it, since the page moves the marker. */
  after: string | null;
  /** When that visit was; null where a link said which. */
  since: string | null;
  /** Query of the older posts; null where this is all. */
  older: Record<string, string> | null;
  /** True for the page that begins with the newest post. */
  isFirst: boolean;
  sort: Sort;
};

const homeMarker = async (get: Get): Promise<Marker | undefined> =>
  (await get<{ home?: Marker }>("/api/v1/markers", { timeline: ["home"] })).body.home;

/** Loads the posts of home, newest first, until one that was there before, or as many as a page has room for. */
const loadSince = async (
  get: Get,
  max_id: string | undefined,
  isBefore: (status: Status) => boolean,
): Promise<{ statuses: Status[]; older: Data["older"] }> => {
  const statuses: Status[] = [];
  let from: Record<string, string> | null = max_id ? { max_id } : {};
  for (let page = 0; page < MAX_PAGES && from; page += 1) {
    const path = "/api/v1/timelines/home";
    const answer: { body: Status[]; next: Record<string, string> | null } = await get<Status[]>(
      path,
      { limit: LIMIT, ...from },
    );
    const fresh = answer.body.filter((status) => !isBefore(status));
    statuses.push(...fresh);
    if (fresh.length < answer.body.length) return { statuses, older: null };
    from = answer.next;
  }
  return { statuses, older: from };
};

/** Groups posts by who brought them to home, and sorts the people. */
const peopleOf = (
  { store, locale }: Pick<App, "store" | "locale">,
  ids: readonly string[],
  sort: Sort,
): Person[] => {
  const people = new Map<string, string[]>();
  for (const id of ids) {
    const author = store.statuses.get(id)!.peek().account.id;
    people.set(author, [...(people.get(author) ?? []), id]);
  }
  const all = [...people].map(([id, own]) => ({ id, ids: own }));
  const nameOf = ({ ids: [first] }: Person) =>
    shownName(store.statuses.get(first!)!.peek().account);
  if (sort === "posts") return all.sort((a, b) => b.ids.length - a.ids.length);
  if (sort === "name") return byName(locale, all, nameOf);
  return all;
};

/** Posts that are drawn before anything is opened: of everybody together, and of one person. */
const DRAWN = 60;
const DRAWN_OF_PERSON = 10;

/** Returns how many posts of each person are drawn while they are folded. */
const drawnOf = (people: readonly Person[]): number[] => {
  let left = DRAWN;
  return people.map(({ ids }) => {
    const drawn = Math.min(ids.length, DRAWN_OF_PERSON, left);
    left -= drawn;
    return drawn;
  });
};

/** Draws all posts of a person when they are opened. Without scripts a link leads to the rest. */
const PersonPosts = ({ ids, drawn }: Person & { drawn: number }) => {
  const { store, t } = useApp();
  const [isOpen, setOpen] = useState(false);
  const newest = store.statuses.get(ids[0]!)!.peek();
  const shown = isOpen ? ids : ids.slice(0, drawn);
  return (
    <details
      class="catch-up-person"
      onToggle={({ currentTarget }) => currentTarget.open && setOpen(true)}
    >
      <summary>
        <Picture account={newest.account} size={32} />
        <strong>
          <Name account={newest.account} />
        </strong>
        <span class="soft">{t("catch_up.count", { count: ids.length })}</span>
        <span class="soft">
          <Age time={newest.created_at} />
        </span>
      </summary>
      {shown.map((id) => (
        <PostOf key={id} id={id} />
      ))}
      {shown.length < ids.length && (
        <p class="pager">
          <a href={profilePath(newest.account)}>{t("catch_up.rest")}</a>
        </p>
      )}
    </details>
  );
};

export const catchUp: Page<Data> = {
  path: "/catch-up",
  isForMembers: true,
  load: async ({ get, store, place, me, locale }) => {
    const { max_id, since_id } = place.query;
    const marker = since_id ? undefined : await homeMarker(get);
    const after = since_id ?? marker?.last_read_id ?? null;
    const dayAgo = Date.now() - DAY_MS;
    const { statuses, older } = await loadSince(get, max_id, (status) =>
      after ? !isNewer(status.id, after) : new Date(status.created_at).getTime() < dayAgo,
    );
    const shown = statuses.filter(
      (status) => status.account.id !== me?.id && !isHidden(status.reblog ?? status, "home"),
    );
    const sort = SORTS.find((each) => each === place.query["sort"]) ?? "posts";
    const ids = withoutRepeats(store, keepStatuses(store, shown));
    const since = marker?.updated_at ?? null;
    const people = peopleOf({ store, locale }, ids, sort);
    return { ids, people, after, since, older, isFirst: max_id === undefined, sort };
  },
  View: ({ data }) => {
    const app = useApp();
    const { t, place } = app;
    const { older, isFirst, after, people } = data;
    const newest = useCallback(() => (isFirst ? data.ids[0] : undefined), [data]);
    useHomeMarker(app, newest);
    const linkTo = (query: Record<string, string>): string =>
      `?${new URLSearchParams({ ...query, ...(after && { since_id: after }) })}`;
    const drawn = drawnOf(people);
    return (
      <FilterPlace value="home">
        <ColumnHead title={t("catch_up.title")} back />
        <p class="section soft">
          {t(older || !isFirst ? "catch_up.part" : after ? "catch_up.summary" : "catch_up.day", {
            posts: t("catch_up.count", { count: data.ids.length }),
            people: t("catch_up.people", { count: people.length }),
          })}
          {data.since && (
            <>
              {" · "}
              <Ago time={data.since} />
            </>
          )}
        </p>
        {people.length > 1 && (
          <Tabs
            label={t("catch_up.sort")}
            tabs={SORTS.map((sort) => ({
              path: linkTo({ ...place.query, sort }),
              text: `catch_up.by_${sort}` as const,
            }))}
            shown={linkTo({ ...place.query, sort: data.sort })}
          />
        )}
        <div class="catch-up">
          {people.map((person, n) => (
            <PersonPosts key={person.id} {...person} drawn={drawn[n]!} />
          ))}
        </div>
        <div class="empty">
          {!older && <p>{t("catch_up.done")}</p>}
          <p>
            {older ? (
              <a class="button" href={linkTo({ ...older, sort: data.sort })}>
                {t("catch_up.older")}
              </a>
            ) : (
              <a class="button plain" href="/home">
                {t("nav.home")}
              </a>
            )}
          </p>
        </div>
      </FilterPlace>
    );
  },
  head: (_data, { t }) => ({ title: t("catch_up.title"), isHidden: true }),
};
