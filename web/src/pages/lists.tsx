// Lists of people: an overview, the posts of one, and its settings.

import { LIST_REPLIES_POLICY } from "../api/choices.ts";
import type { Account, List } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { loadLists } from "../store/named.ts";
import { keepAccount } from "../store/store.ts";
import { FeedChoice } from "../views/feed-choice.tsx";
import { Feed, loadFeed } from "../views/feed.tsx";
import type { FeedData } from "../views/feed.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { Icon } from "../elements/icons.tsx";
import { ListName, PersonRow, plainName } from "../elements/names.tsx";
import { SelectField, SettingsForm, TextField } from "../views/settings-form.tsx";
import type { AnyPage, Page } from "./page.ts";
import { olderThan } from "./timelines.tsx";

const MAX_TITLE = 255;
const MAX_MEMBERS = 80;
const FOUND = 10;

const lists: Page<List[]> = {
  path: "/lists",
  isForMembers: true,
  load: loadLists,
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("nav.lists")} />
        {data.length === 0 ? (
          <p class="empty">{t("lists.empty")}</p>
        ) : (
          <ul class="rows">
            {data.map((each) => (
              <li key={each.id}>
                <a class="row-link" href={`/lists/${each.id}`}>
                  <Icon name="list" /> <ListName list={each} />
                </a>
                <a
                  class="icon-button"
                  href={`/lists/${each.id}/edit`}
                  aria-label={t("lists.edit_of", { title: each.title })}
                >
                  <Icon name="pen" />
                </a>
              </li>
            ))}
          </ul>
        )}
        <SettingsForm class="row-form" action="/web/act/lists" isFresh done={t("lists.created")}>
          <TextField name="title" label={t("lists.new")} isRequired maxLength={MAX_TITLE} />
          <button class="button">{t("lists.create")}</button>
        </SettingsForm>
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("nav.lists"), isHidden: true }),
};

const list: Page<{ list: List; feed: FeedData }> = {
  path: "/lists/:id(\\d+)",
  isForMembers: true,
  load: async (loading) => {
    const { id = "" } = loading.place.params;
    const path = `/api/v1/timelines/list/${id}`;
    const more = { stream: { stream: "list", list: id }, context: "home" as const };
    const [{ body }, feed] = await Promise.all([
      loading.get<List>(`/api/v1/lists/${id}`),
      loadFeed(loading, path, {}, olderThan(loading.place), more),
    ]);
    return { list: body, feed };
  },
  View: ({ data }) => {
    const { t } = useApp();
    const { id, title } = data.list;
    const edit = `/lists/${id}/edit`;
    return (
      <>
        <ColumnHead title={<ListName list={data.list} />} back>
          <a class="icon-button" href={edit} aria-label={t("lists.edit")} title={t("lists.edit")}>
            <Icon name="pen" />
          </a>
          <FeedChoice path={data.feed.path} />
        </ColumnHead>
        <Feed
          data={data.feed}
          label={title}
          empty={
            <>
              <p>{t("lists.no_posts")}</p>
              <p>
                <a class="button" href={edit}>
                  {t("lists.add_people")}
                </a>
              </p>
            </>
          }
        />
      </>
    );
  },
  head: ({ list: { title } }) => ({ title, isHidden: true }),
};

type Edited = { list: List; members: string[]; query: string; results: string[] };

const Settings = ({ list: { id, title, replies_policy, exclusive } }: { list: List }) => {
  const { t } = useApp();
  return (
    <SettingsForm
      class="row-form"
      action={`/web/act/lists/${id}`}
      done={t("lists.saved")}
      drawn={{ title, replies_policy, exclusive }}
    >
      <TextField
        name="title"
        label={t("lists.name")}
        isRequired
        maxLength={MAX_TITLE}
        value={title}
      />
      <SelectField
        name="replies_policy"
        label={t("lists.replies")}
        value={replies_policy}
        options={LIST_REPLIES_POLICY.map((policy) => [policy, t(`lists.replies_${policy}`)])}
      />
      <SelectField
        name="exclusive"
        label={t("lists.exclusive")}
        value={String(exclusive)}
        options={[
          ["false", t("lists.exclusive_no")],
          ["true", t("lists.exclusive_yes")],
        ]}
      />
      <button class="button">{t("lists.save")}</button>
    </SettingsForm>
  );
};

const Member = ({ id, listId, act }: { id: string; listId: string; act: "add" | "remove" }) => {
  const { store, t } = useApp();
  const account = store.accounts.get(id)!.value;
  const done = act === "remove" ? t("lists.removed", { name: plainName(account) }) : "";
  return (
    <SettingsForm
      class="row-person"
      action={`/web/act/lists/${listId}/accounts${act === "add" ? "" : "/delete"}`}
      done={done}
    >
      <input type="hidden" name="account_ids[]" value={id} />
      <PersonRow account={account} />
      <button class={act === "add" ? "button small" : "button plain small"}>
        {t(`lists.${act}`)}
      </button>
    </SettingsForm>
  );
};

const edit: Page<Edited> = {
  path: "/lists/:id(\\d+)/edit",
  isForMembers: true,
  load: async ({ get, store, place }) => {
    const { id = "" } = place.params;
    const query = place.query["q"] ?? "";
    const search = { q: query, following: true, limit: FOUND };
    const [list, members, results] = await Promise.all([
      get<List>(`/api/v1/lists/${id}`),
      get<Account[]>(`/api/v1/lists/${id}/accounts`, { limit: MAX_MEMBERS }),
      query ? get<Account[]>("/api/v1/accounts/search", search) : null,
    ]);
    const ids = members.body.map((account) => keepAccount(store, account));
    const foundIds = (results?.body ?? []).map((account) => keepAccount(store, account));
    const others = foundIds.filter((each) => !ids.includes(each));
    return { list: list.body, members: ids, query, results: others };
  },
  View: ({ data: { list: edited, members, query, results } }) => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("lists.edit_of", { title: edited.title })} back />
        <Settings list={edited} />
        <h2 class="section">{t("lists.members")}</h2>
        {members.length === 0 && <p class="empty">{t("lists.no_members")}</p>}
        {members.map((id) => (
          <Member key={id} id={id} listId={edited.id} act="remove" />
        ))}
        <form class="row-form" method="get">
          <label for="q">{t("lists.find")}</label>
          <input id="q" name="q" type="search" value={query} dir="auto" />
          <button class="button plain">{t("nav.search")}</button>
        </form>
        {query && results.length === 0 && <p class="soft section">{t("lists.nobody")}</p>}
        {results.map((id) => (
          <Member key={id} id={id} listId={edited.id} act="add" />
        ))}
        <details class="row-danger">
          <summary>{t("lists.delete")}</summary>
          <SettingsForm
            class=""
            action={`/web/act/lists/${edited.id}/delete`}
            back="/lists"
            done=""
          >
            <p>{t("lists.delete_text")}</p>
            <button class="button">{t("lists.delete")}</button>
          </SettingsForm>
        </details>
      </>
    );
  },
  head: ({ list: { title } }, { t }) => ({ title: t("lists.edit_of", { title }), isHidden: true }),
};

export const listPages: AnyPage[] = [lists, list, edit];
