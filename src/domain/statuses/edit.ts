// Editing a status, local or remote: stores the previous version and enqueues `status.edited`. Also what is said of its files,
// who may quote it, and media that moderators hide behind a warning.

import type { App } from "../../platform/app.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { invalidate } from "../../platform/db/invalidate.ts";
import { Forbidden, NotFound } from "../../platform/errors.ts";
import { STATUS_LIMITS } from "../../platform/remote-limits.ts";
import { asPerson } from "../../platform/viewer.ts";
import { dropQuote, endQuote } from "./approve.ts";
import {
  attachOwn,
  changeMedia,
  changesMedia,
  checkCount,
  replaceRemoteMedia,
} from "../media/attach.ts";
import type { MediaChange } from "../media/attach.ts";
import { retagStatus } from "../tags/use.ts";
import { changePoll, recountPoll } from "../polls/add.ts";
import { changesPoll, checkPoll } from "../polls/rules.ts";
import { changeUpload, mediaChange } from "../media/upload.ts";
import type { UploadInput } from "../media/upload.ts";
import type { UploadRow } from "../media/tables.ts";
import { addQuotes, tagRows } from "./create.ts";
import type { StatusChange } from "./create.ts";
import "./events.ts";
import { linkHashes, replaceLinks } from "./links.ts";
import { getAsServer, getVisible } from "./load.ts";
import type { ParsedQuote } from "./parse-note.ts";
import { checkText, chooseLanguage, renderText, withQuoteLine } from "./post.ts";
import type { Author, Draft } from "./post.ts";
import { updateInteractions, updatePolicy, updateQuote } from "./queries-approvals.ts";
import type { NewMention } from "./queries-create.ts";
import {
  insertEdit,
  lockStatus,
  replaceMentions,
  updateSensitive,
  updateStatus,
} from "./queries-write.ts";
import { removeStatus } from "./remove.ts";
import { policyBits } from "./rules.ts";
import type { QuotePolicy } from "./rules.ts";
import { editRefusal, screenEdit } from "./screen.ts";
import type { Stopped } from "./screen.ts";
import type { SeenStatus, StatusView } from "./tables.ts";
import { taggedFor, visibilityFacts } from "./visibility.ts";

const replace = (app: App, view: StatusView, parsed: ParsedQuote | null): Promise<void> =>
  app.sql.begin(async (tx) => {
    await dropQuote(tx, view.id);
    if (!parsed) return;
    const { uri: quotedUri, legacy, approvalUri } = parsed;
    const none = { quotedStatusId: null, quotedAccountId: null, accepted: false, depth: 0 };
    const quote = { ...none, quotedUri, legacy, approvalUri };
    await addQuotes(app, tx, [
      { statusId: view.id, accountId: view.account_id, local: false, quote },
    ]);
  });

const recheck = (app: App, view: StatusView, approvalUri: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    const { state, quoted_status_id, quoted_account_id } = view.quote!;
    const change = { state, quoted_status_id, quoted_account_id, approval_uri: approvalUri };
    await updateQuote(tx, view.id, change);
    await app.jobs.add(tx, "quote.told", { statusId: view.id, depth: 0 });
  });

/** `isLocalUri`: the quoted status is local: then only its author revokes the approval. */
export const updateRemoteQuote = async (
  app: App,
  view: StatusView,
  parsed: ParsedQuote | null,
  isLocalUri: (uri: string) => boolean,
): Promise<void> => {
  const { quote } = view;
  if (!quote && !parsed) return;
  // A server that knows that the quote has ended leaves it out; the state stays.
  if (!parsed && (quote?.state === "revoked" || quote?.state === "rejected")) return;
  if (!quote || quote.quoted_uri !== parsed?.uri) return replace(app, view, parsed);
  const { approvalUri } = parsed;
  if (quote.state === "accepted") {
    const isLost = quote.approval_uri !== null && approvalUri === null;
    if (isLost && !isLocalUri(quote.quoted_uri)) await endQuote(app, view.id, "revoked");
  } else if (approvalUri !== null && quote.state === "pending") {
    await recheck(app, view, approvalUri);
  }
};

/** Who may quote, answer, favourite and boost a remote status, as its server says now. */
export const updateRemotePolicy = async (
  app: App,
  view: StatusView,
  { quotePolicy, interactionPolicy }: { quotePolicy: number; interactionPolicy: number },
): Promise<void> => {
  if (quotePolicy !== view.quote_policy) await updatePolicy(app.sql, view.id, quotePolicy);
  if (interactionPolicy !== view.interaction_policy) {
    await updateInteractions(app.sql, view.id, interactionPolicy);
  }
};

