// Edits a status, local or remote: stores the previous version and enqueues `status.edited`. Also changes the
// descriptions of its files, who may quote it, and whether moderators hide its media behind a warning.

import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import { Conflict, Forbidden, NotFound, Unprocessable } from "../../../platform/errors.ts";
import { STATUS_LIMITS } from "../../../platform/remote-limits.ts";
import { asPerson } from "../../../platform/viewer.ts";
import {
  attachOwn,
  changeMedia,
  changesMedia,
  checkCount,
  refocusRemote,
  replaceRemoteMedia,
} from "../../base/media/attach.ts";
import { defaultQuotePolicy } from "../../people/accounts/settings.ts";
import type { MediaChange } from "../../base/media/attach.ts";
import type { NewRemoteMedia, UploadRow } from "../../base/media/tables.ts";
import { retagStatus } from "../tags/use.ts";
import { changesEvent, checkEvent } from "../events/rules.ts";
import { setEvents } from "../events/set.ts";
import { changePoll, recountPoll } from "../polls/add.ts";
import { changesPoll, checkPoll } from "../polls/rules.ts";
import { changeUpload, mediaChange } from "../../base/media/upload.ts";
import type { UploadInput } from "../../base/media/upload.ts";
import { afterAct, ownTarget } from "./acts.ts";
import { dropQuote, endQuoteWithin } from "./approve.ts";
import { addQuotes, tagRows } from "./create.ts";
import type { StatusChange } from "./new-status.ts";
import "./events.ts";
import { checkLimits } from "./audience.ts";
import { endOf } from "./expire.ts";
import { linkHashes, replaceLinks } from "./links.ts";
import { getAsServer, getOwn, getVisible } from "./load.ts";
import type { ParsedQuote } from "./parse-note.ts";
import {
  checkAlone,
  checkMentions,
  checkText,
  chooseContentType,
  chooseLanguage,
  maxCharacters,
  renderText,
  withQuoteLine,
} from "./post.ts";
import type { Author, Draft } from "./post.ts";
import { updateInteractions, updatePolicy, updateQuote } from "./queries-approvals.ts";
import type { NewMention } from "./queries-write.ts";
import {
  insertEdit,
  lockStatus,
  replaceMentions,
  updateSensitive,
  updateStatus,
} from "./queries-write.ts";
import { replyBits, policyBits } from "./rules.ts";
import { editRefusal, screenEdit } from "./spam-check.ts";
import type { Stopped } from "./spam-check.ts";
import type { SeenStatus, StatusView } from "./tables.ts";
import {
  federates,
  isCircle,
  taggedFor,
  visibilityFacts,
  visibilityMembers,
} from "./visibility.ts";

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
 * Sets who may quote and answer a local status, and when it ends. A post that not everybody may see is quoted by its
 * author alone.
 */
