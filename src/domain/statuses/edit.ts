// Editing a status, local or remote: stores the previous version and enqueues `status.edited`.

import type { App } from "../../platform/app.ts";
import { invalidate } from "../../platform/db/invalidate.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { EmojiRow } from "../emojis/tables.ts";
import { attachOwn, changeMedia, replaceRemoteMedia } from "../media/attach.ts";
import type { MediaChange } from "../media/attach.ts";
import type { NewRemoteMedia } from "../media/tables.ts";
import { retagStatus } from "../tags/use.ts";
import { changePoll } from "../polls/add.ts";
import { changesPoll } from "../polls/rules.ts";
import type { NewPoll } from "../polls/tables.ts";
import { tagRows } from "./create.ts";
import "./events.ts";
import { insertEdit, lockStatus, replaceMentions, updateStatus } from "./queries-write.ts";
import { linkHashes, replaceLinks } from "./links.ts";
import { getAsServer } from "./load.ts";
import type { StatusView } from "./tables.ts";
import { taggedFor, visibilityFacts } from "./visibility.ts";

export type StatusChange = {
  text: string;
  content: string;
  spoilerText: string;
  sensitive: boolean;
  language: string | null;
  mentions: { accountId: string; silent: boolean }[];
  tags: string[];
  emojis: EmojiRow[];
  /** Of remote ones; null: unchanged. */
  media: NewRemoteMedia[] | null;
  /** Of local ones: all that it has then, in order, and what changes of some; undefined: unchanged. */
  uploads?: { ids: string[]; changes: Map<string, MediaChange> };
  /** null: removed; undefined: unchanged. */
  poll?: NewPoll | null | undefined;
  /** Remote: when it was edited there; null: now. */
  editedAt: Date | null;
};

const sameUploads = ({ media }: StatusView, { uploads }: StatusChange): boolean =>
  uploads === undefined ||
  (uploads.changes.size === 0 &&
    uploads.ids.length === media.length &&
    media.every(({ id }, n) => id === uploads.ids[n]));

const isSame = (before: StatusView, change: StatusChange): boolean =>
  before.text === change.text &&
  before.content === change.content &&
  before.spoiler_text === change.spoilerText &&
  before.sensitive === change.sensitive &&
  before.language === change.language &&
  change.media === null &&
  sameUploads(before, change) &&
  !changesPoll(before.poll, change.poll);

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
  await replaceMentions(tx, before.id, change.mentions);
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

/** True when something changed; a remote version older than the stored one is ignored. */
export const editStatus = async (app: App, id: string, change: StatusChange): Promise<boolean> =>
  app.sql.begin(async (tx) => {
    if (!(await lockStatus(tx, id))) return false;
    const before = await getAsServer(app, id, tx);
    const seen = before.edited_at ?? before.created_at;
    if (isSame(before, change) || (change.editedAt && change.editedAt < seen)) return false;
    await write(app, tx, before, change);
    await app.jobs.add(tx, "status.edited", { id });
    return true;
  });
