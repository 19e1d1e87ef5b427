// A person imported settings: from whom notifications are filtered, and which are sent by mail.

import type { JobHandler } from "../platform/jobs/table.ts";
import { findUser } from "../domain/people/accounts/settings.ts";
import { chooseMails } from "../domain/reading/mails/choose.ts";
import { changePolicy } from "../domain/reading/notifications/policy.ts";
import { POLICY_CHOICES, POLICY_CLASSES } from "../domain/reading/notifications/tables.ts";

/** Returns the choices that this version knows. */
const knownPolicy = (policy: Record<string, string>) =>
  Object.fromEntries(
    POLICY_CLASSES.flatMap((name) => {
      const choice = POLICY_CHOICES.find((word) => word === policy[name]);
      return choice ? [[name, choice]] : [];
    }),
  );

/** Handles the job `settings.imported`. */
export const onSettingsImported: JobHandler<"settings.imported"> = async (
  app,
  { accountId, policy, mails },
) => {
  const user = await findUser(app, accountId);
  if (!user) return;
  const changes = knownPolicy(policy);
  if (Object.keys(changes).length > 0) await changePolicy(app, accountId, changes);
  await chooseMails(app, user.id, mails);
};
