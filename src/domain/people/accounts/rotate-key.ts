// Gives a local account a new key pair, when others may know the old one.

import type { App } from "../../../platform/app.ts";
import "./events.ts";
import { generateKeyPem } from "./keys.ts";
import { replaceKey } from "./queries-lifecycle.ts";

/**
 * Sends the new key to followers' servers in an Update; others fetch it when a signature does not verify. Returns false
 * where there is no local account.
 */
export const rotateKey = async (app: App, id: string): Promise<boolean> => {
  const keys = await generateKeyPem();
  return app.sql.begin(async (tx) => {
    if (!(await replaceKey(tx, id, keys))) return false;
    await app.jobs.add(tx, "account.updated", { id });
    return true;
  });
};
