// Describes the addition to the API for drafts, which all apps of a person share.

import {
  ID,
  TIME,
  entity,
  entityRef,
  listOf,
  nullable,
  toPeople,
} from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

export const drafts: Extension = {
  name: "drafts",
  routes: {
    "GET /api/v1/drafts": toPeople("statuses", ["Draft"]),
    "POST /api/v1/drafts": toPeople("statuses", "Draft", "422"),
    "GET /api/v1/drafts/{id}": toPeople("statuses", "Draft", "404"),
    "PUT /api/v1/drafts/{id}": toPeople("statuses", "Draft", "404", "409", "422"),
    "DELETE /api/v1/drafts/{id}": toPeople("statuses", "Empty", "404"),
  },
  entities: entity("Draft", {
    id: ID,
    version: { type: "integer" },
    statuses: listOf({ type: "object" }),
    scheduled_at: nullable(TIME),
    media_attachments: listOf(entityRef("MediaAttachment")),
    created_at: TIME,
    updated_at: TIME,
  }),
};
