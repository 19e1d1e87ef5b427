// A new key pair for a local account, when the old one may be known to others.

import type { App } from "../../../platform/app.ts";
import "./events.ts";
import { generateKeyPem } from "./keys.ts";
import { replaceKey } from "./queries-lifecycle.ts";

/**
 * Followers' servers get the new key with an Update; others fetch it when a signature does not fit. False: nobody here.
 */
export const rotateKey = async (app: App, id: string): Promise<boolean> => {
  const keys = await generateKeyPem();
  return app.sql.begin(async (tx) => {
    if (!(await replaceKey(tx, id, keys))) return false;
    await app.jobs.add(tx, "account.updated", { id });
    return true;
  });
};
