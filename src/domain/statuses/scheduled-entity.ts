// A scheduled post → its entity. https://docs.joinmastodon.org/entities/ScheduledStatus/

import type { FullConfig } from "../../platform/config/config.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { mediaEntity } from "../media/present.ts";
import type { MediaView } from "../media/tables.ts";
import type { ScheduledRow } from "./queries-scheduled.ts";

const wholeNumber = (id: string | null): number | null =>
  id !== null && Number.isSafeInteger(Number(id)) ? Number(id) : null;

/** `params` are what was sent; what was not is null. */
export const scheduledEntity = (
  { id, scheduled_at, draft, app_id }: ScheduledRow,
  media: Map<string, MediaView[]>,
  site: FullConfig["site"],
) => ({
  id,
  scheduled_at: isoTime(scheduled_at),
  params: {
    text: draft.status ?? "",
    poll: draft.poll ?? null,
    media_ids: draft.media_ids?.length ? draft.media_ids : null,
    sensitive: draft.sensitive ?? null,
    spoiler_text: draft.spoiler_text ?? null,
    visibility: draft.visibility ?? null,
    language: draft.language ?? null,
    in_reply_to_id: draft.in_reply_to_id ?? null,
    quoted_status_id: draft.quoted_status_id ?? null,
    quote_approval_policy: draft.quote_approval_policy ?? null,
    allowed_mentions: draft.allowed_mentions ?? null,
    application_id: wholeNumber(app_id),
    scheduled_at: null,
    idempotency: null,
    with_rate_limit: false,
  },
  media_attachments: (media.get(id) ?? []).map((one) => mediaEntity(one, site)),
});
