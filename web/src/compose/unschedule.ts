// Takes a scheduled post back to be written on: it becomes a draft first, so that nothing is lost on the way.

import type { ScheduledStatus } from "../api/entities.ts";
import type { App } from "../app.ts";
import { scheduledVisibility } from "../api/visibility.ts";
import { asLocal } from "../text/local-time.ts";
import { draftMedia, blank } from "./begin.ts";
import type { Draft, DraftPoll, Purpose } from "./draft.ts";
import { openDrafts } from "./drafts.ts";
import { openComposer } from "./open.ts";

const pollOf = ({ poll }: ScheduledStatus["params"]): DraftPoll | null =>
  poll && {
    options: poll.options,
    seconds: Number(poll.expires_in),
    multiple: poll.multiple ?? false,
  };

const quotePolicyOf = (policy: string | null | undefined, usual: Draft["quotePolicy"]) =>
  policy === "public" || policy === "followers" || policy === "nobody" ? policy : usual;

const draftOf = (app: App, purpose: Purpose, scheduled: ScheduledStatus): Draft => {
  const { params, media_attachments, scheduled_at } = scheduled;
  const draft = blank(app, purpose, "");
  const part = {
    ...draft.parts[0]!,
    text: params.text,
    warning: params.spoiler_text || null,
    sensitive: params.sensitive ?? false,
    media: media_attachments.map((media) => draftMedia(media)),
    poll: pollOf(params),
  };
  return {
    ...draft,
    parts: [part],
    visibility: scheduledVisibility(params, draft.visibility),
    language: params.language ?? draft.language,
    contentType: params.content_type ?? draft.contentType,
    quotePolicy: quotePolicyOf(params.quote_approval_policy, draft.quotePolicy),
    replyPolicy: params.reply_approval_policy ?? draft.replyPolicy ?? "public",
    ...(params.expires_in && { endsAfter: params.expires_in }),
    endsAt: params.expires_at ?? null,
    inReplyTo: params.in_reply_to_id === null ? null : String(params.in_reply_to_id),
    quoted: params.quoted_status_id ?? null,
    scheduledAt: asLocal(new Date(scheduled_at)),
  };
};

/** Throws ApiError: it is still scheduled then. */
export const unschedule = async (app: App, scheduled: ScheduledStatus): Promise<void> => {
  const purpose: Purpose = { kind: "scheduled", id: scheduled.id };
  const drafts = openDrafts(localStorage, app.me!.id);
  drafts.keep(draftOf(app, purpose, scheduled));
  try {
    await app.send("DELETE", `/api/v1/scheduled_statuses/${scheduled.id}`);
  } catch (error) {
    drafts.forget(purpose);
    throw error;
  }
  openComposer({ purpose });
};
