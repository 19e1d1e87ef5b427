// Makes a composer's draft from what was sent before: a scheduled post or thread that is taken back, or a draft that
// the server keeps.

import type { MediaAttachment } from "../api/entities.ts";
import type { QuotePolicy, ReplyPolicy, Visibility } from "../api/visibility.ts";
import type { App } from "../app.ts";
import { asLocal } from "../text/local-time.ts";
import { blank, draftMedia } from "./blank.ts";
import { newPart } from "./draft.ts";
import { draftEvent } from "./event.ts";
import type { SentEvent } from "./event.ts";
import type { ContentType, Draft, DraftPoll, Part, Purpose } from "./draft.ts";

type SentPoll = {
  options?: string[] | null;
  expires_in?: number | string | null;
  multiple?: boolean | null;
};

/** A post as it was sent; parts that were not sent may be missing. */
export type SentStatus = {
  status?: string | null;
  spoiler_text?: string | null;
  sensitive?: boolean | null;
  visibility?: Visibility | null;
  language?: string | null;
  content_type?: ContentType | null;
  media_ids?: string[] | null;
  poll?: SentPoll | null;
  event?: SentEvent | null;
  in_reply_to_id?: string | number | null;
  quoted_status_id?: string | null;
  quote_approval_policy?: string | null;
  reply_approval_policy?: ReplyPolicy | null;
  list_ids?: string[] | null;
  expires_in?: number | null;
  expires_at?: string | null;
};

export type Sent = {
  statuses: SentStatus[];
  scheduled_at: string | null;
  media_attachments: MediaAttachment[];
};

const DAY_SECONDS = 86_400;

const pollOf = ({ options, expires_in: seconds, multiple }: SentPoll): DraftPoll => ({
  options: options?.length ? options : ["", ""],
  seconds: Number(seconds ?? DAY_SECONDS),
  multiple: multiple ?? false,
});

const partOf = (status: SentStatus, media: MediaAttachment[]): Part => ({
  ...newPart(status.status ?? ""),
  warning: status.spoiler_text || null,
  sensitive: (status.sensitive ?? false) && !status.spoiler_text,
  media: (status.media_ids ?? []).flatMap((id) => {
    const attached = media.find((each) => each.id === id);
    return attached ? [draftMedia(attached)] : [];
  }),
  poll: status.poll ? pollOf(status.poll) : null,
  event: status.event ? draftEvent(status.event) : null,
});

const quotePolicyOf = (policy: string | null | undefined, usual: QuotePolicy): QuotePolicy =>
  policy === "public" || policy === "followers" || policy === "nobody" ? policy : usual;

/** Returns the lists of a post for a circle; a reply to one goes to no others. */
const circleOf = ({ visibility, list_ids: lists, in_reply_to_id: parentId }: SentStatus) => {
  if (visibility !== "circle") return {};
  if (lists?.length || parentId == null) return { lists: lists ?? [] };
  return { widest: "circle" as const };
};

/** Restores a draft; visibility and subject come from its first post. */
export const restored = (app: App, purpose: Purpose, sent: Sent): Draft => {
  const draft = blank(app, purpose, "");
  const first = sent.statuses[0] ?? {};
  const { in_reply_to_id: inReplyTo, expires_in: endsAfter } = first;
  return {
    ...draft,
    parts: sent.statuses.map((status) => partOf(status, sent.media_attachments)),
    visibility: first.visibility ?? draft.visibility,
    ...circleOf(first),
    language: first.language ?? draft.language,
    contentType: first.content_type ?? draft.contentType,
    quotePolicy: quotePolicyOf(first.quote_approval_policy, draft.quotePolicy),
    replyPolicy: first.reply_approval_policy ?? draft.replyPolicy ?? "public",
    ...(endsAfter && { endsAfter }),
    endsAt: first.expires_at ?? null,
    inReplyTo: inReplyTo == null ? null : String(inReplyTo),
    quoted: first.quoted_status_id ?? null,
    scheduledAt: sent.scheduled_at ? asLocal(new Date(sent.scheduled_at)) : "",
  };
};
