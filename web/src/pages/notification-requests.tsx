// Lists requests: people whose notifications are filtered until the person decides, after reading them.

import type { Account, NotificationRequest } from "../api/entities.ts";
import { decisions } from "../acts/notifications.ts";
import { useApp } from "../app.ts";
import { keepAccount, keepStatus } from "../store/store.ts";
import { plainText } from "../text/parse-html.ts";
import { More } from "../elements/more.tsx";
import { ActButton } from "../elements/act-button.tsx";
import { FormFields } from "../elements/form-fields.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { PersonRow, shownName } from "../elements/names.tsx";
import { NotificationRow } from "../views/notification.tsx";
import { loadGroups } from "../store/notifications.ts";
import type { Groups } from "../store/notifications.ts";
import type { Page } from "./page.ts";

type Row = { id: string; accountId: string; count: number; statusId: string | null };

type List = { rows: Row[]; next: Record<string, string> | null };

const FORM = "requests";
const LIST = "/api/v1/notifications/requests";

const Decide = ({ id, account }: { id: string; account: Account }) => {
  const { t } = useApp();
  const done = decisions.value.get(id);
  if (done) {
    return (
      <span class="badge">{t(done === "accept" ? "requests.accepted" : "requests.dismissed")}</span>
    );
  }
  const name = shownName(account);
  return (
    <span class="notification-acts">
      <ActButton
        class="button small"
        kind="notifications/requests"
        id={id}
        act="accept"
        label={t("words.pair", { name: t("requests.accept"), value: name })}
      >
        {t("requests.accept")}
      </ActButton>
      <ActButton
        class="button plain small"
        kind="notifications/requests"
        id={id}
        act="dismiss"
        label={t("words.pair", { name: t("requests.dismiss"), value: name })}
      >
        {t("requests.dismiss")}
      </ActButton>
    </span>
  );
};

const RequestRow = ({ row }: { row: Row }) => {
  const { t, store } = useApp();
  const account = store.accounts.get(row.accountId)!.value;
  const status = row.statusId === null ? undefined : store.statuses.get(row.statusId)?.value;
  const name = shownName(account);
  return (
    <div class="request">
      <input
        type="checkbox"
        form={FORM}
        name="id[]"
        value={row.id}
        aria-label={t("requests.choose", { name })}
      />
      <div class="request-body">
        <PersonRow account={account} />
        <a class="excerpt" href={`/notifications/requests/${row.id}`}>
          <span>{t("requests.count", { count: row.count })}</span>
          {status && (
            <span class="soft" dir="auto">
              {" "}
              {status.spoiler_text || plainText(status.content ?? "")}
            </span>
          )}
        </a>
      </div>
      <Decide id={row.id} account={account} />
    </div>
  );
};

const Several = () => {
  const { t } = useApp();
  return (
    <form id={FORM} class="several" method="post" action="/web/act/notifications/requests/accept">
      <FormFields />
      <button class="button small">{t("requests.accept_chosen")}</button>
      <button class="button plain small" formAction="/web/act/notifications/requests/dismiss">
        {t("requests.dismiss_chosen")}
      </button>
    </form>
  );
};

export const requestList: Page<List> = {
  path: "/notifications/requests",
  isForMembers: true,
  load: async ({ get, store, place }) => {
    const { max_id } = place.query;
    const { body, next } = await get<NotificationRequest[]>(LIST, { limit: 40, max_id });
    const rows = body.map(({ id, account, last_status: status, notifications_count: count }) => ({
      id,
      accountId: keepAccount(store, account),
      count: Number(count),
      statusId: status && keepStatus(store, status),
    }));
    return { rows, next };
  },
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("requests.title")} back />
        {data.rows.length === 0 ? (
          <div class="empty">
            <p>{t("requests.empty")}</p>
          </div>
        ) : (
          <>
            <p class="section soft">{t("requests.hint")}</p>
            <div class="feed">
              {data.rows.map((row) => (
                <RequestRow key={row.id} row={row} />
              ))}
            </div>
            <Several />
          </>
        )}
        <More next={data.next} text="requests.more" />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("requests.title"), isHidden: true }),
};

type Single = Groups & { id: string; accountId: string };

export const requestSingle: Page<Single> = {
  path: "/notifications/requests/:id(\\d+)",
  isForMembers: true,
  load: async (loading) => {
    const { get, store, place } = loading;
    const { id = "" } = place.params;
    const { body } = await get<NotificationRequest>(`${LIST}/${id}`);
    const accountId = keepAccount(store, body.account);
    const { max_id } = place.query;
    const groups = await loadGroups(loading, { account_id: accountId, max_id });
    return { ...groups, id, accountId };
  },
  View: ({ data }) => {
    const { t, store } = useApp();
    const account = store.accounts.get(data.accountId)!.value;
    return (
      <>
        <ColumnHead title={t("requests.from", { name: shownName(account) })} back />
        <div class="request alone">
          <PersonRow account={account} />
          <Decide id={data.id} account={account} />
        </div>
        <div class="feed notifications">
          {data.groups.map((group) => (
            <NotificationRow key={group.group_key} group={group} isUnread={false} />
          ))}
        </div>
        <More next={data.next} text="notify.more" />
      </>
    );
  },
  head: ({ accountId }, { t, store }) => ({
    title: t("requests.from", { name: shownName(store.accounts.get(accountId)!.value) }),
    isHidden: true,
  }),
};