/**
 * Sets who may quote a local status; one that not everybody may see is quoted by its author alone.
 */
export const setQuotePolicy = async (
  app: App,
  tx: Tx,
  view: StatusView,
  policy: QuotePolicy,
): Promise<void> => {
  if (!(await updatePolicy(tx, view.id, policyBits(policy, view)))) return;
  await app.jobs.add(tx, "quote.policy_changed", { statusId: view.id });
};

const sameUploads = ({ media }: StatusView, { uploads }: StatusChange): boolean =>
  uploads === undefined ||
  (uploads.ids.length === media.length &&
    media.every((one, n) => {
      const change = uploads.changes.get(one.id);
      return one.id === uploads.ids[n] && !(change && changesMedia(one, change));
    }));

const isSame = (before: StatusView, change: StatusChange): boolean =>
  before.text === change.text &&
  before.content === change.content &&
  before.spoiler_text === change.spoilerText &&
  before.sensitive === change.sensitive &&
  before.language === change.language &&
  change.media === null &&
  sameUploads(before, change) &&
  !changesPoll(before.poll, change.poll);

/**
 * Who is not named any more keeps the post, silently: their server has the first text, and gets what becomes of it.
 * What others write says by its addressing alone who may see it.
 */
const mentionsAfter = ({ local, mentions }: StatusView, change: StatusChange): NewMention[] => {
  if (!local) return change.mentions;
  const named = new Set(change.mentions.map(({ accountId }) => accountId));
  const former = mentions.filter(({ id }) => !named.has(id)).slice(0, STATUS_LIMITS.mentions);
  return [...change.mentions, ...former.map(({ id }) => ({ accountId: id, silent: true }))];
};

const write = async (app: App, tx: Tx, before: StatusView, change: StatusChange) => {
  await insertEdit(tx, before.id);
  // Cached pages that are filtered by language or media may gain or lose it.
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
    content: change.content,
    spoiler_text: change.spoilerText,
    sensitive: change.sensitive,
    language: change.language,
    emojis: change.emojis,
    has_media: hasMedia,
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
  if (change.media) await replaceRemoteMedia(tx, { statusId, accountId, media: change.media });
  if (change.uploads) {
    const { ids, changes } = change.uploads;
    await attachOwn(tx, statusId, accountId, ids, { statusId });
    for (const [id, one] of changes) await changeMedia(tx, id, one);
  }
};

/** What does not say when it was edited may be older than the poll that is stored: no votes are deleted for it. */
const withoutUndatedPoll = (before: StatusView, change: StatusChange): StatusChange =>
  before.local || before.poll === null || change.editedAt ? change : { ...change, poll: undefined };

/** Of one that was never edited: an answer is stored up to a second after it was written (writtenAt). */
const wholeSecond = (date: Date): Date => new Date(date.getTime() - (date.getTime() % 1000));

/** Whether a version of a remote status is older than the stored one. */
export const isOutdated = (
  { edited_at: editedAt, created_at: createdAt }: StatusView,
  version: Date | null,
): boolean => version !== null && version < (editedAt ?? wholeSecond(createdAt));

/** As editStatus, within `tx`. */
export const editWithin = async (
  app: App,
  tx: Tx,
  id: string,
  change: StatusChange,
): Promise<boolean | Stopped> => {
  if (!(await lockStatus(tx, id))) return false;
  const before = await getAsServer(app, id, tx);
  if (isOutdated(before, change.editedAt)) return false;
  const edit = withoutUndatedPoll(before, change);
  const isEdit = !isSame(before, edit);
  const stopped = isEdit ? await screenEdit(app, tx, before, edit) : null;
  if (stopped) return stopped;
  if (!before.local && change.poll) await recountPoll(app, tx, id, change.poll);
  if (change.quotePolicy) await setQuotePolicy(app, tx, before, change.quotePolicy);
  if (!isEdit) return false;
  await write(app, tx, before, edit);
  await app.jobs.add(tx, "status.edited", { id });
  return true;
};

/**
 * True when something changed; a remote version older than the stored one is ignored. Counts of a poll are no edit, nor is who
 * may quote it. Nothing changes where a rule against spam stops it.
 */
