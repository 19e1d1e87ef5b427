// Stores which mails a person wants.

import type { App } from "../../../platform/app.ts";
import { ALWAYS, SUBSCRIBERS, isMailKind } from "./kinds.ts";
import { updateMails } from "./queries.ts";

/** Leaves unnamed kinds alone and ignores unknown ones. */
export const chooseMails = async (
  app: App,
  userId: string,
  mails: Record<string, boolean>,
): Promise<void> => {
  const isKnown = (name: string) => isMailKind(name) || name === ALWAYS || name === SUBSCRIBERS;
  const known = Object.entries(mails).filter(([name]) => isKnown(name));
  if (known.length === 0) return;
  await app.sql.begin((tx) => updateMails(tx, userId, Object.fromEntries(known)));
};
