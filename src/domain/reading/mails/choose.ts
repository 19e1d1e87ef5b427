// Stores which mails a person wants.

import type { App } from "../../../platform/app.ts";
import { ALWAYS, isMailKind } from "./kinds.ts";
import { updateMails } from "./queries.ts";

/** Leaves unnamed kinds alone and ignores unknown ones. */
export const chooseMails = async (
  app: App,
  userId: string,
  mails: Record<string, boolean>,
): Promise<void> => {
  const known = Object.entries(mails).filter(([name]) => isMailKind(name) || name === ALWAYS);
  if (known.length === 0) return;
  await app.sql.begin((tx) => updateMails(tx, userId, Object.fromEntries(known)));
};
