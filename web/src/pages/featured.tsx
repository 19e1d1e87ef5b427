// Shows what somebody features: hashtags, collections, people.

import type { Account, Collection, FeaturedTag } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { keepAccount } from "../store/store.ts";
import { fullHandle, plainName, profilePath } from "../elements/names.tsx";
import { FormNotice } from "../views/frame.tsx";
import { PeopleList } from "../views/people-list.tsx";
import { ProfileCard } from "../views/profile-card.tsx";
import type { Page } from "./page.ts";
import { ProfileTabs, loadAccount, loadRelations } from "./profile.tsx";

type Featured = {
  id: string;
  tags: { name: string; count: number }[];
  collections: Pick<Collection, "id" | "name" | "description" | "item_count" | "url">[];
  ids: string[];
};

export const featured: Page<Featured> = {
  path: "/@:acct/featured",
  load: async (loading) => {
    const { get, store } = loading;
    const { id } = await loadAccount(loading);
    const [tags, endorsed, collections] = await Promise.all([
      get<FeaturedTag[]>(`/api/v1/accounts/${id}/featured_tags`),
      get<Account[]>(`/api/v1/accounts/${id}/endorsements`),
      get<{ collections: Collection[] }>(`/api/v1/accounts/${id}/collections`),
    ]);
    const ids = endorsed.body.map((account) => keepAccount(store, account));
    await loadRelations(loading, ids);
    return {
      id,
      ids,
      tags: tags.body.map(({ name, statuses_count }) => ({ name, count: Number(statuses_count) })),
      collections: collections.body.collections.map(
        ({ id: collection, name, description, item_count, url }) => ({
          id: collection,
          name,
          description,
          item_count,
          url,
        }),
      ),
    };
  },
  View: ({ data }) => {
    const { store, t } = useApp();
    const account = store.accounts.get(data.id)!.value;
    const isEmpty = data.tags.length + data.collections.length + data.ids.length === 0;
    return (
      <>
        <FormNotice />
        <ProfileCard account={account} />
        <ProfileTabs account={account} shown="featured" />
        {isEmpty && (
          <div class="empty">
            <p>{t("featured.empty", { name: plainName(account) })}</p>
          </div>
        )}
        {data.tags.length > 0 && <h2 class="section">{t("featured.tags")}</h2>}
        <p class="chips">
          {data.tags.map(({ name, count }) => (
            <a key={name} class="chip" href={`${profilePath(account)}/tagged/${name}`}>
              #{name} <span class="soft small">{t("profile.count_posts", { count })}</span>
            </a>
          ))}
        </p>
        {data.collections.length > 0 && <h2 class="section">{t("featured.collections")}</h2>}
        {data.collections.map(({ id, name, description, item_count, url }) => (
          <a key={id} class="prose collection" href={url ?? `/collections/${id}`}>
            <strong>{name}</strong>
            <span class="soft">{t("featured.people", { count: item_count })}</span>
            {description && <span>{description}</span>}
          </a>
        ))}
        {data.ids.length > 0 && (
          <>
            <h2 class="section">{t("featured.endorsed")}</h2>
            <PeopleList ids={data.ids} next={null} empty="" />
          </>
        )}
      </>
    );
  },
  head: ({ id }, { store, site, t }) => {
    const account = store.accounts.get(id)!.value;
    const name = `${plainName(account)} (${fullHandle(account, site.domain)})`;
    return { title: t("featured.title", { name }), isHidden: true };
  },
};
