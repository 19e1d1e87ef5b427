// Posts that rules against spam held wait for a decision: those who decide get one mail for each quarter of an hour,
// however many posts there are.

import type { App } from "../platform/app.ts";
import { textsIn } from "../platform/text/texts.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import { acct } from "../domain/people/accounts/present.ts";
import { findAddressee, makeMail, sendCounted } from "../domain/reading/mails/send.ts";
import type { Addressee } from "../domain/reading/mails/send.ts";
import { spamManagers } from "../domain/staff/moderation/staff.ts";
import { shorten } from "../platform/text/cut.ts";
import type { JobHandler } from "../platform/jobs/table.ts";
import { countHeld, listHeld } from "../domain/base/spam/rules.ts";
import type { MatchRow } from "../domain/base/spam/tables.ts";

/** Posts named in a mail; the page has the others. */
const MAX_NAMED = 5;
const MAX_TEXT = 200;

/** Enqueues a job for each recipient, so that nobody gets the mail again when another one's fails. */
export const onPostsHeld: JobHandler<"spam.held"> = async (app, { at, to }) => {
  if ((await countHeld(app)) === 0) return;
  if (to !== undefined) return sendHeldMail(app, at, to);
  const staff = await spamManagers(app);
  const jobs = staff.map(({ user_id: userId }) => ({ payload: { at, to: userId } }));
  await app.jobs.addMany(app.sql, "spam.held", jobs);
};

const linesOf = async (app: App, matches: MatchRow[]): Promise<string[]> => {
  const authors = await loadAccounts(app, [
    ...new Set(matches.map(({ account_id: authorId }) => authorId)),
  ]);
  return matches.flatMap(({ account_id: authorId, text }) => {
    const author = authors.get(authorId);
    return author ? `@${acct(author)}: ${shorten(text, MAX_TEXT)}` : [];
  });
};

const mailTo = async (app: App, addressee: Addressee, at: string) => {
  const { t } = textsIn(addressee.locale);
  const count = await countHeld(app);
  const matches = (await listHeld(app)).slice(0, MAX_NAMED);
  const left = count - matches.length;
  return makeMail(app, addressee, "held", {
    message: `held.${at}`,
    title: t("mail.held.title", { count }),
    paragraphs: [
      ...(await linesOf(app, matches)),
      ...(left > 0 ? [t("mail.held.more", { count: left })] : []),
    ],
    button: { label: t("mail.held.button"), url: `${app.config.site.origin}/admin/spam` },
  });
};

const sendHeldMail = async (app: App, at: string, userId: string): Promise<void> => {
  const addressee = await findAddressee(app, userId, "held");
  if (addressee) await sendCounted(app, userId, await mailTo(app, addressee, at));
};
