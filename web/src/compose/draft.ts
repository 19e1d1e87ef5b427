// What is being written, as plain data that survives a reload: one post, or several that become a thread.

import type { QuotePolicy, ReplyPolicy, Visibility } from "../api/visibility.ts";
import { eventBody } from "./event.ts";
import type { DraftEvent } from "./event.ts";

/** Both from -1 to 1; 0, 0 is the middle, y grows upwards. */
export type Focus = { x: number; y: number };

/** A picture, video or recording that the server has taken. */
export type DraftMedia = {
  id: string;
  type: string;
  preview: string | null;
  name: string;
  description: string;
  focus: Focus;
  /** What the server knows of the description and focus. */
  saved: string;
};

export type DraftPoll = { options: string[]; seconds: number; multiple: boolean };

export type ContentType = "text/plain" | "text/markdown";

export type Part = {
  /** Names the part in this window, and each attempt to post it (see `attemptKey`). */
  key: string;
  text: string;
  /** null: no warning is asked for. */
  warning: string | null;
  sensitive: boolean;
  media: DraftMedia[];
  poll: DraftPoll | null;
  /** undefined: in drafts that were kept before there were events. */
  event?: DraftEvent | null;
  /** What was sent last and under which key, with all that follows it: the same again is the same post. */
  attempt?: { body: string; key: string };
};

/** Why the composer is open. */
export type Purpose =
  | { kind: "new" }
  | { kind: "reply"; id: string }
  | { kind: "quote"; id: string }
  | { kind: "edit"; id: string }
  | { kind: "redraft"; id: string }
  /** A post that was scheduled, and was taken back. */
  | { kind: "scheduled"; id: string }
  /** A draft of another app or browser. */
  | { kind: "draft"; id: string };

/** The copy on the server. */
export type Kept = { id: string; version: number };

export type Draft = {
  purpose: Purpose;
  parts: Part[];
  visibility: Visibility;
  /** Nobody wider may see it: a reply is for no more people than what it answers. */
  widest: Visibility;
  /** Of a post for a circle: the lists of its people. */
  lists?: string[];
  language: string;
  /** undefined: in drafts that were kept before it could be chosen. */
  contentType?: ContentType | undefined;
  quotePolicy: QuotePolicy;
  /** undefined: in drafts that were kept before it could be chosen. */
  replyPolicy?: ReplyPolicy;
  inReplyTo: string | null;
  quoted: string | null;
  /** Seconds after it is posted; null: never; undefined: as `endsAt` says, or nothing is said. */
  endsAfter?: number | null | undefined;
  /** When the post that it was ends, ISO 8601. */
  endsAt?: string | null | undefined;
  /** Local time as in a field of a date: 2026-11-23T18:15; "": at once. */
  scheduledAt: string;
  /** Its author sent it, but the server could not be reached: it is sent again by itself until it is changed. */
  isWaiting?: boolean;
  kept?: Kept | undefined;
  /** It was changed since the server got it. */
  isAhead?: boolean;
  /** The text that the composer began with: alone, it is not worth keeping. */
  begin: string;
};

export const newPart = (text = ""): Part => ({
  key: crypto.randomUUID(),
  text,
  warning: null,
  sensitive: false,
  media: [],
  poll: null,
});

export const savedForm = ({ description, focus }: Pick<DraftMedia, "description" | "focus">) =>
  JSON.stringify([description, focus.x, focus.y]);

const isBlank = ({ text, warning, media, poll, event }: Part, begin: string): boolean =>
  (text.trim() === "" || text.trim() === begin.trim()) &&
  !warning?.trim() &&
  media.length === 0 &&
  !poll &&
  !event;

/** Nothing would be lost with it. */
export const isEmpty = ({ parts, begin }: Draft): boolean =>
  parts.every((part, index) => isBlank(part, index === 0 ? begin : ""));

