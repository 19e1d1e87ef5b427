// rookery accounts …

import { randomBytes } from "node:crypto";
import { createPerson, personFaults } from "../domain/accounts/create.ts";
import type { RoleName } from "../domain/accounts/create.ts";
import { invalidFields } from "../platform/errors.ts";
import { withApp } from "./session.ts";

export type CreateOptions = { email: string; confirmed?: boolean; role?: RoleName };

/** Prints `New password: …`. An account that an administrator makes is approved. */
export const createAccount = (username: string, options: CreateOptions): Promise<void> =>
  withApp(async (app) => {
    const password = randomBytes(12).toString("base64url");
    const person = { username, email: options.email, password };
    const faults = await personFaults(app.sql, person, true);
    if (faults.length > 0) throw invalidFields(faults);
    await app.sql.begin(async (tx) => {
      const made = await createPerson(app, tx, {
        ...person,
        role: options.role ?? "user",
        confirmed: options.confirmed ?? false,
        approved: true,
      });
      if (!options.confirmed) await app.jobs.add(tx, "user.confirmation", { userId: made.userId });
    });
    console.log("OK");
    console.log(`New password: ${password}`);
  });
