// The first owner: while there is none, a one-time link in the server's output creates it.

import { createHash, randomBytes } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { Forbidden, invalidFields } from "../../platform/errors.ts";
import { getSetting, setSetting, takeSetting } from "../settings/settings.ts";
import { createPerson, personFaults } from "./create.ts";
import type { Created } from "./create.ts";
import { lockOwnerSetup, selectOwnerExists } from "./queries.ts";

const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** A new link, which replaces the previous one; null when there is an owner. */
export const ownerSetupLink = async (app: App): Promise<string | null> => {
  const token = randomBytes(32).toString("base64url");
  const open = await app.sql.begin(async (tx) => {
    await lockOwnerSetup(tx);
    const exists = await selectOwnerExists(tx);
    await setSetting(app, "owner_setup", exists ? null : hashOf(token), tx);
    return !exists;
  });
  return open ? `${app.config.site.origin}/setup?token=${token}` : null;
};

/** Whether this token may create the owner now. */
export const mayMakeOwner = async (app: App, token: string): Promise<boolean> => {
  const stored = await getSetting(app, "owner_setup", "");
  return stored !== "" && stored === hashOf(token) && !(await selectOwnerExists(app.sql));
};

export type OwnerForm = { token: string; username: string; email: string; password: string };

/** Creates the owner once; 403 for a wrong or used token, 422 with the faults of the form. */
export const makeOwner = async (app: App, form: OwnerForm): Promise<Created> => {
  const refuse = () => new Forbidden("This link is invalid or has expired");
  if (!(await mayMakeOwner(app, form.token))) throw refuse();
  const { token, ...person } = form;
  const faults = await personFaults(app.sql, person, true);
  if (faults.length > 0) throw invalidFields(faults);
  return app.sql.begin(async (tx) => {
    await lockOwnerSetup(tx);
    const taken = await takeSetting(tx, "owner_setup", hashOf(token));
    if (!taken || (await selectOwnerExists(tx))) throw refuse();
    return createPerson(app, tx, { ...person, role: "Owner", confirmed: true });
  });
};
