// What follows when moderators decide about an account: it is told, its streams close, and other servers learn that it
// is suspended or back.

import type { App } from "../platform/app.ts";
import { updateActorActivity } from "../domain/accounts/activitypub.ts";
import { getPublicKeys, loadAccounts } from "../domain/accounts/load.ts";
import { renamePictures } from "../domain/accounts/store-picture.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import type { AccountModerated, StandingChanged } from "../domain/moderation/events.ts";
import { personLetter } from "../domain/people/letter.ts";
import { notify } from "../domain/notifications/notify.ts";
import { loadStaffRows } from "../domain/people/staff.ts";
import { loadStrikes } from "../domain/strikes/strikes.ts";
import type { StrikeView } from "../domain/strikes/tables.ts";
import { publishTokensRevoked } from "../domain/timelines/streams.ts";
import { deliver } from "../federation/deliver.ts";

/** Servers that know the account get the actor, which says whether it is suspended. */
const announce = async (app: App, view: AccountView): Promise<void> => {
  const keys = await getPublicKeys(app, view.id);
  const activity = updateActorActivity(view, keys, app.config.site, app.clock.now());
  await deliver(app, app.sql, [{ accountId: view.id, activity, toFollowers: true }]);
};

/** Nobody who knows the addresses of its files sees them any more. */
const withhold = async (app: App, view: AccountView): Promise<void> => {
  await renamePictures(app, view);
  await app.jobs.add(app.sql, "media.withheld", { accountId: view.id, after: "0" });
};

export const onStandingChanged = async (app: App, { id }: StandingChanged): Promise<void> => {
  const view = (await loadAccounts(app, [id])).get(id);
  if (!view || view.domain !== null) return;
  const user = (await loadStaffRows(app, [id])).get(id);
  const isClosed = view.suspended_at !== null || user?.disabled === true;
  // A client that connects again is refused; later it is let in with the same token.
  if (isClosed) await publishTokensRevoked(app, { accountId: id });
  if (view.suspended_at !== null) await withhold(app, view);
  await announce(app, view);
};

const WORDS: Record<StrikeView["action"], { subject: string; text: string }> = {
  none: {
    subject: "Warning from the moderators",
    text: "The moderators have sent you a warning.",
  },
  disable: {
    subject: "Your account has been frozen",
    text: "The moderators have frozen your account. You cannot sign in; your profile and posts stay as they are.",
  },
  mark_statuses_as_sensitive: {
    subject: "Your posts have been marked as sensitive",
    text: "The moderators have hidden the media of some of your posts behind a warning.",
  },
  delete_statuses: {
    subject: "Your posts have been removed",
    text: "The moderators have removed some of your posts, because they break the rules of this server.",
  },
  sensitive: {
    subject: "Your posts are marked as sensitive from now on",
    text: "The moderators have decided that all media you post are hidden behind a warning.",
  },
  silence: {
    subject: "Your account has been limited",
    text: "The moderators have limited your account. Only people who already follow you see your posts in their timelines.",
  },
  suspend: {
    subject: "Your account has been suspended",
    text: "The moderators have suspended your account. Your profile and posts are hidden, and will be deleted after 30 days.",
  },
};

const mail = async (app: App, view: StrikeView, to: string): Promise<void> => {
  const { localDomain } = app.config.site;
  const { contactEmail } = app.config.instance;
  const { subject, text } = WORDS[view.action];
  const appeal = contactEmail
    ? `If you think that this is wrong, write to ${contactEmail}.`
    : `If you think that this is wrong, write to the people who run ${localDomain}.`;
  const posts = view.status_ids?.length ?? 0;
  const letter = personLetter(app, {
    title: subject,
    name: view.target.username,
    text: [
      text,
      ...(posts > 0 ? [`Posts concerned: ${posts}`] : []),
      ...(view.text ? [view.text] : []),
      appeal,
    ],
  });
  await app.mail.send({ to, subject: `${subject} - ${localDomain}`, ...letter });
};

export const onAccountModerated = async (
  app: App,
  { strikeId, mail: isMailed }: AccountModerated,
): Promise<void> => {
  const view = (await loadStrikes(app, [strikeId])).get(strikeId);
  if (!view || view.target.domain !== null) return;
  const accountId = view.target_account_id;
  const type = "moderation_warning" as const;
  await notify(app, app.sql, [{ accountId, fromId: accountId, type, subjectId: strikeId }]);
  const user = isMailed ? (await loadStaffRows(app, [accountId])).get(accountId) : null;
  if (user) await mail(app, view, user.email);
};
