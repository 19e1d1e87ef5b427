// Describes what is added to Mastodon's API, beside routes and what is about posts, by the names of
// `configuration.rookery`.

import {
  ID,
  MAYBE_TEXT,
  TEXT,
  TIME,
  entity,
  entityRef,
  listOf,
  nullable,
  shapeOf,
} from "../../../platform/http/extension.ts";
import type { Addition } from "../../../platform/http/extension.ts";
import { GROUP_ACTIONS } from "../../reading/groups/tables.ts";

const account = entityRef("Account");

export const ADDITIONS = {
  /** Posts are found by more operators, in other forms of the words, in the order of `sort`. */
  search_operators: {},
  /** People are found by what they write about themselves. */
  search_bios: {},
  /** Searches that a person saves. */
  saved_searches: { entities: entity("SavedSearch", { id: ID, q: TEXT, created_at: TIME }) },
  /** Hours in which nothing is sent about notifications. */
  quiet_hours: {
    members: {
      "Preferences.notifying:quiet_from": MAYBE_TEXT,
      "Preferences.notifying:quiet_until": MAYBE_TEXT,
    },
  },
  /** Why a post is in one's home. */
  home_reasons: {
    entities: entity("HomeReason", {
      type: { type: "string", enum: ["own", "followed", "boosted", "hashtag"] },
      account: nullable(entityRef("Account")),
      hashtag: MAYBE_TEXT,
    }),
  },
  /** Groups. */
  groups: {
    entities: {
      ...entity("Group", {
        id: ID,
        account,
        owner: nullable(account),
        moderators: listOf(account),
        note: MAYBE_TEXT,
        rules: listOf(TEXT),
        holds_posts: { type: "boolean" },
        created_at: TIME,
        role: nullable({ type: "string", enum: ["owner", "moderator"] }),
        waiting: nullable(shapeOf({ requests: { type: "integer" }, held: { type: "integer" } })),
      }),
      ...entity("GroupPost", {
        group: account,
        state: { type: "string", enum: ["shared", "held", "removed"] },
      }),
      ...entity("GroupsWaiting", { count: { type: "integer" }, groups: { type: "integer" } }),
      ...entity("GroupAct", {
        id: ID,
        action: { type: "string", enum: [...GROUP_ACTIONS] },
        account: nullable(account),
        target: nullable(account),
        status_id: MAYBE_TEXT,
        created_at: TIME,
      }),
    },
  },
  /** Accounts of a person that are linked with each other. */
  identities: {
    entities: entity("Identity", {
      account: entityRef("Account"),
      kind: { type: "string", enum: ["identity", "owner", "author"] },
      created_at: TIME,
    }),
  },
  /** Options of a follow: without replies, or a daily limit of posts. */
  follow_options: {
    members: {
      "Relationship.showing_replies": { type: "boolean" },
      "Relationship.daily_limit": { type: ["integer", "null"] },
    },
  },
  /** Roles whose members may write longer posts. */
  role_characters: { members: { "Role.max_characters": { type: "integer" } } },
  /** Accounts that several people use. */
  shared_accounts: {
    entities: entity("SharedAccess", {
      id: ID,
      account: entityRef("Account"),
      role: { type: "string", enum: ["owner", "author"] },
      created_at: TIME,
      accepted_at: nullable(TIME),
    }),
  },
  /** How much waits for a decision of the staff. */
  staff_waiting: { entities: entity("StaffWaiting", { count: { type: "integer" } }) },
} satisfies Record<string, Addition>;
