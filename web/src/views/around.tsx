// The column beside a page that has nothing of its own there: a search field, what the server is for visitors, and what
// is on here, loaded once the page itself is quiet. It has something to show on a new server, too.

import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { signInPath, useApp } from "../app.ts";
import type { App } from "../app.ts";
import type { Account, Announcement, Rule, Tag } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { Icon } from "../elements/icons.tsx";
import { RuleList } from "../elements/rule-list.tsx";
import { PersonRow } from "../elements/names.tsx";
import { currentOf } from "../store/announcements.ts";
import { hereIn, loadHere, loadTags } from "../store/here.ts";
import { loadSuggested } from "../store/suggested.ts";
import { keepAccount } from "../store/store.ts";
import type { Store, StoredStatus } from "../store/store.ts";
import { moment } from "../text/time.ts";
import { AnnouncementCard } from "./announcements.tsx";
import { FollowButton } from "./follow-button.tsx";
import { SearchForm } from "./search-form.tsx";
import { postPath } from "./shown-status.ts";
import { TagRow } from "./tag-row.tsx";

const TAGS = 4;
const PEOPLE = 3;
const EVENTS = 2;
const RULES = 4;
/** Cards at most, the first of those that have something. */
const CARDS = 3;
const WAIT_MS = 1500;
/** Media query as in frame.css: narrower windows do not show the column. */
const ROOM = "(min-width: 1248px)";

type CardOf<T> = {
  name: string;
  /** Whether the page shows the same itself. */
  isOn(app: App): boolean;
  /** Resolves with null where there is nothing to show. */
  load(app: App): Promise<T | null>;
  /** Whether what was loaded is still there. */
  has?(data: T, app: App): boolean;
  View: FunctionComponent<{ data: T }>;
};

type Card = {
  name: string;
  load(app: App): Promise<void>;
  isShown(app: App): boolean;
  Shown: FunctionComponent;
};

/** Makes a card that is loaded once, for as long as the window is open, by the first page that does not show the same. */
const card = <T,>({ name, isOn, load, has = () => true, View }: CardOf<T>): Card => {
  const loaded = signal<T | null | undefined>(undefined);
  return {
    name,
    load: async (app) => {
      if (loaded.peek() !== undefined || isOn(app)) return;
      try {
        loaded.value = await load(app);
      } catch (error) {
        // What was refused stays so; without a connection it is asked for again on another page.
        if (error instanceof ApiError) loaded.value = null;
      }
    },
    isShown: (app) => Boolean(loaded.value) && !isOn(app) && has(loaded.value!, app),
    Shown: () => <View data={loaded.value!} />,
  };
};

const some = <T,>(list: readonly T[]): T[] | null => (list.length > 0 ? [...list] : null);

const announcement = card<Announcement[]>({
  name: "announcement",
  isOn: ({ me, place }) => !me || /^\/(?:home)?$/.test(place.path),
  load: async ({ get }) => {
    const path = "/api/v1/announcements";
    const { body } = await get<Announcement[]>(path, { with_dismissed: false });
    return body.filter(({ read }) => !read);
  },
  has: (data) => currentOf(data).length > 0,
  View: ({ data }) => <AnnouncementCard announcement={currentOf(data)[0]!} />,
});

const isFront = ({ me, place }: App): boolean => !me && place.path === "/";

/** Whether the page has the newest posts of this server, so that they need not be loaded. */
const hasNewest = (app: App): boolean => {
  const {
    site,
    place: { path, query },
  } = app;
  return !query["max_id"] && (path === "/public/local" || (isFront(app) && !site.trendsFirst));
};

const hereOf = async (app: App) => (hasNewest(app) ? hereIn(app.store) : loadHere(app));

const eventsIn = ({ statuses }: Store, ids: readonly string[]): StoredStatus[] =>
  ids.flatMap((id) => {
    const status = statuses.get(id)?.value;
    return status?.event && !status.isGone ? [status] : [];
  });

const events = card<string[]>({
  name: "events",
  isOn: () => false,
  load: async (app) => some((await hereOf(app)).events.slice(0, EVENTS)),
  has: (data, { store }) => eventsIn(store, data).length > 0,
  View: ({ data }) => {
    const { store, t, locale } = useApp();
    return (
      <section>
        <h2>{t("around.events")}</h2>
        {eventsIn(store, data).map((status) => (
          <a key={status.id} class="around-event" href={postPath(status)}>
            <Icon name="calendar" />
            <span>
              <strong>{status.event!.name}</strong>
              <span class="soft small">{moment(locale, status.event!.starts_at)}</span>
            </span>
          </a>
        ))}
      </section>
    );
  },
});

/** Pages that have people and hashtags themselves. */
const isFinding = ({ place }: App): boolean => /^\/(?:explore|welcome|search)/.test(place.path);

type Someone = { id: string; isNew: boolean };

