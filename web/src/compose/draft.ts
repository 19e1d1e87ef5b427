// A draft as plain data that survives a reload: one post, or several that become a thread.

import { countCharacters } from "./count.ts";
import { newId } from "../api/new-id.ts";
import type { QuotePolicy, ReplyPolicy, Visibility } from "../api/visibility.ts";
import type { Key } from "../texts/texts.ts";
import { eventBody } from "./event.ts";
import type { DraftEvent } from "./event.ts";

/** Both from -1 to 1; 0, 0 is the middle, and y grows upwards. */
export type Focus = { x: number; y: number };

/** A picture, video or recording that the server has accepted. */
export type DraftMedia = {
  id: string;
  type: string;
  preview: string | null;
  name: string;
  description: string;
  focus: Focus;
  /** Description and focus as the server has them. */
  saved: string;
};

export type DraftPoll = { options: string[]; seconds: number; multiple: boolean };

export type ContentType = "text/plain" | "text/markdown";

/**
 * What was sent last and its idempotency key: the same content again is the same post. So is other content until the
 * server has answered, as what was sent before may have arrived.
 */
export type Attempt = { body: string; key: string; isOther: boolean };

export type Part = {
  /** Identifies the part in this window, and each attempt to post it (see `attemptKey`). */
  key: string;
  text: string;
  /** Null when no warning is wanted. */
  warning: string | null;
  sensitive: boolean;
  media: DraftMedia[];
  poll: DraftPoll | null;
  /** Undefined in drafts that were kept before there were events. */
  event?: DraftEvent | null;
  attempt?: Attempt | undefined;
};

/** Why the composer is open. */
export type Purpose =
  | { kind: "new" }
  | { kind: "reply"; id: string }
  | { kind: "quote"; id: string }
  | { kind: "edit"; id: string }
  | { kind: "redraft"; id: string }
  /** A scheduled post that was taken back. */
  | { kind: "scheduled"; id: string }
  /** A draft of another app or browser. */
  | { kind: "draft"; id: string };

/** The copy on the server. */
export type Kept = { id: string; version: number };

export type Draft = {
  purpose: Purpose;
  parts: Part[];
  visibility: Visibility;
  /** The widest visibility allowed: a reply is for no more people than what it replies to. */
  widest: Visibility;
  /** Lists of the people of a post for a circle. */
  lists?: string[];
  language: string;
  /** Undefined in drafts that were kept before it could be chosen. */
  contentType?: ContentType | undefined;
  quotePolicy: QuotePolicy;
  /** Undefined in drafts that were kept before it could be chosen. */
  replyPolicy?: ReplyPolicy;
  inReplyTo: string | null;
  quoted: string | null;
  /** Seconds after posting; null for never; undefined: as `endsAt` says, or unspecified. */
  endsAfter?: number | null | undefined;
  /** When the edited post ends, in ISO 8601. */
  endsAt?: string | null | undefined;
  /** Local time as in a date field, 2026-11-23T18:15; "" for at once. */
  scheduledAt: string;
  /**
   * True when the author sent it, but the server could not be reached: it is sent again until it is posted, refused, or
   * opened to be changed.
   */
  isWaiting?: boolean;
  kept?: Kept | undefined;
  /** True when it was changed since the server got it. */
  isAhead?: boolean;
  /** The text that the composer began with; alone, it is not worth keeping. */
  begin: string;
};

export const newPart = (text = ""): Part => ({
  key: newId(),
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

/** Whether nothing would be lost with the draft: what was sent is never nothing. */
export const isEmpty = ({ parts, begin, isWaiting }: Draft): boolean =>
  !isWaiting && parts.every((part, index) => isBlank(part, index === 0 ? begin : ""));

/** Whether the part has enough content for the server to accept it as a post. */
export const hasContent = (part: Part, quoted: string | null): boolean =>
  part.text.trim() !== "" ||
  Boolean(part.warning?.trim()) ||
  part.media.length > 0 ||
  Boolean(part.event) ||
  quoted !== null;

/** Whether it has a poll, and nothing that this is about. */
export const isWordless = (part: Part, quoted: string | null): boolean =>
  part.poll !== null && !hasContent(part, quoted);

/** Returns what the list of drafts says of each post. */
export const textsOf = (parts: readonly Part[]): string[] =>
  parts.map(({ text, warning, event }) => [warning, text, event?.name].filter(Boolean).join(" · "));

/** Returns the name of a draft: replies, quotes and edits of each post have their own. */
export const draftName = (purpose: Purpose): string =>
  purpose.kind === "new" ? "new" : `${purpose.kind}:${purpose.id}`;

const isFilled = (option: string): boolean => option.trim() !== "";

export type PollLimits = { pollCharacters: number; linkCharacters: number };

export const isTooLong = (option: string, limits: PollLimits): boolean =>
  countCharacters(option, "", limits.linkCharacters) > limits.pollCharacters;

/** Returns why the server would not accept the options; null if it would. Empty ones are not sent. */
export const pollProblemOf = ({ options }: DraftPoll, limits: PollLimits): Key | null => {
  if (options.some((option) => isTooLong(option, limits))) return "refusal.poll_long";
  const given = options.filter(isFilled).map((option) => option.trim());
  if (given.length < 2) return "refusal.poll_one";
  return new Set(given).size < given.length ? "refusal.poll_twice" : null;
};

const pollBody = ({ options, seconds, multiple }: DraftPoll) => ({
  options: options.filter(isFilled),
  expires_in: seconds,
  multiple,
});

/** Returns the end; an edit that keeps it sends nothing. */
const endOf = ({ endsAfter, endsAt, purpose }: Draft) => {
  if (endsAfter !== undefined) return { expires_in: endsAfter };
  return endsAt && purpose.kind !== "edit" ? { expires_at: endsAt } : {};
};

/** Posts that the server accepts as one thread. */
export const MAX_PARTS = 20;

/** Whether a circle is chosen for the draft; a reply to one has its circle. */
export const choosesCircle = ({ visibility, widest }: Draft): boolean =>
  visibility === "circle" && widest !== "circle";

/** Returns a part of a draft as the API takes it. */
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

/** Returns a draft as drafts are kept and threads are posted. */
export const threadBody = (draft: Draft) => ({
  statuses: draft.parts.map((part) => partBody(draft, part)),
  scheduled_at: draft.scheduledAt ? new Date(draft.scheduledAt).toISOString() : null,
});

/** Returns the whole draft as the API takes it, and the path. */
export const postOf = (draft: Draft) => {
  const { statuses, scheduled_at } = threadBody(draft);
  return statuses.length === 1
    ? { path: "/api/v1/statuses", body: { ...statuses[0], scheduled_at } }
    : { path: "/api/v1/statuses/thread", body: { statuses, scheduled_at } };
};

/** Returns the changes of a post as the API takes them. */
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

/**
 * Returns the part with the key for sending this body: the same as before if the body was sent before, or if nobody
 * knows what became of another one, which may be the post already.
 */
export const withAttempt = (part: Part, body: object): Part & { attempt: Attempt } => {
  const text = JSON.stringify(body);
  const { attempt } = part;
  if (attempt?.body === text) return { ...part, attempt };
  const isOther = attempt !== undefined;
  return { ...part, attempt: { body: text, key: attempt?.key ?? newId(), isOther } };
};
