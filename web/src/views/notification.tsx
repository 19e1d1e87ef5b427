// Draws a group of notifications: who did what, with their avatars, and the post that it is about.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Account, NotificationGroup } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { isAnswered } from "../compose/open.ts";
import type { StoredStatus } from "../store/store.ts";
import { Heights, useBox } from "../window/near.ts";
import { plainText } from "../text/parse-html.ts";
import type { Key, Values } from "../texts/texts.ts";
import { ActButton } from "../elements/act-button.tsx";
import { Icon } from "../elements/icons.tsx";
import type { IconName } from "../elements/icons.tsx";
import { Avatar, Name, PersonRow, profilePath, shownName } from "../elements/names.tsx";
import { FilterPlace } from "./filters.ts";
import { PostOf } from "./post.tsx";
import { postPath } from "./shown-status.ts";
import { Counted } from "./reactions.tsx";
import { Sentence } from "../elements/sentence.tsx";
import { Age } from "../elements/times.tsx";

type Type = NotificationGroup["type"];

const ICONS: Record<Type, IconName> = {
  mention: "at",
  status: "bell",
  reblog: "boost",
  follow: "person",
  follow_request: "person",
  favourite: "heart",
  poll: "poll",
  update: "pen",
  quote: "quote",
  quoted_update: "pen",
  "admin.sign_up": "people",
  "admin.report": "warning",
  severed_relationships: "link",
  moderation_warning: "shield",
  annual_report: "clock",
  added_to_collection: "list",
  collection_update: "list",
};

/** Types about somebody else's post, which can be read and replied to in place. */
const WITH_POST: ReadonlySet<Type> = new Set([
  "mention",
  "status",
  "poll",
  "update",
  "quote",
  "quoted_update",
]);

const MAX_FACES = 8;

type GroupProps = { group: NotificationGroup };

const useGroup = ({ group }: GroupProps) => {
  const { store } = useApp();
  const people = group.sample_account_ids.flatMap((id) => store.accounts.get(id)?.value ?? []);
  const status = group.status_id ? store.statuses.get(group.status_id)?.value : undefined;
  return { people, status };
};

const PersonLink = ({ account }: { account: Account }) => (
  <a href={profilePath(account)}>
    <strong>
      <Name account={account} />
    </strong>
  </a>
);

/** Texts for what several people did. */
const SEVERAL: Partial<Record<Key, Key>> = {
  "notify.favourite": "notify.favourite_several",
  "notify.reblog": "notify.reblog_several",
  "notify.follow": "notify.follow_several",
  "notify.sign_up": "notify.sign_up_several",
};

const simpleKey = (
  { type }: NotificationGroup,
  status: StoredStatus | undefined,
  isOwn: boolean,
): Key => {
  if (type === "mention" && status?.visibility === "direct") return "notify.private_mention";
  if (type === "poll" && isOwn) return "notify.own_poll";
  if (type === "admin.sign_up") return "notify.sign_up";
  if (type === "admin.report") return "notify.report";
  return type === "severed_relationships" ? "notify.severed" : `notify.${type}`;
};

/** Says who did what. */
const What = ({ group }: GroupProps) => {
  const { t, me } = useApp();
  const { people, status } = useGroup({ group });
  const [first] = people;
  const { moderation_warning: warning, event, report, notifications_count: count } = group;
  if (warning) return <>{t(`notify.moderation_warning.${warning.action}`)}</>;
  const simple = simpleKey(group, status, status?.account.id === me?.id);
  const text = count > 1 ? (SEVERAL[simple] ?? simple) : simple;
  const values: Values = { others: t("notify.others", { count: count - 1 }) };
  const elements: Record<string, ComponentChildren> = {
    name: first ? <PersonLink account={first} /> : null,
    ...(report && { target: <PersonLink account={report.target_account} /> }),
    ...(event && { target: <bdi>{event.target_name}</bdi> }),
  };
  return <Sentence text={text} values={values} elements={elements} />;
};

const Faces = ({ group }: GroupProps) => {
  const { t } = useApp();
  const { people } = useGroup({ group });
  const shown = people.slice(0, MAX_FACES);
  const rest = group.notifications_count - shown.length;
  return (
    <span class="faces">
      {shown.map((account) => (
        <span key={account.id} title={shownName(account)}>
          <Avatar account={account} size={32} />
        </span>
      ))}
      {rest > 0 && <span class="soft small">{t("notify.more_people", { count: rest })}</span>}
    </span>
  );
};

/** Draws one's own post as a line that leads to it. */
const Excerpt = ({ status }: { status: StoredStatus }) => {
  const { t } = useApp();
  const text = status.spoiler_text || plainText(status.content ?? "");
  const media = status.media_attachments.length;
  return (
    <a class="excerpt soft" href={postPath(status)} dir="auto">
      {text || t("thread.attachments", { count: media })}
    </a>
  );
};