const Person = ({ id, isNew }: Someone) => {
  const { me, store, t } = useApp();
  const account = store.accounts.get(id)?.value;
  if (!account) return null;
  return (
    <>
      <PersonRow account={account}>{me && <FollowButton account={account} isSmall />}</PersonRow>
      {isNew && <p class="soft small around-why">{t("around.new")}</p>}
    </>
  );
};

/** Returns whom a member may want to follow; for visitors, who came last. */
const loadPeople = async (app: App): Promise<Someone[]> => {
  const { get, me, store } = app;
  if (me)
    return (await loadSuggested(app, PEOPLE)).map(({ account, isNew }) => ({
      id: keepAccount(store, account),
      isNew,
    }));
  const params = { order: "new", local: true, limit: PEOPLE };
  const { body } = await get<Account[]>("/api/v1/directory", params);
  return body.map((account) => ({ id: keepAccount(store, account), isNew: false }));
};

const people = card<Someone[]>({
  name: "people",
  isOn: (app) => isFinding(app) || app.place.path.startsWith("/directory") || isFront(app),
  load: async (app) => some(await loadPeople(app)),
  View: ({ data }) => {
    const { me, t } = useApp();
    return (
      <section>
        <h2>{t(me ? "welcome.people" : "around.newcomers")}</h2>
        {data.map((someone) => (
          <Person key={someone.id} {...someone} />
        ))}
      </section>
    );
  },
});

const tags = card<{ tags: Tag[]; isTrending: boolean }>({
  name: "tags",
  isOn: isFinding,
  load: async (app) => {
    const loaded = await loadTags(app, TAGS, () => hereOf(app));
    return loaded.tags.length > 0 ? loaded : null;
  },
  View: ({ data: { tags: shown, isTrending } }) => {
    const { t, site } = useApp();
    return (
      <section>
        <h2>{isTrending ? t("around.tags") : t("around.here", { name: site.title })}</h2>
        <ul class="tag-list">
          {shown.map((tag) => (
            <TagRow key={tag.name} tag={tag} />
          ))}
        </ul>
      </section>
    );
  },
});

const rules = card<Rule[]>({
  name: "rules",
  isOn: (app) => isFront(app) || app.place.path.startsWith("/about"),
  load: async ({ get }) => some((await get<Rule[]>("/api/v1/instance/rules")).body),
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <section class="around-text">
        <h2>{t("about.rules")}</h2>
        <RuleList rules={data.slice(0, RULES)} />
        {data.length > RULES && (
          <p>
            <a href="/about#rules">{t("around.all_rules")}</a>
          </p>
        )}
      </section>
    );
  },
});

/** What is on here, the most important first. */
const NEWS = [announcement, events, people, tags];
const ALL = [...NEWS, rules];
/** True once all has been asked for. */
const isFull = signal(false);

const fill = async (app: App): Promise<void> => {
  await Promise.all(NEWS.map((each) => each.load(app)));
  if (ALL.filter((each) => each.isShown(app)).length < CARDS) await rules.load(app);
  isFull.value = true;
};

/** Says what this server is: to visitors, who can join it, and to members where there is nothing else to say. */
const ServerCard = () => {
  const app = useApp();
  const { me, place, site, t } = app;
  const isOpen = site.registrations.enabled;
  // Visitors read below what the introduction says; the front page has both itself.
  const about = site.description || (me && t("front.introduction", { domain: site.domain }));
  return (
    <section class="around-text">
      <h2>{t("about.title", { name: site.title })}</h2>
      {about && !isFront(app) && <p>{about}</p>}
      {!me && <p>{t(isOpen ? "around.join" : "around.closed", { name: site.title })}</p>}
      {!me && (
        <p class="buttons">
          {isOpen && (
            <a class="button small" href="/auth/sign_up">
              {t("nav.sign_up")}
            </a>
          )}
          <a class="button plain small" href={signInPath(place)}>
            {t("nav.sign_in")}
          </a>
        </p>
      )}
    </section>
  );
};

/** Keeps the place of cards that are not loaded yet. Without scripts none will be, and the server says what it is. */
const Waiting = () => (
  <>
    {useApp().me && (
      <div class="around-still">
        <ServerCard />
      </div>
    )}
    <div class="around-wait" aria-hidden="true" />
    <div class="around-wait" aria-hidden="true" />
  </>
);

const Cards = () => {
  const app = useApp();
  const shown = ALL.filter((each) => each.isShown(app));
  const hasServer = !app.me || (isFull.value && shown.length === 0);
  return (
    <>
      {hasServer && <ServerCard />}
      {isFull.value ? (
        shown.slice(0, hasServer ? CARDS - 1 : CARDS).map(({ name, Shown }) => <Shown key={name} />)
      ) : (
        <Waiting />
      )}
    </>
  );
};

export const Around = () => {
  const app = useApp();
  const { place } = app;
  useEffect(() => {
    if (!matchMedia(ROOM).matches) return;
    const timer = setTimeout(() => void fill(app), WAIT_MS);
    return () => clearTimeout(timer);
  }, [place.path]);
  return (
    <div class="around">
      {place.path !== "/search" && <SearchForm id="q-around" />}
      <Cards />
    </div>
  );
};
