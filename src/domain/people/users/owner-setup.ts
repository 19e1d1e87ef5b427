// Creates the first owner by a one-time link, which the server prints while there is none. Only the seed of the token
// is stored, so that all processes print the same link.

import { randomBytes } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { lockNamed } from "../../../platform/db/lock-named.ts";
import { invalidFields } from "../../../platform/errors.ts";
import { derived, isSameSecret } from "../../../platform/seal.ts";
import { getSetting, setSetting, takeSetting } from "../../base/settings/settings.ts";
import { createPerson, personFaults } from "./create.ts";
import type { Created } from "./create.ts";
import { selectOwnerExists } from "./queries.ts";

const tokenOf = (app: App, seed: string): string =>
  derived(app, { what: "owner setup", owner: seed });

/** Returns the link, the same until it is used; null when there is an owner. */
export const ownerSetupLink = async (app: App): Promise<string | null> => {
  const seed = await app.sql.begin(async (tx) => {
    await lockNamed(tx, "owner_setup");
    if (await selectOwnerExists(tx)) {
      await setSetting(app, "owner_setup", null, tx);
      return null;
    }
    const stored = await getSetting(app, "owner_setup", "", tx);
    if (stored !== "") return stored;
    const token = randomBytes(32).toString("base64url");
    await setSetting(app, "owner_setup", token, tx);
    return token;
  });
  return seed && `${app.config.site.origin}/setup?token=${tokenOf(app, seed)}`;
};

/** Returns the seed of the token, if it may create the owner now. */
const seedOf = async (app: App, token: string): Promise<string | null> => {
  const seed = await getSetting(app, "owner_setup", "");
  if (seed === "" || !isSameSecret(token, tokenOf(app, seed))) return null;
  return (await selectOwnerExists(app.sql)) ? null : seed;
};

/** Returns whether this token may create the owner now. */
export const mayMakeOwner = async (app: App, token: string): Promise<boolean> =>
  (await seedOf(app, token)) !== null;

/** Returns whether the server has printed a link that nobody has used yet. */
export const awaitsOwner = async (app: App): Promise<boolean> =>
  (await getSetting(app, "owner_setup", "")) !== "" && !(await selectOwnerExists(app.sql));

type OwnerForm = { token: string; username: string; email: string; password: string };

/** Creates the owner once; returns null for a wrong or used token, and throws 422 with the faults of the form. */
export const makeOwner = async (app: App, form: OwnerForm): Promise<Created | null> => {
  const { token, ...person } = form;
  const seed = await seedOf(app, token);
  if (seed === null) return null;
  const faults = await personFaults(app, person, true);
  if (faults.length > 0) throw invalidFields(faults);
  return app.sql.begin(async (tx) => {
    await lockNamed(tx, "owner_setup");
    const taken = await takeSetting(tx, "owner_setup", seed);
    if (!taken || (await selectOwnerExists(tx))) return null;
    return createPerson(app, tx, { ...person, role: "Owner", confirmed: true });
  });
};
