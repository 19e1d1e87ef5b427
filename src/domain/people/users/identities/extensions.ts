// Describes additions to the API for accounts that are used from others.

import {
  ID,
  TIME,
  entity,
  entityRef,
  nullable,
  toPeople,
} from "../../../../platform/http/extension.ts";
import type { Extension } from "../../../../platform/http/extension.ts";

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
export const sharedAccounts: Extension = {
  name: "shared_accounts",
  routes: {
    "GET /api/v1/sharing/members": toPeople("accounts", ["SharedAccess"]),
    "POST /api/v1/sharing/members": toPeople("accounts", "SharedAccess", "422"),
    "PATCH /api/v1/sharing/members/{id}": toPeople("accounts", "SharedAccess", "404", "422"),
    "DELETE /api/v1/sharing/members/{id}": toPeople("accounts", "Empty", "404"),
    "GET /api/v1/sharing/accounts": toPeople("accounts", ["SharedAccess"]),
    "POST /api/v1/sharing/accounts/{id}/accept": toPeople("accounts", "SharedAccess", "404"),
    "DELETE /api/v1/sharing/accounts/{id}": toPeople("accounts", "Empty", "404"),
  },
  entities: entity("SharedAccess", {
    id: ID,
    account: entityRef("Account"),
    role: { type: "string", enum: ["owner", "author"] },
    created_at: TIME,
    accepted_at: nullable(TIME),
  }),
};
