// Moderators decided about an account: it is notified, its streams close, and other servers learn that it is suspended
// or restored.

import type { App } from "../platform/app.ts";
import type { JobHandler } from "../platform/jobs/table.ts";
import { updateActorActivity } from "../domain/people/accounts/activitypub.ts";
import { getPublicKeys, loadAccounts } from "../domain/people/accounts/load.ts";
import { renamePictures } from "../domain/people/accounts/store-picture.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { planRecount } from "../domain/posts/events/recount.ts";
import "../domain/staff/moderation/events.ts";
import { mailPerson } from "../domain/people/users/mail.ts";
import { notify } from "../domain/reading/notifications/notify.ts";
import { findSignUp, loadStaffRows } from "../domain/people/users/staff.ts";
import type { SignUpRow } from "../domain/people/users/staff.ts";
import { relatedInboxes } from "../domain/posts/statuses/reach.ts";
import { APPEAL_DAYS } from "../domain/reading/strikes/appeals.ts";
import { recountReactionsOf } from "../domain/posts/statuses/cache.ts";
import { loadStrikes } from "../domain/reading/strikes/strikes.ts";
import type { StrikeView } from "../domain/reading/strikes/tables.ts";
import { publishTokensRevoked } from "../domain/reading/timelines/streams.ts";
import { shareProfile } from "../federation/fasp/sharing.ts";
import { deliver } from "../federation/deliver.ts";
import { endFollows } from "./ended-follows.ts";

/** Sends the actor, which says whether it is suspended, to servers that know the account. */
const announce = async (app: App, view: AccountView): Promise<void> => {
  const keys = await getPublicKeys(app, view.id);
  const activity = updateActorActivity(view, keys, app.config.site, app.clock.now());
  const inboxes = await relatedInboxes(app.sql, view.id);
  await deliver(app, app.sql, [{ accountId: view.id, activity, inboxes }]);
};

/** Renames the files of a suspended account, so that nobody can open their known addresses. */
const withhold = async (app: App, view: AccountView): Promise<void> => {
  await renamePictures(app, view);
  await app.jobs.add(app.sql, "media.withheld", { accountId: view.id, after: "0" });
};

/**
 * Ends a suspended remote account's follows of people here: it is not suspended on its own server and would still get
 * their posts. Follows by people here stay: they see nothing of it until the suspension is lifted.
 */
const endFollowsOf = async (app: App, view: AccountView): Promise<void> => {
  for (let isMore = true; isMore;) {
    const ended = await app.sql.begin((tx) => endFollows(app, tx, [view.id], "own"));
    isMore = ended.length > 0;
  }
};

export const onStandingChanged: JobHandler<"account.standing_changed"> = async (app, { id }) => {
  const view = (await loadAccounts(app, [id])).get(id);
  await recountReactionsOf(app.sql, [id]);
  await planRecount(app, app.sql, [id]);
  await shareProfile(app, id);
  if (!view) return;
  if (view.domain !== null) return view.suspended_at === null ? undefined : endFollowsOf(app, view);
  const user = (await loadStaffRows(app, [id])).get(id);
  const isClosed = view.suspended_at !== null || user?.disabled === true;
  // A client that connects again is refused; later it is admitted with the same token.
  if (isClosed) await publishTokensRevoked(app, { accountId: id });
  if (view.suspended_at !== null) await withhold(app, view);
  await announce(app, view);
};

const mail = (app: App, view: StrikeView, person: SignUpRow): Promise<void> => {
  const { origin } = app.config.site;
  const posts = view.status_ids?.length ?? 0;
  return mailPerson(app, person, (t) => ({
    title: t(`decision.${view.action}.title`),
    text: [
      t(`decision.${view.action}.text`),
      ...(posts > 0 ? [t("mail.decision.posts", { count: posts })] : []),
      ...(view.text ? [view.text] : []),
    ],
    button: { label: t("mail.decision.button"), url: `${origin}/disputes/strikes/${view.id}` },
    after: t("mail.decision.appeal", { days: APPEAL_DAYS }),
  }));
};

export const onAccountModerated: JobHandler<"account.moderated"> = async (
  app,
  { strikeId, mail: isMailed },
) => {
  const view = (await loadStrikes(app, [strikeId])).get(strikeId);
  if (!view || view.target.domain !== null) return;
  const accountId = view.target_account_id;
  const type = "moderation_warning" as const;
  await notify(app, app.sql, [{ accountId, fromId: accountId, type, subjectId: strikeId }]);
  const person = isMailed ? await findSignUp(app, accountId) : null;
  if (person) await mail(app, view, person);
};
