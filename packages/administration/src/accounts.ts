// The commands `rookery accounts …`.

import { randomBytes } from "node:crypto";
import {
  COMMAND_LINE,
  ConfigError,
  changeAddress,
  confirmAddress,
  createPerson,
  findKnownId,
  findUser,
  invalidFields,
  issueToken,
  passwordFault,
  personFaults,
  requestArchive,
  resetPasswordOf,
  switchOffFactors,
  withApp,
} from "./uses.ts";
import type { App, RoleName } from "./uses.ts";
import { accountNamed } from "./many.ts";
import { giveRoleTo } from "./moderation.ts";
import { recordOnAccount } from "./recorded.ts";
import { readScopes } from "./tokens.ts";

type CreateOptions = {
  email: string;
  confirmed?: boolean;
  role?: RoleName;
  scopes?: string;
};

/** Makes a password that is allowed: a random one may contain a short name by chance. */
const newPassword = async (username: string): Promise<string> => {
  const password = randomBytes(12).toString("base64url");
  return (await passwordFault(password, username)) === null ? password : newPassword(username);
};

export type Created = { password: string; token: string | null };

/** Makes an account, and with `scopes` an access token. An account made by an administrator needs no approval. */
export const makeAccount = async (
  app: App,
  username: string,
  options: CreateOptions,
): Promise<Created> => {
  const scopes = options.scopes === undefined ? null : readScopes(options.scopes);
  const password = await newPassword(username);
  const person = { username, email: options.email, password };
  const faults = await personFaults(app, person, true);
  if (faults.length > 0) throw invalidFields(faults);
  const token = await app.sql.begin(async (tx) => {
    const created = await createPerson(app, tx, {
      ...person,
      role: options.role ?? "user",
      confirmed: options.confirmed ?? false,
      approved: true,
    });
    if (!options.confirmed) await app.jobs.add(tx, "user.confirmation", { userId: created.userId });
    await recordOnAccount(
      app,
      tx,
      "account.create",
      { id: created.accountId, handle: username },
      { ...(options.role && { role: options.role }), ...(scopes && { scopes }) },
    );
    return (
      scopes && (await issueToken(tx, { app_id: null, user_id: created.userId, scopes })).token
    );
  });
  return { password, token };
};

/** Prints `New password: …`, and with `scopes` the token on the last line. */
export const createAccount = (username: string, options: CreateOptions): Promise<void> =>
  withApp(async (app) => {
    const { password, token } = await makeAccount(app, username, options);
    console.log("OK");
    console.log(`New password: ${password}`);
    if (token) console.log(token);
  });

/** Makes an archive, even if one was made this week: people ask for help when they lost theirs. */
export const archiveCommand = (username: string): Promise<void> =>
  withApp(async (app) => {
    const accountId = await accountNamed(app, username);
    if (!(await findUser(app, accountId))) {
      throw new ConfigError(`There is no account ${username} on this server.`);
    }
    await requestArchive(app, accountId, { again: true });
    await recordOnAccount(app, app.sql, "account.archive", { id: accountId, handle: username });
    console.log(
      `The running server makes the archive; @${username} finds it under “Export” in the settings.`,
    );
  });

export type ModifyOptions = {
  resetPassword?: boolean;
  disable2fa?: boolean;
  role?: string;
  confirm?: boolean;
  email?: string;
};

/** Changes an account. A new password, if one is requested, is printed and ends all sessions and tokens. */
export const modifyAccount = (username: string, options: ModifyOptions): Promise<void> =>
  withApp(async (app) => {
    const accountId = await findKnownId(app, username);
    if (!accountId || !(await findUser(app, accountId))) {
      throw new ConfigError(`There is no account ${username} on this server.`);
    }
    if (options.role !== undefined) await giveRoleTo(app, username, options.role);
    if (options.email !== undefined) {
      await changeAddress(app, COMMAND_LINE, accountId, options.email);
    }
    if (options.confirm) await confirmAddress(app, COMMAND_LINE, accountId);
    if (options.disable2fa) await switchOffFactors(app, COMMAND_LINE, accountId);
    const password = options.resetPassword ? await newPassword(username) : null;
    if (password) {
      await resetPasswordOf(app, COMMAND_LINE, accountId, { password, email: null });
    }
    console.log("OK");
    if (password) console.log(`New password: ${password}`);
  });