export const editStatus = (
  app: App,
  id: string,
  change: StatusChange,
): Promise<boolean | Stopped> => app.sql.begin((tx) => editWithin(app, tx, id, change));

/** Changes what is said of one attachment of a local status, as an edit; NotFound where it is no attachment any more. */
const editAttachment = (
  app: App,
  id: string,
  mediaId: string,
  change: MediaChange,
): Promise<void> =>
  app.sql.begin(async (tx) => {
    if (!(await lockStatus(tx, id))) throw new NotFound();
    const before = await getAsServer(app, id, tx);
    const media = before.media.find((one) => one.id === mediaId);
    if (!media) throw new NotFound();
    if (!changesMedia(media, change)) return;
    await insertEdit(tx, id);
    await changeMedia(tx, mediaId, change);
    await updateStatus(tx, id, { edited_at: app.clock.now() });
    await app.jobs.add(tx, "status.edited", { id });
  });

/** One's own status; another's is as if it were missing. */
const getOwn = async (app: App, id: string, accountId: string): Promise<SeenStatus> => {
  const view = await getVisible(app, id, asPerson(accountId));
  if (view.account_id !== accountId) throw new NotFound();
  return view;
};

/** An edit does not change what is quoted. */
const withQuote = ({ quote }: StatusView, content: string): string =>
  quote
    ? withQuoteLine(content, { uri: quote.quoted_uri, url: quote.status?.url ?? null })
    : content;

/** As in a new post, a warning without a text becomes the text. */
const textsOf = (view: StatusView, draft: Draft): { text: string; spoilerText: string } => {
  const text = draft.status ?? view.text;
  if (text.trim() === "") return { text: draft.spoiler_text ?? "", spoilerText: "" };
  const unchanged = draft.spoiler_text === null ? "" : view.spoiler_text;
  return { text, spoilerText: draft.spoiler_text ?? unchanged };
};

type Changed = Draft & { media_attributes?: MediaAttribute[] | null | undefined };
type MediaAttribute = { id: string } & Parameters<typeof mediaChange>[0];

/** As with polls, what is not named is removed. What changes belongs to one that stays. */
const uploadsOf = ({ media_ids: ids, media_attributes: attributes }: Changed) => {
  const wanted = [...new Set(ids)];
  const changes = (attributes ?? []).filter(({ id }) => wanted.includes(id));
  return { ids: wanted, changes: new Map(changes.map((one) => [one.id, mediaChange(one)])) };
};

/** Everything that the text and its attachments say; throws 422 for what cannot be posted. */
const changeOf = async (
  app: App,
  view: StatusView,
  author: Author,
  draft: Changed,
): Promise<StatusChange> => {
  const { text, spoilerText } = textsOf(view, draft);
  const uploads = uploadsOf(draft);
  checkText(app, text, spoilerText, view.quote !== null || uploads.ids.length > 0);
  checkCount(uploads.ids, Boolean(draft.poll));
  const rendered = await renderText(app, author.id, text);
  return {
    text,
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
    quotePolicy: draft.quote_approval_policy ?? undefined,
    editedAt: null,
  };
};

/** Edits the author's own post, and gives it; 422 where a rule against spam stops the edit. */
export const editOwn = async (
  app: App,
  author: Author,
  id: string,
  draft: Changed,
): Promise<SeenStatus> => {
  const view = await getOwn(app, id, author.id);
  if (view.reblog_of_id) throw new Forbidden();
  const result = await editStatus(app, view.id, await changeOf(app, view, author, draft));
  if (typeof result === "object") throw editRefusal(result);
  return getVisible(app, view.id, asPerson(author.id));
};

/** Deletes the author's own post, and gives it as it was. */
export const removeOwn = async (
  app: App,
  accountId: string,
  id: string,
  options: { deleteMedia: boolean },
): Promise<SeenStatus> => {
  const view = await getOwn(app, id, accountId);
  await removeStatus(app, view.id, options);
  return view;
};

/**
 * Changes the description, focus or preview of somebody's own upload. Where it is part of a post, the post has one more
 * version, and everybody who has it gets the change. NotFound for others' uploads.
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

/** Gives those that were not yet. The author may change it again by editing the post. */
export const markSensitive = (db: Db, ids: string[]): Promise<string[]> =>
  updateSensitive(db, ids, true);

export const unmarkSensitive = (db: Db, ids: string[]): Promise<string[]> =>
  updateSensitive(db, ids, false);
