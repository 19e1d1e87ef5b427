// Writes an edit of a status, by its author or from its server, within a transaction: the version before, the text,
// mentions, tags, links, media, poll, quote and policies.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import { STATUS_LIMITS } from "../../../platform/remote-limits.ts";
import {
  attachOwn,
  changeMedia,
  changesMedia,
  refocusRemote,
  replaceRemoteMedia,
} from "../../base/media/attach.ts";
import type { NewRemoteMedia } from "../../base/media/tables.ts";
import { retagStatus } from "../tags/use.ts";
import { changesEvent } from "../events/rules.ts";
import { setEvents } from "../events/set.ts";
import { changePoll, recountPoll } from "../polls/add.ts";
import { changesPoll } from "../polls/rules.ts";
import { dropQuote, endQuoteWithin } from "./approve.ts";
import { addQuotes, tagRows } from "./create.ts";
import type { StatusChange } from "./new-status.ts";
import "./events.ts";
import { linkHashes, replaceLinks } from "./links.ts";
import { getAsServer } from "./load.ts";
import type { ParsedQuote } from "./parse-note.ts";
import { updateInteractions, updatePolicy, updateQuote } from "./queries-approvals.ts";
import type { NewMention } from "./queries-write.ts";
import { insertEdit, lockStatus, replaceMentions, updateStatus } from "./queries-edit.ts";
import { replyBits, policyBits } from "./rules.ts";
import { screenEdit } from "./screen-edit.ts";
import type { Stopped } from "./spam-check.ts";
import type { StatusView } from "./tables.ts";
import { isCircle, taggedFor, visibilityFacts } from "./visibility.ts";

type Remote = NonNullable<StatusChange["remote"]>;

const requote = async (app: App, tx: Tx, view: StatusView, parsed: ParsedQuote | null) => {
  await dropQuote(tx, view.id);
  if (!parsed) return;
  const { uri: quotedUri, legacy, approvalUri } = parsed;
  const none = { quotedStatusId: null, quotedAccountId: null, accepted: false, depth: 0 };
  const quote = { ...none, quotedUri, legacy, approvalUri };
  await addQuotes(app, tx, [
    { statusId: view.id, accountId: view.account_id, local: false, quote },
  ]);
};

/** Changes the quote: it may be another or none, or have got (or lost) its authorization. */
const changeQuote = async (
  app: App,
  tx: Tx,
  view: StatusView,
  { quote: parsed, quotesLocal }: Remote,
): Promise<void> => {
  const { id: statusId, quote } = view;
  if (!quote && !parsed) return;
  // A server that knows that the quote has ended leaves it out; the stored state stays.
  if (!parsed && (quote?.state === "revoked" || quote?.state === "rejected")) return;
  if (!quote || quote.quoted_uri !== parsed?.uri) return requote(app, tx, view, parsed);
  const { approvalUri } = parsed;
  if (quote.state === "accepted") {
    // Only the quoted local author takes the approval back.
    const isLost = quote.approval_uri !== null && approvalUri === null;
    if (isLost && !quotesLocal) await endQuoteWithin(app, tx, statusId, "revoked");
  } else if (approvalUri !== null && quote.state === "pending") {
    const { state, quoted_status_id, quoted_account_id } = quote;
    const change = { state, quoted_status_id, quoted_account_id, approval_uri: approvalUri };
    await updateQuote(tx, statusId, change);
    await app.jobs.add(tx, "quote.check", { statusId, depth: 0 });
  }
};

/** Changes what is no edit of a remote status: its quote, who may do what with it, and the focus of its pictures. */
const changeRemote = async (
  app: App,
  tx: Tx,
  view: StatusView,
  { media, remote }: StatusChange,
): Promise<void> => {
  if (media && sameFiles(view, media)) await refocusRemote(tx, view.media, media);
  if (!remote) return;
  const { quotePolicy, interactionPolicy } = remote;
  await changeQuote(app, tx, view, remote);
  if (quotePolicy !== view.quote_policy) await updatePolicy(tx, view.id, quotePolicy);
  if (interactionPolicy !== view.interaction_policy) {
    await updateInteractions(tx, view.id, interactionPolicy);
  }
};

/** Returns whether the time at which it ends changed. */
const setEnd = async (tx: Tx, view: StatusView, at: Date | null | undefined): Promise<boolean> => {
  if (at === undefined || at?.getTime() === view.expires_at?.getTime()) return false;
  await updateStatus(tx, view.id, { expires_at: at });
  return true;
};

type Terms = Pick<StatusChange, "quotePolicy" | "replyPolicy" | "expiresAt">;

/**
 * Sets who may quote and reply to a local status, and when it ends. A post that not everybody may see is quoted by its
 * author alone.
 */
export const setTerms = async (
  app: App,
  tx: Tx,
  view: StatusView,
  { quotePolicy, replyPolicy, expiresAt }: Terms,
): Promise<void> => {
  const quotes =
    quotePolicy !== undefined && (await updatePolicy(tx, view.id, policyBits(quotePolicy, view)));
  const replies =
    replyPolicy !== undefined && (await updateInteractions(tx, view.id, replyBits(replyPolicy)));
  const ends = await setEnd(tx, view, expiresAt);
  if (view.local && (quotes || replies || ends))
    await app.jobs.add(tx, "quote.policy_changed", { statusId: view.id });
};

/** Returns whether the files and descriptions are the same, according to their server. */
const sameFiles = ({ media }: StatusView, fresh: NewRemoteMedia[]): boolean =>
  media.length === fresh.length &&
  media.every((old, index) => {
    const now = fresh[index]!;
    return (old.remote_url ?? old.url) === now.url && old.description === now.description;
  });

