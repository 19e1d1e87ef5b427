// Editing a status, local or remote: stores the previous version and enqueues `status.edited`.

import type { App } from "../../platform/app.ts";
import { invalidate } from "../../platform/db/invalidate.ts";
import type { Tx } from "../../platform/db/index.ts";
import { NotFound } from "../../platform/errors.ts";
import { STATUS_LIMITS } from "../../platform/remote-limits.ts";
import { attachOwn, changeMedia, changesMedia, replaceRemoteMedia } from "../media/attach.ts";
import type { MediaChange } from "../media/attach.ts";
import { retagStatus } from "../tags/use.ts";
import { changePoll, recountPoll } from "../polls/add.ts";
import { changesPoll } from "../polls/rules.ts";
import { tagRows } from "./new-status.ts";
import type { StatusChange } from "./new-status.ts";
import "./events.ts";
import type { NewMention } from "./queries-create.ts";
import { insertEdit, lockStatus, replaceMentions, updateStatus } from "./queries-write.ts";
import { linkHashes, replaceLinks } from "./links.ts";
import { getAsServer } from "./load.ts";
import { setQuotePolicy } from "./quotes/change.ts";
import { screenEdit } from "./screen.ts";
import type { Stopped } from "./screen.ts";
import type { StatusView } from "./tables.ts";
import { taggedFor, visibilityFacts } from "./visibility.ts";

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
export const editAttachment = (
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
