// Screens edits by the rules against spam: an edit is judged where it says something new, and held or refused as a
// new post is.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { judgePosts } from "../../base/spam/judge.ts";
import { addMatches } from "../../base/spam/rules.ts";
import type { Judged } from "../../base/spam/tables.ts";
import type { StatusChange } from "./new-status.ts";
import type { NewEvent } from "../events/tables.ts";
import type { NewPoll } from "../polls/tables.ts";
import type { StatusView } from "./tables.ts";
import {
  describedBy,
  judgedOf,
  stopOf,
  doesMore,
  matchOf,
  announceHeld,
  HELD,
} from "./spam-check.ts";
import type { Stopped, Files } from "./spam-check.ts";

const EDIT_TEXTS: Record<Stopped["stopped"], string> = {
  hold: "Your edit waits for a moderator’s review. Until they approve it, your post stays as it was.",
  reject:
    "Your edit looks like spam, so your post stays as it was. Contact the moderators if that is wrong.",
};

export const editRefusal = ({ stopped }: Stopped): Unprocessable =>
  new Unprocessable(EDIT_TEXTS[stopped], stopped === "hold" ? HELD : undefined);

/** Returns files that it keeps and that it gets. */
const filesAfter = (before: StatusView, { media, uploads }: StatusChange): Files => {
  if (media || !uploads) return describedBy(media ?? before.media);
  const known = new Map(before.media.map(({ id, description }) => [id, description]));
  const texts = uploads.ids.map((id) => {
    const changed = uploads.changes.get(id)?.description;
    return { id, text: changed === undefined ? known.get(id) : changed };
  });
  return {
    described: texts.flatMap(({ text }) => text ?? []),
    uploadIds: texts.flatMap(({ id, text }) => (text === undefined ? [id] : [])),
  };
};

const judgedBefore = (before: StatusView): Judged =>
  judgedOf({
    ...before,
    accountId: before.account_id,
    warning: before.spoiler_text,
    mentions: before.mentions.map(({ id, silent }) => ({ accountId: id, silent })),
    files: describedBy(before.media),
    createdAt: before.created_at,
  });

/** Returns the whole post after an edit, which may leave event, poll and files as they are. */
const judgedAfter = (before: StatusView, change: StatusChange, now: Date): Judged =>
  judgedOf({
    accountId: before.account_id,
    content: change.content,
    warning: change.spoilerText,
    visibility: before.visibility,
    mentions: change.mentions,
    event: change.event ?? before.event,
    poll: change.poll === undefined ? before.poll : change.poll,
    files: filesAfter(before, change),
    createdAt: now,
  });

const textsOf = ({ content, beside, described }: Judged): string =>
  [content, ...beside, ...described].join("\n");

/** Returns whether an edit leaves texts and mentions as they are, so that there is nothing new to read. */
const saysTheSame = (before: Judged, after: Judged): boolean =>
  textsOf(before) === textsOf(after) &&
  after.uploadIds.length === 0 &&
  after.mentionIds.every((id) => before.mentionIds.includes(id));

export type StoredEvent = Omit<NewEvent, "startsAt" | "endsAt"> & {
  startsAt: string;
  endsAt: string | null;
};
export type StoredPoll = Omit<NewPoll, "expiresAt"> & { expiresAt: string | null };

/** An edit as it is stored in `post` of a match. */
export type StoredEdit = {
  edit: {
    statusId: string;
    local: boolean;
    change: Omit<StatusChange, "uploads" | "poll" | "event" | "editedAt" | "expiresAt"> & {
      expiresAt?: string | null;
      uploads?: { ids: string[]; changes: [string, object][] };
      poll?: StoredPoll | null;
      event?: StoredEvent;
      editedAt: string;
    };
  };
};

/** Counts as of the approval: a later edit of the post wins over it. */
const storedEdit = (before: StatusView, change: StatusChange, now: Date) => ({
  edit: {
    statusId: before.id,
    local: before.local,
    change: {
      ...change,
      ...(change.uploads && {
        uploads: { ids: change.uploads.ids, changes: [...change.uploads.changes] },
      }),
      editedAt: change.editedAt ?? now,
    },
  },
});

/** Judges an edit, and stores a match in its transaction. Returns what stops the edit, or null. */
export const screenEdit = async (
  app: App,
  tx: Tx,
  before: StatusView,
  change: StatusChange,
): Promise<Stopped | null> => {
  if (change.cleared) return null;
  const now = app.clock.now();
  const judged = judgedAfter(before, change, now);
  if (saysTheSame(judgedBefore(before), judged)) return null;
  const [verdict] = (await judgePosts(app, tx, [judged])) ?? [];
  if (!verdict) return null;
  const stop = stopOf(verdict);
  const match = {
    ...matchOf(app, verdict, before.account_id, stop),
    status_id: before.id,
    post: stop ? storedEdit(before, change, now) : null,
    idempotency_key: null,
  };
  const [id] = await addMatches(tx, [match]);
  if (doesMore(verdict)) await app.jobs.add(tx, "spam.matched", { id: id! });
  if (stop === "hold") await announceHeld(app, tx);
  return stop && { stopped: stop };
};
