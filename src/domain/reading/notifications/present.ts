// Presents notification views as the JSON entity. https://docs.joinmastodon.org/entities/Notification/

import type { FullConfig } from "../../../platform/config/config.ts";
import { listParts, ownBytesOfAll } from "../../../platform/http/json-bytes.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { accountEntity, accountJson } from "../../people/accounts/present.ts";
import { collectionEntity } from "../../people/collections/present.ts";
import { reportEntity } from "../reports/present.ts";
import { severanceEntity } from "../severed-relationships/severed-relationships.ts";
import { statusEntity } from "../../posts/statuses/present.ts";
import { appendStatus } from "../../posts/statuses/present-bytes.ts";
import { warningEntity } from "../strikes/present.ts";
import type { FallbackOf } from "./fallbacks.ts";
import { REACTION_TYPE } from "./tables.ts";
import type {
  ListedRow,
  ListedView,
  NotificationRow,
  NotificationView,
  SubjectView,
} from "./tables.ts";

type Site = FullConfig["site"];

/** The form in which the app gets a list. */
export type ListShape = { site: Site; fallbackOf: FallbackOf };

/** Returns the key of a group, or for a notification alone one made from its id. */
export const keyOf = (row: { id: string; group_key: string | null }): string =>
  row.group_key ?? `ungrouped-${row.id}`;

/** Returns the members before `account`. */
const head = (view: NotificationRow) => ({
  id: view.id,
  type: view.type,
  created_at: isoTime(view.created_at),
  group_key: keyOf(view),
  ...(view.filtered && { filtered: true }),
  // This is an extension with Pleroma's names, which apps that do not know it ignore.
  ...(view.reaction && { emoji: view.reaction.name }),
  ...(view.reaction?.emoji && { emoji_url: view.reaction.emoji.url }),
});

type Fallback = ReturnType<FallbackOf>;

/** Returns the members after `status`: each type has one at most, beside the fallback. */
const subjectMembers = (
  view: SubjectView & Pick<NotificationRow, "type" | "subject_id">,
  site: Site,
  fallback: Fallback,
) => ({
  ...(view.report && { report: reportEntity(view.report, site) }),
  ...(view.collection && { collection: collectionEntity(view.collection, site) }),
  ...(view.warning && { moderation_warning: warningEntity(view.warning, site) }),
  ...(view.severance && { event: severanceEntity(view.severance) }),
  ...(view.type === "annual_report" && { annual_report: { year: view.subject_id } }),
  ...(fallback && { fallback }),
});

/** Returns the JSON of the members after `status`, up to the end of the entity; some subjects have none. */
export const subjectJson = (...subject: Parameters<typeof subjectMembers>): string => {
  const rest = JSON.stringify(subjectMembers(...subject));
  return rest === "{}" ? "}" : `,${rest.slice(1)}`;
};

export const notificationEntity = (
  view: NotificationView,
  site: Site,
  fallback: Fallback = null,
) => ({
  ...head(view),
  account: accountEntity(view.account, site),
  ...(view.status && { status: statusEntity(view.status, site) }),
  ...subjectMembers(view, site, fallback),
});

/** Returns the JSON before the account, which never changes. */
const startOf = (row: NotificationRow, type: string): string =>
  `${JSON.stringify({ ...head(row), type }).slice(0, -1)},"account":`;

/** Reduces rows to what lists need; reactions have the type for apps that know it, or are favourites. */
export const listedRows = (rows: NotificationRow[], knowsReactions: boolean): ListedRow[] => {
  const starts = ownBytesOfAll(
    rows.map((row) => startOf(row, knowsReactions && row.reaction ? REACTION_TYPE : row.type)),
  );
  return rows.map(({ id, type, from_account_id, status_id, subject_id }, n) => {
    return { id, type, from_account_id, status_id, subject_id, start: starts[n]! };
  });
};

const STATUS = Buffer.from(',"status":');
const END = Buffer.from("}");

const notificationParts = (view: ListedView, { site, fallbackOf }: ListShape, parts: Buffer[]) => {
  parts.push(view.start, accountJson(view.account, site));
  if (view.status) {
    parts.push(STATUS);
    appendStatus(view.status, site, parts);
  }
  const fallback = fallbackOf(view.type, () => view.account);
  const isEnd = view.subject_id === null && !fallback;
  parts.push(isEnd ? END : Buffer.from(subjectJson(view, site, fallback)));
};

/** Returns a list of the entities as parts of its JSON, from the cached bytes of accounts and statuses. */
export const notificationListParts = (views: ListedView[], shape: ListShape): Buffer[] =>
  listParts(views, (view, parts) => notificationParts(view, shape, parts));
