// The first owner: while there is none, a one-time link in the server's output creates it.

import { createHmac, randomBytes } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { Forbidden, invalidFields } from "../../platform/errors.ts";
import { getSetting, setSetting, takeSetting } from "../settings/settings.ts";
import { createPerson, personFaults } from "./create.ts";
import type { Created } from "./create.ts";
import { lockOwnerSetup, selectOwnerExists } from "./queries.ts";

/** Of what is stored, which alone does not tell it. */
const tokenOf = (app: App, stored: string): string =>
  createHmac("sha256", app.config.secrets.keyBase)
    .update(`owner setup ${stored}`)
    .digest("base64url");

/**
 * The link; null when there is an owner. A new one at each start, which replaces the previous one; of several processes all
 * print the same one.
 */
export const ownerSetupLink = async (app: App): Promise<string | null> => {
  const open = await app.sql.begin(async (tx) => {
    await lockOwnerSetup(tx);
    const exists = await selectOwnerExists(tx);
    const printed = app.process.isAlone ? "" : await getSetting(app, "owner_setup", "", tx);
    const wanted = printed || randomBytes(32).toString("base64url");
    await setSetting(app, "owner_setup", exists ? null : wanted, tx);
    return exists ? null : wanted;
  });
  return open && `${app.config.site.origin}/setup?token=${tokenOf(app, open)}`;
};

/** The stored value, if this token may create the owner now. */
const openedBy = async (app: App, token: string): Promise<string | null> => {
  const stored = await getSetting(app, "owner_setup", "");
  const isOpen = stored !== "" && token === tokenOf(app, stored);
  return isOpen && !(await selectOwnerExists(app.sql)) ? stored : null;
};

/** Whether this token may create the owner now. */
export const mayMakeOwner = async (app: App, token: string): Promise<boolean> =>
  (await openedBy(app, token)) !== null;

export type OwnerForm = { token: string; username: string; email: string; password: string };

/** Creates the owner once; 403 for a wrong or used token, 422 with the faults of the form. */
export const makeOwner = async (app: App, form: OwnerForm): Promise<Created> => {
  const refuse = () => new Forbidden("This link is invalid or has expired");
  const { token, ...person } = form;
  const opened = await openedBy(app, token);
  if (opened === null) throw refuse();
  const faults = await personFaults(app.sql, person, true);
  if (faults.length > 0) throw invalidFields(faults);
  return app.sql.begin(async (tx) => {
    await lockOwnerSetup(tx);
    const taken = await takeSetting(tx, "owner_setup", opened);
    if (!taken || (await selectOwnerExists(tx))) throw refuse();
    return createPerson(app, tx, { ...person, role: "Owner", confirmed: true });
  });
};