/** Accepts or rejects somebody who asked to follow. */
const RequestActs = ({ account }: { account: Account }) => {
  const { t, store } = useApp();
  const relation = store.relationships.get(account.id)?.value;
  if (relation && !relation.requested_by) {
    return relation.followed_by ? <span class="badge">{t("notify.accepted")}</span> : null;
  }
  return (
    <span class="notification-acts">
      <ActButton
        class="button small"
        kind="follow_requests"
        id={account.id}
        act="authorize"
        label={t("words.pair", { name: t("notify.accept"), value: shownName(account) })}
      >
        {t("notify.accept")}
      </ActButton>
      <ActButton
        class="button plain small"
        kind="follow_requests"
        id={account.id}
        act="reject"
        label={t("words.pair", { name: t("notify.reject"), value: shownName(account) })}
      >
        {t("notify.reject")}
      </ActButton>
    </span>
  );
};

const Details = ({
  href,
  children,
}: {
  href: string | undefined;
  children?: ComponentChildren;
}) => {
  const { t } = useApp();
  return (
    <p class="small">
      {children} {href && <a href={href}>{t("notify.read_details")}</a>}
    </p>
  );
};

/** Returns the path of a page that authors of a shared account may not open, or nothing to them. */
const useOwners = (path: string): string | undefined => (useApp().isAuthor ? undefined : path);

const SEVERED = {
  domain_block: "notify.severed.domain",
  user_domain_block: "notify.severed.own",
  account_suspension: "notify.severed.account",
} as const;

const Severed = ({ event }: { event: NonNullable<NotificationGroup["event"]> }) => {
  const { t } = useApp();
  const href = useOwners("/settings/severed_relationships");
  const { followers_count: followers, following_count: following, target_name: target } = event;
  return (
    <Details href={href}>
      {t(SEVERED[event.type], {
        target,
        followers: t("notify.severed.followers", { count: followers }),
        following: t("notify.severed.following", { count: following }),
      })}
    </Details>
  );
};

const ReportLine = ({ report }: { report: NonNullable<NotificationGroup["report"]> }) => {
  const { t } = useApp();
  return (
    <Details href={`/admin/reports/${report.id}`}>
      {t(`notify.report.${report.category}`)}
      {report.comment && <bdi> · {report.comment}</bdi>}
    </Details>
  );
};

const Warning = ({ text }: { text: string }) => (
  <Details href={useOwners("/disputes/strikes")}>{text && <bdi>{text}</bdi>}</Details>
);

/** Draws what is said beyond the sentence. */
const More = ({ group }: GroupProps) => {
  const { people, status } = useGroup({ group });
  const [first] = people;
  const { type, event, report, moderation_warning: warning, collection } = group;
  if (event) return <Severed event={event} />;
  if (report) return <ReportLine report={report} />;
  if (warning) return <Warning text={warning.text} />;
  if (collection) return <a href={`/collections/${collection.id}`}>{collection.name}</a>;
  if (type === "follow_request" && first) return <RequestActs account={first} />;
  if (!status) return null;
  const reactions = type === "favourite" ? status.reactions : undefined;
  return (
    <>
      <Excerpt status={status} />
      {reactions && <Counted reactions={reactions} />}
    </>
  );
};

const Unread = () => {
  const { t } = useApp();
  return <span class="invisible">{t("notify.new")} </span>;
};

const timeOf = ({ latest_page_notification_at: time }: NotificationGroup): string | undefined =>
  time;

export const NotificationRow = ({ group, isUnread }: GroupProps & { isUnread: boolean }) => {
  const { people, status } = useGroup({ group });
  const row = useRef<HTMLElement>(null);
  const box = useBox(row, group.group_key);
  // What was said of a deleted post goes with it, as it does on the server.
  if (status?.isGone && !isAnswered(status)) return null;
  const isWhole = WITH_POST.has(group.type) && status !== undefined;
  const time = timeOf(group);
  const name = `notification notification-${group.type.replaceAll(/[._]/g, "-")}`;
  const what = `what-${group.group_key}`;
  const shared = {
    ref: row,
    class: `${name}${isUnread ? " unread" : ""}${isWhole ? " with-post" : ""}`,
    "data-group": group.group_key,
  };
  if (box !== null) {
    const label = people[0] && shownName(people[0]);
    return <article {...shared} aria-label={label} style={{ height: `${box}px` }} />;
  }
  return (
    <article {...shared} aria-labelledby={what}>
      <span class="notification-icon">
        <Icon name={ICONS[group.type] ?? "bell"} />
      </span>
      <div class="notification-body">
        {!isWhole && <Faces group={group} />}
        <p class="notification-what" id={what}>
          {isUnread && <Unread />}
          <What group={group} />
          {time && (
            <span class="soft small">
              {" "}
              <Age time={time} />
            </span>
          )}
        </p>
        {!isWhole && <More group={group} />}
      </div>
      {isWhole && (
        <FilterPlace value="notifications">
          <Heights.Provider value={null}>
            <PostOf id={status.id} />
          </Heights.Provider>
        </FilterPlace>
      )}
    </article>
  );
};

/** Draws a row for somebody who asked to follow. */
export const RequestRow = ({ account }: { account: Account }) => (
  <div class="request">
    <PersonRow account={account} />
    <RequestActs account={account} />
  </div>
);
