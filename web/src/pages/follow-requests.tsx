// Lists people who asked to follow.

import type { Account, Relationship } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { keepAccount, keepRelationship } from "../store/store.ts";
import { ColumnHead } from "../views/frame.tsx";
import { RequestRow } from "../views/notification.tsx";
import type { Page } from "./page.ts";
import { More } from "../elements/more.tsx";

type Data = { ids: string[]; next: Record<string, string> | null };

export const followRequests: Page<Data> = {
  path: "/follow_requests",
  isForMembers: true,
  load: async ({ get, store, place }) => {
    const { max_id } = place.query;
    const { body, next } = await get<Account[]>("/api/v1/follow_requests", { limit: 40, max_id });
    const ids = body.map((account) => keepAccount(store, account));
    if (ids.length > 0) {
      const relations = await get<Relationship[]>("/api/v1/accounts/relationships", { id: ids });
      for (const relation of relations.body) keepRelationship(store, relation);
    }
    return { ids, next };
  },
  View: ({ data }) => {
    const { t, store } = useApp();
    return (
      <>
        <ColumnHead title={t("follow_requests.title")} back />
        {data.ids.length === 0 ? (
          <div class="empty">
            <p>{t("follow_requests.empty")}</p>
          </div>
        ) : (
          <div class="feed">
            {data.ids.map((id) => (
              <RequestRow key={id} account={store.accounts.get(id)!.value} />
            ))}
          </div>
        )}
        <More next={data.next} text="people.more" />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("follow_requests.title"), isHidden: true }),
};
