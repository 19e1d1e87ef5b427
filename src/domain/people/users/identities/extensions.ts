// Describes additions to the API for accounts that are used from others.

import { ID, TIME, entity, entityRef, nullable } from "../../../../platform/http/extension.ts";
import type { Extension } from "../../../../platform/http/extension.ts";

/** Accounts of a person that are linked with each other. */
export const identities: Extension = {
  name: "identities",
  entities: entity("Identity", {
    account: entityRef("Account"),
    kind: { type: "string", enum: ["identity", "owner", "author"] },
    created_at: TIME,
  }),
};

/** Accounts that several people use. */
export const sharedAccounts: Extension = {
  name: "shared_accounts",
  entities: entity("SharedAccess", {
    id: ID,
    account: entityRef("Account"),
    role: { type: "string", enum: ["owner", "author"] },
    created_at: TIME,
    accepted_at: nullable(TIME),
  }),
};
