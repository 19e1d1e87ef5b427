// Reads held posts and edits as they were stored, for their authors, and so that they can be carried out once the staff
// approves them.

import type { App } from "../../../platform/app.ts";
import { listHeldOf } from "../../base/spam/rules.ts";
import type { NewStatus, StatusChange } from "./new-status.ts";
import type { NewEvent } from "../events/tables.ts";
import type { NewPoll } from "../polls/tables.ts";
import type { StoredEvent, StoredPoll, StoredEdit } from "./screen-edit.ts";

type Stored = Omit<NewStatus, "row" | "poll" | "event"> & {
  row: Omit<NewStatus["row"], "created_at" | "edited_at" | "expires_at"> & {
    created_at: string;
    edited_at?: string | null;
    expires_at?: string | null;
  };
  poll: StoredPoll | null;
  /** Absent in rows of older versions. */
  event?: StoredEvent | null;
};

const revivedDate = (text: string | null | undefined): Date | null =>
  text ? new Date(text) : null;

const revivedPoll = (poll: StoredPoll | null): NewPoll | null =>
  poll && { ...poll, expiresAt: poll.expiresAt === null ? null : new Date(poll.expiresAt) };

const revivedEvent = ({ startsAt, endsAt, ...rest }: StoredEvent): NewEvent => ({
  ...rest,
  startsAt: new Date(startsAt),
  endsAt: revivedDate(endsAt),
});

/** Returns whether a stored post or edit is by a local person. */
export const isOfPersonHere = (post: object): boolean =>
  "edit" in post
    ? (post as StoredEdit).edit.local
    : (post as { row?: { local?: boolean } }).row?.local === true;

/** Returns an edit as it was stored with its match; null for a new post. */
export const revivedEdit = (post: object): { statusId: string; change: StatusChange } | null => {
  if (!("edit" in post)) return null;
  const { statusId, change } = (post as StoredEdit).edit;
  const { uploads, poll, event, editedAt, expiresAt, ...rest } = change;
  return {
    statusId,
    change: {
      ...rest,
      cleared: true,
      editedAt: new Date(editedAt),
      ...(expiresAt !== undefined && { expiresAt: revivedDate(expiresAt) }),
      ...(uploads && { uploads: { ids: uploads.ids, changes: new Map(uploads.changes) } }),
      ...(poll !== undefined && { poll: revivedPoll(poll) }),
      ...(event && { event: revivedEvent(event) }),
    },
  };
};

/** Returns a post as it was stored with its match, with its dates, which JSON lacks. */
export const revived = (post: object): NewStatus => {
  const { row, poll, event, ...rest } = post as Stored;
  return {
    ...rest,
    cleared: true,
    row: {
      ...row,
      created_at: new Date(row.created_at),
      edited_at: revivedDate(row.edited_at),
      expires_at: revivedDate(row.expires_at),
    },
    poll: revivedPoll(poll),
    event: event ? revivedEvent(event) : null,
  };
};

/** A post or an edit that waits for a moderator. `statusId` is the post that is edited. */
export type HeldPost = {
  id: string;
  createdAt: Date;
  text: string;
  spoilerText: string;
  statusId: string | null;
};

/** Returns an author's posts that wait, as they wrote them; the newest first. */
export const listOwnHeld = async (app: App, accountId: string): Promise<HeldPost[]> =>
  (await listHeldOf(app, accountId)).map(({ id, created_at, post }) => {
    const edit = revivedEdit(post!);
    const { text, spoilerText } = edit
      ? edit.change
      : { text: revived(post!).row.text, spoilerText: revived(post!).row.spoiler_text };
    return {
      id,
      createdAt: created_at,
      text: text ?? "",
      spoilerText: spoilerText ?? "",
      statusId: edit?.statusId ?? null,
    };
  });
