// A bearer token → who it stands for.

import type { App } from "../../platform/app.ts";
import type { Credentials } from "../../platform/http/auth.ts";
import { noteActive } from "../accounts/activity.ts";
import { tokenHash } from "./secret.ts";
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
        chosenLanguages: row.chosen_languages,
        standing: standing(row),
      };

/** null when nobody ever had this token. */
export const authenticate = async (app: App, token: string): Promise<Credentials | null> => {
  const row = await selectCredentials(app.sql, tokenHash(token));
  if (!row) return null;
  const who = viewer(row);
  if (who?.standing === "active" && !row.revoked) noteActive(app, who.userId);
  return {
    tokenId: row.token_id,
    appId: row.app_id,
    scopes: row.scopes,
    revoked: row.revoked,
    viewer: who,
  };
};
