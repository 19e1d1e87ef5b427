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
} from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";
import { GROUP_ACTIONS } from "./tables.ts";

const account = entityRef("Account");

export const groups: Extension = {
  name: "groups",
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
};
