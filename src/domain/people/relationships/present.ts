// Presents relations as the Relationship entity. https://docs.joinmastodon.org/entities/Relationship/

import type { FullConfig } from "../../../platform/config/config.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { accountEntity } from "../accounts/present.ts";
import type { AccountView } from "../accounts/tables.ts";
import type { Relation } from "./tables.ts";

type Site = FullConfig["site"];

const expiry = (relation: Relation | undefined) =>
  relation?.muting_expires_at ? isoTime(relation.muting_expires_at) : null;

/** Shows the options of a request like those of a follow. */
export const relationshipEntity = (relation: Relation) => ({
  id: relation.account_id,
  following: relation.following,
  showing_reblogs: relation.show_reblogs,
  // Two extensions of the entity.
  showing_replies: relation.show_replies,
  daily_limit: relation.daily_limit,
  notifying: relation.notify,
  languages: relation.languages,
  followed_by: relation.followed_by,
  blocking: relation.blocking,
  blocked_by: relation.blocked_by,
  muting: relation.muting,
  muting_notifications: relation.muting_notifications,
  muting_expires_at: expiry(relation),
  requested: relation.requested,
  requested_by: relation.requested_by,
  domain_blocking: relation.domain_blocking,
  endorsed: relation.endorsed,
  note: relation.note,
});

/** Makes the older entity of GET /api/v1/relationships, in which a follow and a mute have their options. */
export const olderRelationshipEntity = (relation: Relation) => ({
  ...relationshipEntity(relation),
  following: relation.following && { reblogs: relation.show_reblogs },
  muting: relation.muting && { notifications: relation.muting_notifications },
});

/** Makes the entity of https://docs.joinmastodon.org/entities/Account/#MutedAccount */
export const mutedAccountEntity = (
  view: AccountView,
  relation: Relation | undefined,
  site: Site,
) => ({
  ...accountEntity(view, site),
  mute_expires_at: expiry(relation),
});
