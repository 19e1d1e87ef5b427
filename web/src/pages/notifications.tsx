// The page of notifications: what others did, grouped, newest first; and choices about them.

import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { fresh } from "../store/fresh.ts";
import { ACT_FORM } from "../elements/act-button.tsx";
import { Empty } from "../views/empty.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { Icon } from "../elements/icons.tsx";
import { Pager } from "../elements/pager.tsx";
import { Parts } from "../elements/parts.tsx";
import { Tabs } from "../elements/tabs.tsx";
import { NotificationRow } from "../views/notification.tsx";
import { isStaff } from "../api/staff.ts";
import {
  KINDS,
  isKind,
  isKnown,
  isNewer,
  loadGroups,
  loadLastRead,
  loadMissing,
  loadPolicy,
} from "../store/notifications.ts";
import type { Kind, NotificationsData } from "../store/notifications.ts";
import type { Page } from "./page.ts";

const pathOf = (kind: Kind | null): string =>
  kind ? `/notifications?kind=${kind}` : "/notifications";

const Kinds = ({ kind }: { kind: Kind | null }) => {
  const { t, me } = useApp();
  const staff = isStaff(me?.role?.permissions);
  const shown = (Object.keys(KINDS) as Kind[]).filter(
    (each) => staff || !each.startsWith("admin."),
  );
  const tabs = [
    { path: pathOf(null), text: "notify.all" as const },
    ...shown.map((each) => ({ path: pathOf(each), text: `notify.kind.${each}` as const })),
  ];
  return <Tabs label={t("notify.filter")} tabs={tabs} shown={pathOf(kind)} />;
};

const Waiting = ({ data }: { data: NotificationsData }) => {
  const { t } = useApp();
  const count = data.waiting.pending_requests_count;
  if (data.kind !== null || count === 0) return null;
  return (
    <a class="waiting" href="/notifications/requests">
      <Icon name="shield" />
      <span>
        <strong>{t("requests.title")}</strong>
        <span class="soft">{t("requests.waiting", { count })}</span>
      </span>
      <Icon name="forward" />
    </a>
  );
};

/** Draws a button that marks all as read; with scripts, seen ones are marked automatically. */
const MarkRead = ({ data }: { data: NotificationsData }) => {
  const { t, store } = useApp();
  const newest = data.groups[0]?.most_recent_notification_id;
  if (store.unread.value === 0 || newest === undefined || data.kind) return null;
  return (
    <button
      class="icon-button"
      form={ACT_FORM}
      formAction="/web/act/markers"
      name="notifications[last_read_id]"
      value={String(newest)}
      data-act="read"
      data-kind="notifications"
      data-id={String(newest)}
      aria-label={t("notify.mark_read")}
      title={t("notify.mark_read")}
    >
      <Icon name="check" />
    </button>
  );
};

const Head = ({ data }: { data: NotificationsData }) => {
  const { t } = useApp();
  return (
    <ColumnHead title={t("notify.title")}>
      <MarkRead data={data} />
      <a
        class="icon-button"
        href="/notifications/settings"
        aria-label={t("notify.settings")}
        title={t("notify.settings")}
      >
        <Icon name="sliders" />
      </a>
    </ColumnHead>
  );
};

const paramsOf = (kind: Kind | null) => (kind ? { types: KINDS[kind] } : {});

/** Says above the list that new notifications wait until the reader wants them. */
const Fresh = ({ data, onShown }: { data: NotificationsData; onShown: () => void }) => {
  const app = useApp();
  const count = fresh.value;
  if (count === 0) return null;
  const show = async () => {
    const { groups, next } = await loadGroups(app, paramsOf(data.kind));
    data.lastRead = await loadLastRead(app.get);
    Object.assign(data, { groups, next, since: 0 });
    fresh.value = 0;
    onShown();
    window.scrollTo(0, 0);
  };
  return (
    <button class="fresh" type="button" onClick={() => void show()}>
      {app.t("notify.show_new", { count })}
    </button>
  );
};

const List = ({ data, onMore }: { data: NotificationsData; onMore: () => void }) => {
  const app = useApp();
  const { t } = app;
  const load = async (): Promise<void> => {
    const { groups, next } = await loadGroups(app, { ...paramsOf(data.kind), ...data.next });
    const known = new Set(data.groups.map(({ group_key: key }) => key));
    data.groups = [...data.groups, ...groups.filter(({ group_key: key }) => !known.has(key))];
    data.next = next;
    onMore();
  };
  const groupsBy = new Map(data.groups.map((group) => [group.group_key, group]));
  const missing = {
    has: (key: string) => !isKnown(app.store, groupsBy.get(key)!),
    load: (keys: string[]) => loadMissing(app, data, keys).then(onMore),
  };
  const rows = data.groups.map((group) => (
    <NotificationRow
      key={group.group_key}
      group={group}
      isUnread={isNewer(group.most_recent_notification_id, data.lastRead)}
    />
  ));
  return (
    <>
      <div class="feed notifications" role="feed" aria-label={t("notify.title")}>
        <Parts of={data} entries={rows} missing={missing} />
      </div>
      {data.next && <Pager next={data.next} label={t("notify.more")} load={load} />}
    </>
  );
};

export const notifications: Page<NotificationsData> = {
  path: "/notifications",
  isForMembers: true,
  load: async ({ get, store, place }) => {
    const { kind: name, max_id: from } = place.query;
    const kind = isKind(name) ? name : null;
    const [groups, lastRead, policy] = await Promise.all([
      loadGroups({ get, store }, { ...paramsOf(kind), max_id: from }),
      loadLastRead(get),
      loadPolicy(get),
    ]);
    return { ...groups, kind, lastRead, waiting: policy.summary };
  },
  View: ({ data }) => {
    const { t } = useApp();
    const [, setCount] = useState(0);
    const redraw = () => setCount((count) => count + 1);
    useEffect(() => {
      fresh.value = data.since ?? 0;
    }, [data]);
    return (
      <div class="notifications-page">
        <Head data={data} />
        <Kinds kind={data.kind} />
        <Waiting data={data} />
        <Fresh data={data} onShown={redraw} />
        {data.groups.length === 0 ? (
          <Empty
            text={t(data.kind ? "notify.empty_kind" : "notify.empty")}
            next={
              data.kind
                ? { href: "/notifications", text: "empty.all_notifications" }
                : { href: "/welcome", text: "home.find_people" }
            }
          />
        ) : (
          <List data={data} onMore={redraw} />
        )}
      </div>
    );
  },
  head: (_data, { t }) => ({ title: t("notify.title"), isHidden: true }),
};
