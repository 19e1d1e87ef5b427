// The column beside a page that has nothing of its own there: a search field and, for members, hashtags and people to
// follow, loaded once the page itself is quiet.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Tag } from "../api/entities.ts";
import { useApp } from "../app.ts";
import type { App } from "../app.ts";
import { loadSuggested } from "../store/suggested.ts";
import { keepAccount } from "../store/store.ts";
import { FollowButton } from "./follow-button.tsx";
import { PersonRow } from "../elements/names.tsx";
import { SearchForm } from "./search-form.tsx";
import { TagRow } from "./tag-row.tsx";

const TAGS = 4;
const PEOPLE = 3;
const WAIT_MS = 1500;
/** Media query as in frame.css: narrower windows do not show the column. */
const ROOM = "(min-width: 1081px)";

type Someone = { id: string; isNew: boolean };
type Suggestions = { tags: Tag[]; people: Someone[] };

const around = signal<Suggestions | null>(null);

const load = async (app: App): Promise<void> => {
  const [tags, suggested] = await Promise.all([
    app.get<Tag[]>("/api/v1/trends/tags", { limit: TAGS }),
    loadSuggested(app, PEOPLE),
  ]);
  const people = suggested.map(({ account, isNew }) => ({
    id: keepAccount(app.store, account),
    isNew,
  }));
  around.value = { tags: tags.body, people };
};

const Tags = ({ tags }: { tags: Tag[] }) => {
  const { t } = useApp();
  return (
    <section>
      <h2>{t("around.tags")}</h2>
      <ul class="tag-list">
        {tags.map((tag) => (
          <TagRow key={tag.name} tag={tag} />
        ))}
      </ul>
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

export const Around = () => {
  const app = useApp();
  const { me, place } = app;
  useEffect(() => {
    if (!me || around.peek() || !matchMedia(ROOM).matches) return;
    const timer = setTimeout(() => load(app).catch(() => {}), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const { tags = [], people = [] } = around.value ?? {};
  const isElsewhere = /^\/(?:explore|welcome)/.test(place.path);
  return (
    <div class="around">
      {place.path !== "/search" && <SearchForm id="q-around" />}
      {!isElsewhere && tags.length > 0 && <Tags tags={tags} />}
      {!isElsewhere && people.length > 0 && <People people={people} />}
    </div>
  );
};
