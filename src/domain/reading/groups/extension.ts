// Describes additions to the API for groups.

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
  toPeople,
} from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";
import { GROUP_ACTIONS } from "./tables.ts";

const account = entityRef("Account");

const acts = [
  "follow_requests/{account_id}/authorize",
  "follow_requests/{account_id}/reject",
  "accounts/{account_id}/ban",
  "accounts/{account_id}/unban",
  "accounts/{account_id}/promote",
  "accounts/{account_id}/demote",
  "accounts/{account_id}/transfer",
  "statuses/{status_id}/approve",
  "statuses/{status_id}/remove",
].map((act) => [`POST /api/v1/groups/{id}/${act}`, toPeople("groups", "Empty", "404", "422")]);

export const groups: Extension = {
  name: "groups",
  routes: {
    "GET /api/v1/groups": toPeople("groups", ["Group"]),
    "GET /api/v1/groups/joined": toPeople("groups", ["Account"]),
    "POST /api/v1/groups": toPeople("groups", "Group", "422"),
    "GET /api/v1/groups/{id}": { tag: "groups", responses: { "200": "Group", "404": "Error" } },
    "PATCH /api/v1/groups/{id}": toPeople("groups", "Group", "404", "422"),
    "PUT /api/v1/groups/{id}": toPeople("groups", "Group", "404", "422"),
    "DELETE /api/v1/groups/{id}": toPeople("groups", "Empty", "404"),
    "GET /api/v1/groups/{id}/follow_requests": toPeople("groups", ["Account"], "404"),
    "GET /api/v1/groups/{id}/bans": toPeople("groups", ["Account"], "404"),
    "GET /api/v1/groups/{id}/held_statuses": toPeople("groups", ["Status"], "404"),
    "GET /api/v1/groups/{id}/acts": toPeople("groups", ["GroupAct"], "404"),
    ...Object.fromEntries(acts),
  },
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
    ...entity("GroupAct", {
      id: ID,
      action: { type: "string", enum: [...GROUP_ACTIONS] },
      account: nullable(account),
      target: nullable(account),
      status_id: MAYBE_TEXT,
      created_at: TIME,
    }),
  },
};
