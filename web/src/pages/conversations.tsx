// Lists private mentions, a row for each conversation: who takes part, and the last post.

import { useEffect, useState } from "preact/hooks";
import type { Conversation } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { on, watch } from "../window/live.ts";
import { loadPolicy } from "../store/notifications.ts";
import { keepStatus } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import { More } from "../elements/more.tsx";
import { FormFields } from "../elements/form-fields.tsx";
import { Empty } from "../views/empty.tsx";
import { FilterPlace } from "../views/filters.ts";
import { ColumnHead } from "../views/frame.tsx";
import { shownName } from "../elements/names.tsx";
import { PostOf } from "../views/post.tsx";
import type { Page } from "./page.ts";
import { listed } from "../../../texts/lists.ts";

type Row = { id: string; isUnread: boolean; names: string[]; last: string };
type Data = {
  rows: Row[];
  next: Record<string, string> | null;
  /** Whether there are none, and some may be among the filtered notifications. */
  isFiltered: boolean;
};

const rowOf = (store: Store, { id, unread, accounts, last_status }: Conversation): Row | null =>
  last_status && {
    id,
    isUnread: unread,
    names: accounts.map(shownName),
    last: keepStatus(store, last_status),
  };

const rowsOf = (store: Store, conversations: readonly Conversation[]): Row[] =>
  conversations.map((each) => rowOf(store, each)).filter((row) => row !== null);

/** Updates the rows while they are shown; the newest conversation is at the top. */
const useRows = (data: Data): Row[] => {
  const { store } = useApp();
  const [rows, setRows] = useState(data.rows);
  useEffect(() => {
    setRows(data.rows);
    const stops = [
      watch({ stream: "direct" }),
      on("conversation", (conversation) => {
        const [row] = rowsOf(store, [conversation]);
        if (row) setRows((known) => [row, ...known.filter(({ id }) => id !== row.id)]);
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [data]);
  return rows;
};

const Act = ({ id, act, text }: { id: string; act: "read" | "delete"; text: string }) => (
  <form method="post" action={`/web/act/conversations/${id}/${act}`}>
    <FormFields />
    <button class="button plain small">{text}</button>
  </form>
);

const RowView = ({ row: { id, isUnread, names, last } }: { row: Row }) => {
  const { t, locale } = useApp();
  const people = names.length > 0 ? listed(locale, names) : t("conversations.alone");
  return (
    <section class={isUnread ? "conversation unread" : "conversation"} aria-label={people}>
      <header>
        <h2>
          {isUnread && <span class="badge">{t("conversations.unread")}</span>} <bdi>{people}</bdi>
        </h2>
        {isUnread && <Act id={id} act="read" text={t("conversations.mark_read")} />}
        <details class="confirm">
          <summary class="button plain small">{t("conversations.delete")}</summary>
          <p class="small">{t("conversations.delete_text")}</p>
          <Act id={id} act="delete" text={t("conversations.delete_really")} />
        </details>
      </header>
      <FilterPlace value="thread">
        <PostOf id={last} />
      </FilterPlace>
    </section>
  );
};

const None = ({ isFiltered }: Pick<Data, "isFiltered">) => {
  const { t } = useApp();
  return isFiltered ? (
    <Empty
      text={t("conversations.empty_filtered")}
      next={{ href: "/notifications/requests", text: "empty.filtered" }}
    />
  ) : (
    <Empty
      text={t("conversations.empty")}
      next={{ href: "/compose?visibility=direct", text: "empty.write_direct" }}
    />
  );
};

export const conversations: Page<Data> = {
  path: "/conversations",
  isForMembers: true,
  load: async ({ get, store, place }) => {
    const { max_id } = place.query;
    const { body, next } = await get<Conversation[]>("/api/v1/conversations", {
      limit: 20,
      max_id,
    });
    const rows = rowsOf(store, body);
    const isFiltered =
      rows.length === 0 && (await loadPolicy(get)).summary.pending_requests_count > 0;
    return { rows, next, isFiltered };
  },
  View: ({ data }) => {
    const { t } = useApp();
    const rows = useRows(data);
    return (
      <>
        <ColumnHead title={t("nav.conversations")} />
        {rows.length === 0 && <None isFiltered={data.isFiltered} />}
        {rows.map((row) => (
          <RowView key={row.id} row={row} />
        ))}
        <More next={data.next} text="conversations.more" />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("nav.conversations"), isHidden: true }),
};