const sameUploads = ({ media }: StatusView, { uploads }: StatusChange): boolean =>
  uploads === undefined ||
  (uploads.ids.length === media.length &&
    media.every((file, n) => {
      const change = uploads.changes.get(file.id);
      return file.id === uploads.ids[n] && !(change && changesMedia(file, change));
    }));

const isSame = (before: StatusView, change: StatusChange): boolean =>
  before.text === change.text &&
  before.content_type === change.contentType &&
  before.content === change.content &&
  before.spoiler_text === change.spoilerText &&
  before.sensitive === change.sensitive &&
  before.language === change.language &&
  (change.media === null || sameFiles(before, change.media)) &&
  sameUploads(before, change) &&
  !changesPoll(before.poll, change.poll) &&
  !changesEvent(before.event, change.event);

/**
 * Keeps people who are no longer mentioned as silent mentions: their server has the first text, and gets later changes.
 * For remote posts the addressing alone decides who sees them, except for replies to a circle, which keep its people.
 */
const mentionsAfter = (before: StatusView, change: StatusChange): NewMention[] => {
  const { local, mentions } = before;
  const isInCircle = isCircle(before);
  if (!local && !isInCircle) return change.mentions;
  const named = new Set(change.mentions.map(({ accountId }) => accountId));
  const others = mentions.filter(({ id }) => !named.has(id));
  const former = isInCircle ? others : others.slice(0, STATUS_LIMITS.mentions);
  return [...change.mentions, ...former.map(({ id }) => ({ accountId: id, silent: true }))];
};

const write = async (app: App, tx: Tx, before: StatusView, change: StatusChange) => {
  await insertEdit(tx, before.id);
  // Cached pages that are filtered by language or media may gain or lose the post.
  invalidate(tx, `account:${before.account_id}`);
  const hasMedia = (change.media ?? change.uploads?.ids ?? before.media).length > 0;
  const links = linkHashes(
    {
      ...visibilityFacts(before),
      content: change.content,
      hasMedia,
      hasQuote: before.quote !== null,
    },
    app.config.site,
  );
  await updateStatus(tx, before.id, {
    text: change.text,
    content_type: change.contentType,
    content: change.content,
    spoiler_text: change.spoilerText,
    sensitive: change.sensitive ?? before.sensitive,
    language: change.language,
    emojis: change.emojis,
    has_media: hasMedia,
    has_event: before.event !== null || change.event !== undefined,
    card_hash: links.card,
    edited_at: change.editedAt ?? app.clock.now(),
  });
  await replaceMentions(tx, before.id, mentionsAfter(before, change));
  const { id: statusId, account_id: accountId } = before;
  const at = change.editedAt ?? app.clock.now();
  await retagStatus(tx, {
    statusId,
    accountId,
    at,
    tags: tagRows(change.tags),
    ...taggedFor(before),
  });
  await replaceLinks(tx, statusId, links.all);
  if (change.poll !== undefined) await changePoll(app, tx, before.id, change.poll);
  if (change.event) await setEvents(tx, [{ statusId, event: change.event }]);
  const { media } = change;
  if (media && !sameFiles(before, media))
    await replaceRemoteMedia(tx, { statusId, accountId, media });
  if (change.uploads) {
    const { ids, changes } = change.uploads;
    await attachOwn(tx, statusId, accountId, ids, { statusId });
    for (const [id, change] of changes) await changeMedia(tx, id, change);
  }
};

/** Keeps votes where the edit has no time, since such a version may be older than the stored poll. */
const withoutUndatedPoll = (before: StatusView, change: StatusChange): StatusChange =>
  before.local || before.poll === null || change.editedAt ? change : { ...change, poll: undefined };

/**
 * Rounds down to the second, for a status that was never edited: a reply is stored up to a second after it was
 * written (writtenAt).
 */
const wholeSecond = (date: Date): Date => new Date(date.getTime() - (date.getTime() % 1000));

/** Returns whether a version of a remote status is older than the stored one. */
const isOutdated = (
  { edited_at: editedAt, created_at: createdAt }: StatusView,
  version: Date | null,
): boolean => version !== null && version < (editedAt ?? wholeSecond(createdAt));

type Edited = { id: string; authorId: string };

/** Works as editStatus, within `tx`. */
export const editWithin = async (
  app: App,
  tx: Tx,
  { id, authorId }: Edited,
  change: StatusChange,
): Promise<boolean | Stopped> => {
  if (!(await lockStatus(tx, id))) return false;
  const before = await getAsServer(app, id, tx);
  if (before.account_id !== authorId || before.reblog_of_id !== null) return false;
  if (isOutdated(before, change.editedAt)) return false;
  const edit = withoutUndatedPoll(before, {
    ...change,
    sensitive: change.sensitive ?? before.sensitive,
  });
  const isEdit = !isSame(before, edit);
  const stopped = isEdit ? await screenEdit(app, tx, before, edit) : null;
  if (stopped) return stopped;
  if (!before.local && change.poll) await recountPoll(app, tx, id, change.poll);
  await setTerms(app, tx, before, change);
  await changeRemote(app, tx, before, change);
  if (!isEdit) return false;
  await write(app, tx, before, edit);
  await app.jobs.add(tx, "status.edited", { id });
  return true;
};

/**
 * Returns true when its text, poll or files changed. Changes nothing where a rule against spam stops it, somebody else
 * wrote it, or the stored version of a remote one is newer.
 */
export const editStatus = (
  app: App,
  edited: Edited,
  change: StatusChange,
): Promise<boolean | Stopped> => app.sql.begin((tx) => editWithin(app, tx, edited, change));
