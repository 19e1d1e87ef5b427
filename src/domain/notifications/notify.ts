// Telling people that something happened, and taking it back when the act is undone.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { loadAsServer } from "../statuses/load.ts";
import { canSee } from "../statuses/rules.ts";
import type { StatusView, ViewerFlags } from "../statuses/tables.ts";
import type { Relation } from "../relationships/tables.ts";
import "./events.ts";
import { deleteHappening, deleteOlder, insertNotifications, selectCandidates } from "./queries.ts";
import type { Candidate } from "./queries.ts";
import type { Happening } from "./tables.ts";

const NO_FLAGS: ViewerFlags = {
  favourited: false,
  reblogged: false,
  bookmarked: false,
  pinned: false,
};

/** As much of a relation as the rules of visibility look at. */
const relationOf = (candidate: Candidate, authorId: string): Relation => ({
  account_id: authorId,
  following: candidate.following,
  blocked_by: candidate.blocked_by,
  show_reblogs: false,
  notify: false,
  languages: null,
  requested: false,
  followed_by: false,
  requested_by: false,
  blocking: false,
  muting: false,
  muting_notifications: false,
  muting_expires_at: null,
  domain_blocking: false,
  endorsed: false,
  note: "",
});

export const mayKnow = (status: StatusView | null, candidate: Candidate): boolean => {
  if (!status) return true;
  const relation = relationOf(candidate, status.account_id);
  return canSee({
    ...status,
    viewer: {
      kind: "person",
      id: candidate.id,
      flags: NO_FLAGS,
      relation,
      filtered: [],
      muted: false,
    },
  });
};

/**
 * Tells each of the accounts, once however often it is called, and enqueues `notification.created`
 * for every new row: give it a transaction. Left out: the sender, remote and suspended accounts,
 * who blocks or is blocked or mutes notifications, who may not see the status; and everybody, when
 * the sender is suspended or the act (follow, favourite …) has been taken back. With `replace`, a
 * notification from before that time gives way to a new one. Four queries, however many accounts.
 */
export const notifyAll = async (
  app: App,
  db: Db,
  accountIds: string[],
  happening: Happening,
  replace: Date | null = null,
): Promise<void> => {
  const { statusId = null } = happening;
  if (accountIds.length === 0) return;
  const [status = null] = statusId === null ? [] : await loadAsServer(app, [statusId], db);
  if (statusId !== null && !status) return;
  const now = app.clock.now();
  const authorId = status?.account_id ?? null;
  const candidates = await selectCandidates(db, accountIds, happening, authorId, now);
  const told = candidates.filter((row) => mayKnow(status, row)).map((row) => row.id);
  if (told.length === 0) return;
  if (replace) await deleteOlder(db, told, happening, replace);
  const ids = await insertNotifications(db, told, happening, now);
  await app.jobs.addMany(
    db,
    "notification.created",
    ids.map((id) => ({ payload: { id } })),
  );
};

/** As notifyAll, for one account. */
export const notify = (
  app: App,
  db: Db,
  { accountId, ...happening }: Happening & { accountId: string },
): Promise<void> => notifyAll(app, db, [accountId], happening);

/** Removes what an undone act had told (to one account, or to all). */
export const retract = async (
  db: Db,
  { accountId, ...happening }: Happening & { accountId?: string },
): Promise<void> => {
  await deleteHappening(db, happening, accountId);
};
