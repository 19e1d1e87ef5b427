// Prepares the draft of a composer: a new post, a reply, a quote, an edit or a deleted post to be written anew.

import type { Circle, Poll, Status, StatusSource } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import type { App } from "../app.ts";
import { dropStatus, keepStatus } from "../store/store.ts";
import type { StoredStatus } from "../store/store.ts";
import { isOpenToAll, narrower, replyPolicyOf, visibilityOf } from "../api/visibility.ts";
import { blank, draftMedia } from "./blank.ts";
import type { Draft, DraftPoll, Part, Purpose } from "./draft.ts";
import { draftEvent } from "./event.ts";
import { mentionsOf } from "./mentions.ts";
import { openKept } from "./kept.ts";
import type { Opening } from "./open.ts";

/** Returns a post of the store, and requests it where it is missing. */
const findStatus = async ({ get, store }: App, id: string): Promise<StoredStatus> => {
  if (!store.statuses.has(id))
    keepStatus(store, (await get<Status>(`/api/v1/statuses/${id}`)).body);
  return store.statuses.get(id)!.peek();
};

const firstPart = (draft: Draft, more: Partial<Part>): Draft => ({
  ...draft,
  parts: [{ ...draft.parts[0]!, ...more }],
});

const replyDraft = async (app: App, purpose: Purpose, id: string, text = ""): Promise<Draft> => {
  const parent = await findStatus(app, id);
  const draft = blank(app, purpose, mentionsOf(parent, app.me!.acct));
  return {
    ...firstPart(draft, {
      text: draft.begin + text,
      warning: parent.spoiler_text === "" ? null : parent.spoiler_text,
    }),
    widest: visibilityOf(parent),
    visibility: narrower(visibilityOf(parent), draft.visibility),
    inReplyTo: parent.id,
  };
};

/** Returns the widest visibility for quoting one's own post that not everybody sees. */
const widestQuoting = (quoted: StoredStatus): Draft["widest"] =>
  quoted.local_only ? visibilityOf(quoted) : "private";

const quoteDraft = async (app: App, purpose: Purpose, id: string, text = ""): Promise<Draft> => {
  const quoted = await findStatus(app, id);
  const draft = blank(app, purpose, text);
  const widest = isOpenToAll(quoted) ? "public" : widestQuoting(quoted);
  return { ...draft, quoted: id, widest, visibility: narrower(widest, draft.visibility) };
};

const MIN_POLL_SECONDS = 300;
const MAX_POLL_SECONDS = 2_629_746;

/** Returns the poll as a draft; a running one keeps its end, to the second. */
const draftPoll = (poll: Poll): DraftPoll => {
  const left = poll.expires_at ? (Date.parse(poll.expires_at) - Date.now()) / 1000 : 86_400;
  const seconds = Math.min(MAX_POLL_SECONDS, Math.max(MIN_POLL_SECONDS, Math.round(left)));
  return { options: poll.options.map(({ title }) => title), seconds, multiple: poll.multiple };
};

const policyOf = ({ quote_approval: { automatic } }: StoredStatus): Draft["quotePolicy"] => {
  if (automatic.includes("public")) return "public";
  return automatic.includes("followers") ? "followers" : "nobody";
};

export const quotedId = ({ quote }: Pick<StoredStatus, "quote">): string | null => {
  if (!quote) return null;
  return "quoted_status" in quote ? (quote.quoted_status?.id ?? null) : quote.quoted_status_id;
};

/**
 * Returns the lists of a post for a circle. A reply to one has none, and goes to no others when it is written anew.
 */
const circleOf = async (app: App, status: StoredStatus): Promise<Partial<Draft>> => {
  if (!status.circle) return {};
  try {
    const { body } = await app.get<Circle>(`/api/v1/statuses/${status.id}/circle`);
    return { lists: body.lists.map(({ id }) => id) };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { widest: "circle" };
    throw error;
  }
};

/** Returns one's own post as a draft. */
const draftOfPost = async (app: App, purpose: Purpose, id: string): Promise<Draft> => {
  const [status, { body: source }] = await Promise.all([
    findStatus(app, id),
    app.get<StatusSource>(`/api/v1/statuses/${id}/source`),
  ]);
  const circle = await circleOf(app, status);
  const draft = blank(app, purpose, "");
  return {
    ...firstPart(draft, {
      text: source.text,
      warning: source.spoiler_text === "" ? null : source.spoiler_text,
      sensitive: status.sensitive && source.spoiler_text === "",
      media: status.media_attachments.map((media) => draftMedia(media)),
      poll: status.poll && draftPoll(status.poll),
      event: status.event
        ? { ...draftEvent(status.event), isPosted: purpose.kind === "edit" }
        : null,
    }),
    visibility: visibilityOf(status),
    ...circle,
    language: status.language ?? draft.language,
    contentType: source.content_type === "text/markdown" ? "text/markdown" : "text/plain",
    quotePolicy: policyOf(status),
    replyPolicy: replyPolicyOf(status),
    endsAt: status.expires_at ?? null,
    inReplyTo: status.in_reply_to_id,
    quoted: quotedId(status),
    begin: purpose.kind === "edit" ? source.text : "",
  };
};

/**
 * Returns a kept draft. What it replies to or quotes may be deleted: it can still be edited, and posting it reports the
 * fault.
 */
const keptDraft = async (app: App, purpose: Purpose & { kind: "draft" }): Promise<Draft> => {
  const draft = await openKept(app, purpose, purpose.id);
  const { inReplyTo, quoted } = draft;
  const find = (id: string | null) => (id === null ? null : findStatus(app, id).catch(() => null));
  const [parent] = await Promise.all([find(inReplyTo), find(quoted)]);
  return parent ? { ...draft, widest: visibilityOf(parent) } : draft;
};

/** Returns the draft that a composer was opened for. Throws ApiError. */
export const beginDraft = async (app: App, opening: Opening): Promise<Draft> => {
  const { purpose, text = "", inReplyTo, visibility, lists } = opening;
  if (purpose.kind === "edit" || purpose.kind === "redraft")
    return draftOfPost(app, purpose, purpose.id);
  if (purpose.kind === "draft") return keptDraft(app, purpose);
  if (purpose.kind === "reply") return replyDraft(app, purpose, purpose.id, text);
  if (purpose.kind === "quote") return quoteDraft(app, purpose, purpose.id, text);
  if (inReplyTo) return replyDraft(app, purpose, inReplyTo, text);
  const draft = blank(app, purpose, text);
  return visibility ? { ...draft, visibility, ...(lists && { lists }) } : draft;
};

/** Deletes the post that is written anew; its media stay for the new one. Throws ApiError. */
export const deleteForRedraft = async ({ send, store }: App, id: string): Promise<void> => {
  await send("DELETE", `/api/v1/statuses/${id}`);
  dropStatus(store, id);
};
