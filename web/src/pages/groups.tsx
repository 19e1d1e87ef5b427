// Lists the groups that somebody moderates or has joined, and makes new ones.

import type { Account, Group } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { keepAccount } from "../store/store.ts";
import { More } from "../elements/more.tsx";
import { useSentBack } from "../elements/refusable.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { PersonRow, shownName } from "../elements/names.tsx";
import { loadRelationships } from "../store/relations.ts";
import { PostToGroup } from "../views/group-about.tsx";
import { PersonCards } from "../views/person-card.tsx";
import { SettingsForm, TextField } from "../views/settings-form.tsx";
import type { AnyPage, Page } from "./page.ts";
import { desk } from "./group-desk.tsx";
import { Policies, Profile, RuleFields } from "./group-fields.tsx";
import { byName } from "../../../texts/lists.ts";

const MAX_PEOPLE = 40;

const NEW = "/web/act/groups";

const NewGroup = () => {
  const { t } = useApp();
  return (
    <details class="row-form-details" open={useSentBack(NEW)}>
      <summary>{t("groups.new")}</summary>
      <SettingsForm class="row-form" action={NEW} isFresh done={t("groups.created")}>
        <p class="soft">{t("groups.about")}</p>
        <TextField
          name="name"
          label={t("groups.name")}
          isRequired
          maxLength={30}
          autocomplete="off"
          isExact
        />
        <Profile />
        <Policies locked={false} holds_posts={false} />
        <RuleFields rules={[]} />
        <button class="button">{t("groups.create")}</button>
      </SettingsForm>
    </details>
  );
};

type Overview = {
  managed: Group[];
  joined: string[];
  next: Record<string, string> | null;
  /** Groups to join. */
  findable: string[];
};

const Waiting = ({ waiting }: Pick<Group, "waiting">) => {
  const { t } = useApp();
  const count = (waiting?.requests ?? 0) + (waiting?.held ?? 0);
  return count === 0 ? null : <b class="badge">{t("groups.waiting", { count })}</b>;
};

const overview: Page<Overview> = {
  path: "/groups",
  isForMembers: true,
  load: async (loading) => {
    const { get, store, place, locale } = loading;
    const { max_id } = place.query;
    const [managed, joined, found] = await Promise.all([
      get<Group[]>("/api/v1/groups"),
      get<Account[]>("/api/v1/groups/joined", { limit: MAX_PEOPLE, max_id }),
      get<Account[]>("/api/v1/groups/findable", { limit: MAX_PEOPLE }),
    ]);
    for (const { account } of managed.body) keepAccount(store, account);
    const ids = joined.body.map((account) => keepAccount(store, account));
    const findable = found.body.map((account) => keepAccount(store, account));
    await loadRelationships(loading, findable);
    const mine = byName(locale, managed.body, ({ account }) => shownName(account));
    return { managed: mine, joined: ids, next: joined.next, findable };
  },
  View: ({ data: { managed, joined, next, findable } }) => {
    const { t, store, site } = useApp();
    const others = joined.filter((id) => managed.every(({ account }) => account.id !== id));
    return (
      <>
        <ColumnHead title={t("nav.groups")} />
        {managed.length > 0 && (
          <>
            <h2 class="section">{t("groups.managed")}</h2>
            {managed.map(({ id, account, waiting }) => (
              <PersonRow key={id} account={account}>
                <Waiting waiting={waiting} />
                <a class="button plain small" href={`/groups/${id}`}>
                  {t("groups.moderate")}
                </a>
              </PersonRow>
            ))}
          </>
        )}
        {(others.length > 0 || managed.length === 0) && (
          <h2 class="section">{t("groups.joined")}</h2>
        )}
        {others.length === 0 && managed.length === 0 ? (
          <p class="empty">{t("groups.none")}</p>
        ) : (
          others.map((id) => {
            const account = store.accounts.get(id)!.value;
            return (
              <PersonRow key={id} account={account}>
                <PostToGroup account={account} isSmall />
              </PersonRow>
            );
          })
        )}
        <More next={next} text="people.more" />
        {findable.length > 0 && (
          <>
            <h2 class="section">{t("groups.findable", { name: site.title })}</h2>
            <PersonCards ids={findable} />
          </>
        )}
        <NewGroup />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("nav.groups"), isHidden: true }),
};

export const groupPages: AnyPage[] = [overview, desk];
