// What accounts that are used from others add to the API.

import { TIME, entity, entityRef, toPeople } from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

/** Accounts of a person that are linked with each other. */
export const identities: Extension = {
  name: "identities",
  routes: { "GET /api/v1/identities": toPeople("accounts", ["Identity"]) },
  entities: entity("Identity", {
    account: entityRef("Account"),
    kind: { type: "string", enum: ["identity", "owner", "author"] },
    created_at: TIME,
  }),
};

/** Accounts that several people use. */
export const sharedAccounts: Extension = { name: "shared_accounts" };
