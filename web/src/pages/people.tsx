// Lists who follows somebody, and whom they follow.

import type { Account } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { keepAccount } from "../store/store.ts";
import type { Key } from "../texts/texts.ts";
import { ColumnHead } from "../views/frame.tsx";
import { fullHandle, plainName, profilePath, shownName } from "../elements/names.tsx";
import { PeopleList } from "../views/people-list.tsx";
import type { AnyPage, Page } from "./page.ts";
import { loadAccount, loadRelations } from "./profile.tsx";

type People = { id: string; ids: string[]; next: Record<string, string> | null };

const LIMIT = 40;

const peoplePage = (list: "followers" | "following", title: Key, empty: Key): Page<People> => ({
  path: `/@:acct/${list}`,
  load: async (loading) => {
    const { get, store, place } = loading;
    const { id } = await loadAccount(loading);
    const { body, next } = await get<Account[]>(`/api/v1/accounts/${id}/${list}`, {
      limit: LIMIT,
      max_id: place.query["max_id"],
    });
    const ids = body.map((account) => keepAccount(store, account));
    await loadRelations(loading, ids);
    return { id, ids, next };
  },
  View: ({ data }) => {
    const { store, t } = useApp();
    const account = store.accounts.get(data.id)!.value;
    return (
      <>
        <ColumnHead title={t(title, { name: shownName(account) })} back={profilePath(account)} />
        <PeopleList
          ids={data.ids}
          next={data.next}
          empty={t(account.hide_collections ? "people.hidden" : empty)}
        />
        {account.acct.includes("@") && account.url && data.next === null && (
          <p class="soft small pager">
            {t("people.elsewhere")}{" "}
            <a href={account.url} target="_blank" rel="nofollow noopener noreferrer">
              {t("menu.original")}
            </a>
          </p>
        )}
      </>
    );
  },
  head: ({ id }, { store, site, t }) => {
    const account = store.accounts.get(id)!.value;
    const name = `${plainName(account)} (${fullHandle(account, site.domain)})`;
    return { title: t(title, { name }), isHidden: true };
  },
});

export const peoplePages: AnyPage[] = [
  peoplePage("followers", "people.followers", "people.no_followers"),
  peoplePage("following", "people.following", "people.no_following"),
];
