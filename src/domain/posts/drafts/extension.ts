// Describes the addition to the API for drafts, which all apps of a person share.

import { ID, TIME, entity, entityRef, listOf, nullable } from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

export const drafts: Extension = {
  name: "drafts",
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
