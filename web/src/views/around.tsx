// The column beside a page that has nothing of its own there: a search field, what the server says of itself and, for
// members, what is on there, people to follow and hashtags, loaded once the page itself is quiet.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Announcement, Tag } from "../api/entities.ts";
import { useApp } from "../app.ts";
import type { App } from "../app.ts";
import { loadHere, loadTags } from "../store/here.ts";
import { loadSuggested } from "../store/suggested.ts";
import { keepAccount } from "../store/store.ts";
import { moment } from "../text/time.ts";
import { Announcements } from "./announcements.tsx";
import { FollowButton } from "./follow-button.tsx";
import { Icon } from "../elements/icons.tsx";
import { PersonRow } from "../elements/names.tsx";
import { SearchForm } from "./search-form.tsx";
import { postPath } from "./shown-status.ts";
import { TagRow } from "./tag-row.tsx";

const TAGS = 4;
const PEOPLE = 3;
const EVENTS = 2;
/** Cards at most, the first of those that have something. */
const CARDS = 3;
const WAIT_MS = 1500;
/** Media query as in frame.css: narrower windows do not show the column. */
const ROOM = "(min-width: 1081px)";

type Someone = { id: string; isNew: boolean };
type Loaded = {
  announcement: Announcement | null;
  events: string[];
  people: Someone[];
  tags: Tag[];
  isTrending: boolean;
};

const around = signal<Loaded | null>(null);

const load = async (app: App): Promise<void> => {
  const none = { tags: [], events: [] };
  const [here, suggested, announced] = await Promise.all([
    loadHere(app).catch(() => none),
    loadSuggested(app, PEOPLE),
    app.get<Announcement[]>("/api/v1/announcements", { with_dismissed: false }),
  ]);
  const people = suggested.map(({ account, isNew }) => ({
    id: keepAccount(app.store, account),
    isNew,
  }));
  around.value = {
    announcement: announced.body.find(({ read }) => !read) ?? null,
    events: here.events.slice(0, EVENTS),
    people,
    ...(await loadTags(app, TAGS, here)),
  };
};

const Tags = ({ tags, isTrending }: Pick<Loaded, "tags" | "isTrending">) => {
  const { t, site } = useApp();
  return (
    <section>
      <h2>{isTrending ? t("around.tags") : t("around.here", { name: site.title })}</h2>
      <ul class="tag-list">
        {tags.map((tag) => (
          <TagRow key={tag.name} tag={tag} />
        ))}
      </ul>
    </section>
  );
};

const Events = ({ ids }: { ids: string[] }) => {
  const { store, t, locale } = useApp();
  return (
    <section>
      <h2>{t("around.events")}</h2>
      {ids.map((id) => {
        const status = store.statuses.get(id)?.value;
        if (!status?.event) return null;
        return (
          <a key={id} class="around-event" href={postPath(status)}>
            <Icon name="calendar" />
            <span>
              <strong>{status.event.name}</strong>
              <span class="soft small">{moment(locale, status.event.starts_at)}</span>
            </span>
          </a>
        );
      })}
    </section>
  );
};

const Person = ({ id, isNew }: Someone) => {
  const { store, t } = useApp();
  const account = store.accounts.get(id)?.value;
  if (!account) return null;
  return (
    <>
      <PersonRow account={account}>
        <FollowButton account={account} isSmall />
      </PersonRow>
      {isNew && <p class="soft small around-why">{t("around.new")}</p>}
    </>
  );
};

const People = ({ people }: { people: Someone[] }) => {
  const { t } = useApp();
  return (
    <section>
      <h2>{t("welcome.people")}</h2>
      {people.map((someone) => (
        <Person key={someone.id} {...someone} />
      ))}
    </section>
  );
};

const Cards = ({ loaded }: { loaded: Loaded }) => {
  const { place } = useApp();
  const { announcement, events, people, tags, isTrending } = loaded;
  // These pages have people and hashtags themselves, home the announcements.
  const isElsewhere = /^\/(?:explore|welcome|search)/.test(place.path);
  const cards = [
    announcement && !/^\/(?:home)?$/.test(place.path) && (
      <Announcements key="announcement" loaded={[announcement]} />
    ),
    events.length > 0 && <Events key="events" ids={events} />,
    !isElsewhere && people.length > 0 && <People key="people" people={people} />,
    !isElsewhere && tags.length > 0 && <Tags key="tags" tags={tags} isTrending={isTrending} />,
  ];
  return <>{cards.filter(Boolean).slice(0, CARDS)}</>;
};

export const Around = () => {
  const app = useApp();
  const { me, place } = app;
  useEffect(() => {
    if (!me || around.peek() || !matchMedia(ROOM).matches) return;
    const timer = setTimeout(() => load(app).catch(() => {}), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="around">
      {place.path !== "/search" && <SearchForm id="q-around" />}
      {around.value && <Cards loaded={around.value} />}
    </div>
  );
};
