// A bearer token → who it stands for.

import type { App } from "../../platform/app.ts";
import type { Credentials } from "../../platform/http/auth.ts";
import { noteActive } from "../accounts/activity.ts";
import { cachedCredentials, readCredentials } from "./credential-cache.ts";
import { tokenKey } from "./secret.ts";
import { selectCredentials } from "./queries.ts";
import type { CredentialsRow } from "./queries.ts";

const standing = (row: CredentialsRow) => {
  if (row.suspended) return "suspended" as const;
  if (!row.confirmed) return "unconfirmed" as const;
  if (!row.approved) return "unapproved" as const;
  if (row.disabled) return "disabled" as const;
  return row.moved ? ("moved" as const) : ("active" as const);
};

const viewer = (row: CredentialsRow): Credentials["viewer"] =>
  row.user_id === null
    ? null
    : {
        userId: row.user_id,
        accountId: row.account_id!,
        username: row.username!,
        permissions: BigInt(row.permissions ?? 0),
        locale: row.locale ?? "en",
        settings: row.settings ?? {},
        standing: standing(row),
      };

const read = async (app: App, hash: Buffer): Promise<Credentials | null> => {
  const row = await selectCredentials(app.sql, hash);
  if (!row) return null;
  return {
    tokenId: row.token_id,
    appId: row.app_id,
    scopes: row.scopes,
    revoked: row.revoked,
    viewer: viewer(row),
  };
};

const noted = (app: App, found: Credentials | null): Credentials | null => {
  if (found?.viewer?.standing === "active" && !found.revoked) noteActive(app, found.viewer);
  return found;
};

const look = async (app: App, key: string): Promise<Credentials | null> =>
  noted(app, await readCredentials(app, key, () => read(app, Buffer.from(key, "base64"))));

/** null when nobody ever had this token. What is cached is given without a promise. */
export const authenticate = (
  app: App,
  token: string,
): Credentials | null | Promise<Credentials | null> => {
  const key = tokenKey(token);
  const cached = cachedCredentials(app, key);
  return cached ? noted(app, cached) : look(app, key);
};