/** Whether the server would take the part as a post, by what is in it. */
export const hasContent = (part: Part, quoted: string | null): boolean =>
  part.text.trim() !== "" ||
  Boolean(part.warning?.trim()) ||
  part.media.length > 0 ||
  Boolean(part.event) ||
  quoted !== null;

/** Where a draft is kept: answers, quotes and edits of each post apart. */
export const draftName = (purpose: Purpose): string =>
  purpose.kind === "new" ? "new" : `${purpose.kind}:${purpose.id}`;

const pollBody = ({ options, seconds, multiple }: DraftPoll) => ({
  options: options.filter((option) => option.trim() !== ""),
  expires_in: seconds,
  multiple,
});

/** Of an edit nothing is said where it stays. */
const endOf = ({ endsAfter, endsAt, purpose }: Draft) => {
  if (endsAfter !== undefined) return { expires_in: endsAfter };
  return endsAt && purpose.kind !== "edit" ? { expires_at: endsAt } : {};
};

/** As many posts as the server takes as one thread. */
export const MAX_PARTS = 20;

/** A circle is chosen for it: what answers one has no other. */
export const choosesCircle = ({ visibility, widest }: Draft): boolean =>
  visibility === "circle" && widest !== "circle";

/** How the API takes a part of a draft. */
const partBody = (draft: Draft, part: Part) => {
  const isFirst = draft.parts[0] === part;
  return {
    status: part.text,
    spoiler_text: part.warning?.trim() ?? "",
    sensitive: part.sensitive || Boolean(part.warning?.trim()),
    visibility: draft.visibility,
    language: draft.language || null,
    content_type: draft.contentType ?? null,
    quote_approval_policy: draft.quotePolicy,
    reply_approval_policy: draft.replyPolicy ?? null,
    media_ids: part.media.map(({ id }) => id),
    poll: part.poll && pollBody(part.poll),
    ...(part.event && { event: eventBody(part.event) }),
    ...endOf(draft),
    in_reply_to_id: isFirst ? draft.inReplyTo : null,
    quoted_status_id: isFirst ? draft.quoted : null,
    ...(isFirst && choosesCircle(draft) && { list_ids: draft.lists ?? [] }),
  };
};

/** As drafts are kept, and threads are posted. */
export const threadBody = (draft: Draft) => ({
  statuses: draft.parts.map((part) => partBody(draft, part)),
  scheduled_at: draft.scheduledAt ? new Date(draft.scheduledAt).toISOString() : null,
});

/** How the API takes the whole draft, and where. */
export const postOf = (draft: Draft) => {
  const { statuses, scheduled_at } = threadBody(draft);
  return statuses.length === 1
    ? { path: "/api/v1/statuses", body: { ...statuses[0], scheduled_at } }
    : { path: "/api/v1/statuses/thread", body: { statuses, scheduled_at } };
};

/** How the API takes the changes of a post. */
export const editBodyOf = (draft: Draft, part: Part) => ({
  status: part.text,
  spoiler_text: part.warning?.trim() ?? "",
  sensitive: part.sensitive || Boolean(part.warning?.trim()),
  language: draft.language || null,
  content_type: draft.contentType ?? null,
  quote_approval_policy: draft.quotePolicy,
  reply_approval_policy: draft.replyPolicy ?? null,
  ...endOf(draft),
  media_ids: part.media.map(({ id }) => id),
  media_attributes: part.media.map(({ id, description, focus }) => ({
    id,
    description,
    focus: `${focus.x},${focus.y}`,
  })),
  poll: part.poll && pollBody(part.poll),
  ...(part.event && { event: eventBody(part.event) }),
});

/** The part with the key for sending this body: the same as before where it was sent before. */
export const withAttempt = (part: Part, body: object): Part & Required<Pick<Part, "attempt">> => {
  const text = JSON.stringify(body);
  if (part.attempt?.body === text) return { ...part, attempt: part.attempt };
  return { ...part, attempt: { body: text, key: crypto.randomUUID() } };
};