const setTerms = async (
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

type PolicyInput = Pick<Draft, "quote_approval_policy" | "reply_approval_policy">;

/**
 * Sets who may quote and answer one's own post. Where both are absent or null, quotes follow one's settings for new
 * posts.
 */
export const changePolicies = async (
  app: App,
  { id: accountId, settings }: Author,
  id: string,
  { quote_approval_policy: quote, reply_approval_policy: reply }: PolicyInput,
): Promise<SeenStatus> => {
  const viewer = asPerson(accountId);
  const view = await ownTarget(app, viewer, id);
  const keepsQuotes = quote === undefined && Boolean(reply);
  const quotePolicy = keepsQuotes
    ? undefined
    : (quote ?? (await defaultQuotePolicy(app, settings)));
  const policies = { quotePolicy, replyPolicy: reply ?? undefined };
  await app.sql.begin((tx) => setTerms(app, tx, view, policies));
  return afterAct(app, viewer, view);
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
 * For remote posts the addressing alone decides who sees them, except for answers to a circle, which keep its people.
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
 * Rounds down to the second, for a status that was never edited: an answer is stored up to a second after it was
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

/**
 * Changes the description of an attachment of a local status, as an edit; throws NotFound where it is no attachment any
 * more.
 */
const editAttachment = (
  app: App,
  id: string,
  mediaId: string,
  change: MediaChange,
): Promise<void> =>
  app.sql.begin(async (tx) => {
    if (!(await lockStatus(tx, id))) throw new NotFound();
    const before = await getAsServer(app, id, tx);
    const media = before.media.find((attachment) => attachment.id === mediaId);
    if (!media) throw new NotFound();
    if (!changesMedia(media, change)) return;
    await insertEdit(tx, id);
    await changeMedia(tx, mediaId, change);
    await updateStatus(tx, id, { edited_at: app.clock.now() });
    await app.jobs.add(tx, "status.edited", { id });
  });

/** Keeps the quote, which an edit does not change. */
const withQuote = ({ quote }: StatusView, content: string): string =>
  quote
    ? withQuoteLine(content, { uri: quote.quoted_uri, url: quote.status?.url ?? null })
    : content;

/** Uses a warning without a text as the text, as in a new post. */
const textsOf = (view: StatusView, draft: Draft): { text: string; spoilerText: string } => {
  const text = draft.status ?? view.text;
  if (text.trim() === "") return { text: draft.spoiler_text ?? "", spoilerText: "" };
  const unchanged = draft.spoiler_text === null ? "" : view.spoiler_text;
  return { text, spoilerText: draft.spoiler_text ?? unchanged };
};

type EditDraft = Draft & { media_attributes?: MediaAttribute[] | null | undefined };
type MediaAttribute = { id: string } & Parameters<typeof mediaChange>[0];

/** Removes attachments that are not named, as with polls. Changes apply to those that stay. */
const uploadsOf = ({ media_ids: ids, media_attributes: attributes }: EditDraft) => {
  const distinct = [...new Set(ids)];
  const changes = (attributes ?? []).filter(({ id }) => distinct.includes(id));
  return {
    ids: distinct,
    changes: new Map(changes.map((change) => [change.id, mediaChange(change)])),
  };
};

/** Returns the change by the text and its attachments; throws 422 for what cannot be posted. */
const changeOf = async (
  app: App,
  view: StatusView,
  author: Author,
  draft: EditDraft,
): Promise<StatusChange> => {
  const { text, spoilerText } = textsOf(view, draft);
  const uploads = uploadsOf(draft);
  checkText(
    await maxCharacters(app, author),
    text,
    spoilerText,
    view.quote !== null || view.event !== null || Boolean(draft.event) || uploads.ids.length > 0,
  );
  checkCount(uploads.ids, Boolean(draft.poll));
  checkAlone(draft, view.event !== null);
  const contentType = chooseContentType(draft, view.content_type);
  const rendered = await renderText(app, author.id, text, contentType);
  checkMentions(app, draft, rendered);
  return {
    text,
    contentType,
    content: withQuote(view, rendered.content),
    spoilerText,
    sensitive: draft.sensitive ?? (view.sensitive || spoilerText !== ""),
    language: draft.language === undefined ? view.language : chooseLanguage(draft.language, author),
    mentions: rendered.mentions,
    tags: rendered.tags,
    emojis: [],
    media: null,
    uploads,
    poll: draft.poll ? checkPoll(draft.poll, app.clock.now()) : null,
    event: draft.event ? checkEvent(draft.event, app.clock.now()) : undefined,
    quotePolicy: draft.quote_approval_policy ?? undefined,
    replyPolicy: draft.reply_approval_policy ?? undefined,
    expiresAt: endOf(draft, app.clock.now()),
    editedAt: null,
  };
};

const unchangeable = (what: string) =>
  new Unprocessable(`Validation failed: ${what} of a post cannot be changed`);

/** Refuses what an edit cannot do. Apps send the visibility that the API showed them, which is no change. */
const checkAudience = (view: StatusView, draft: EditDraft): void => {
  const { visibility, local_only: staysHere, list_ids: lists } = draft;
  const told = [view.visibility, visibilityMembers(view).visibility];
  if (visibility && !told.includes(visibility)) throw unchangeable("The visibility");
  if (staysHere && federates(view)) throw unchangeable("The visibility");
  if (lists?.length) throw unchangeable("The lists");
  checkLimits(draft.limits, view.visibility);
};

/** Times that an edit is made again because another edit of the post came first. */
const MAX_TURNS = 10;

/** Returns whether something that a draft may leave out has changed meanwhile. */
const isOther = (view: StatusView, now: StatusView): boolean =>
  view.text !== now.text ||
  view.content_type !== now.content_type ||
  view.spoiler_text !== now.spoiler_text ||
  view.sensitive !== now.sensitive ||
  view.language !== now.language ||
  (view.event === null) !== (now.event === null);

/**
 * Writes the draft over the current post. The text is made before the post is locked, because mentioned people may have
 * to be fetched; where somebody edited it meanwhile, it is made again.
 */
const editFrom = async (
  app: App,
  author: Author,
  draft: EditDraft,
  view: StatusView,
  turns = MAX_TURNS,
): Promise<void> => {
  const change = await changeOf(app, view, author, draft);
  const edited = { id: view.id, authorId: author.id };
  const result = await app.sql.begin(async (tx) => {
    const now = (await lockStatus(tx, view.id)) ? await getAsServer(app, view.id, tx) : null;
    return now && isOther(view, now) ? { now } : editWithin(app, tx, edited, change);
  });
  if (typeof result !== "object") return;
  if (!("now" in result)) throw editRefusal(result);
  if (turns === 0) throw new Conflict();
  await editFrom(app, author, draft, result.now, turns - 1);
};

/** Edits the author's own post, and returns it; throws Unprocessable where a rule against spam stops the edit. */
export const edit = async (
  app: App,
  author: Author,
  id: string,
  draft: EditDraft,
): Promise<SeenStatus> => {
  const viewer = asPerson(author.id);
  const view = await getOwn(app, id, viewer);
  if (view.reblog_of_id) throw new Forbidden();
  checkAudience(view, draft);
  await editFrom(app, author, draft, view);
  return getVisible(app, id, viewer);
};

/**
 * Changes the description, focus or preview of one's own upload. Where it is part of a post, this is an edit of the
 * post, which everybody who has it gets. Throws NotFound for others' uploads.
 */
export const changeAttachment = (
  app: App,
  accountId: string,
  id: string,
  input: UploadInput,
): Promise<UploadRow> =>
  changeUpload(app, accountId, id, input, (statusId, change) =>
    editAttachment(app, statusId, id, change),
  );

/** Returns those that were not sensitive before. Authors may change it again by editing the post. */
export const markSensitive = (db: Db, ids: string[]): Promise<string[]> =>
  updateSensitive(db, ids, true);

export const unmarkSensitive = (db: Db, ids: string[]): Promise<string[]> =>
  updateSensitive(db, ids, false);
