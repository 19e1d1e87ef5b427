// Presents what an author wrote to the author alone (held, deleted and scheduled posts, circles, sources, previews),
// and the versions of a status.

import type { HeldPost } from "./held-posts.ts";
import type { FullConfig } from "../../../platform/config/config.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { PLAIN, readWritten } from "../../../platform/text/written.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import { emojiEntity } from "../../base/emojis/present.ts";
import { mediaEntity } from "../../base/media/present.ts";
import type { MediaView } from "../../base/media/tables.ts";
import { tagUrl } from "../tags/present.ts";
import type { WrittenFor } from "./circle.ts";
import type { ScheduledRow } from "./queries-scheduled.ts";
import type { SeenStatus, StatusEditRow, StatusView } from "./tables.ts";
import { rewrittenMembers } from "./visibility.ts";
import { mediaOf, quoteEntity, statusEntity } from "./present.ts";
import type { Site } from "./present.ts";

/** Makes the entity of a held post, which is shown to the author alone. */
export const heldEntity = ({ id, createdAt, text, spoilerText, statusId }: HeldPost) => ({
  id,
  created_at: createdAt.toISOString(),
  text,
  spoiler_text: spoilerText,
  edited_status_id: statusId,
});

/** Makes the response to a deletion, the only entity with the text as it was written. */
export const deletedStatusEntity = (view: SeenStatus, site: Site) => {
  const { content: _content, ...rest } = statusEntity(view, site);
  return {
    ...rest,
    ...rewrittenMembers(view),
    text: view.text,
    content_type: view.content_type ?? PLAIN,
  };
};

/** Makes the entity of a circle, which is shown to the author alone. */
export const circleEntity = ({ lists, accounts }: WrittenFor, site: Site) => ({
  lists,
  accounts: accounts.map((account) => accountEntity(account, site)),
});

export const sourceEntity = (view: SeenStatus) => ({
  id: view.id,
  text: view.text,
  spoiler_text: view.spoiler_text,
  content_type: view.content_type ?? PLAIN,
});

/** Presents a text that is not posted yet. */
export const previewEntity = ({ content, emojis }: Pick<StatusView, "content" | "emojis">) => ({
  content,
  emojis: emojis.map(emojiEntity),
});

/**
 * Renders a local version again from its text, with mentions as plain text: clients know it so (test/golden,
 * status/history), and a version does not store who was mentioned.
 */
const editContent = (edit: StatusEditRow, view: StatusView, site: Site): string =>
  view.local
    ? readWritten(edit.text, edit.content_type).html({
        mentions: new Map(),
        tagUrl: (name) => tagUrl(site, name),
      })
    : edit.content;

const editEntity = (edit: StatusEditRow, view: StatusView, site: Site) => ({
  content: editContent(edit, view, site),
  spoiler_text: edit.spoiler_text,
  sensitive: edit.sensitive,
  created_at: isoTime(edit.created_at),
  account: accountEntity(view.account, site),
  ...(edit.poll_options && { poll: { options: edit.poll_options.map((title) => ({ title })) } }),
  media_attachments: mediaOf(view, edit.media, site),
  emojis: edit.emojis.map(emojiEntity),
  // The quote is the same in all versions.
  quote: quoteEntity(view, site, "shallow"),
});

/** Returns every version, oldest first; the last is the current one. */
export const historyEntities = (view: SeenStatus, edits: StatusEditRow[], site: Site) => {
  const present = editEntity(
    {
      ...view,
      poll_options: view.poll?.options ?? null,
      created_at: view.edited_at ?? view.created_at,
    },
    view,
    site,
  );
  return [...edits.map((edit) => editEntity(edit, view, site)), present];
};

const wholeNumber = (id: string | null): number | null =>
  id !== null && Number.isSafeInteger(Number(id)) ? Number(id) : null;

/** `params` are what was sent; absent ones are null, except for the visibility, which is the one that it will have. */
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
    ...(draft.event && { event: draft.event }),
    media_ids: draft.media_ids?.length ? draft.media_ids : null,
    sensitive: draft.sensitive ?? null,
    spoiler_text: draft.spoiler_text ?? null,
    // Rows of an earlier version have no visibility; apps need one, and this is not too wide.
    ...rewrittenMembers({ visibility: draft.visibility ?? "private" }),
    language: draft.language ?? null,
    in_reply_to_id: draft.in_reply_to_id ?? null,
    quoted_status_id: draft.quoted_status_id ?? null,
    quote_approval_policy: draft.quote_approval_policy ?? null,
    ...(draft.reply_approval_policy && { reply_approval_policy: draft.reply_approval_policy }),
    ...(draft.list_ids?.length && { list_ids: draft.list_ids }),
    ...(draft.content_type && { content_type: draft.content_type }),
    allowed_mentions: draft.allowed_mentions ?? null,
    ...(draft.thread && { thread: draft.thread }),
    ...(draft.reblog_of_id && { reblog_of_id: draft.reblog_of_id }),
    ...(draft.expires_in && { expires_in: draft.expires_in }),
    ...(draft.expires_at && { expires_at: draft.expires_at }),
    application_id: wholeNumber(app_id),
    scheduled_at: null,
    idempotency: null,
    with_rate_limit: false,
  },
  media_attachments: (media.get(id) ?? []).map((attachment) => mediaEntity(attachment, site)),
});
