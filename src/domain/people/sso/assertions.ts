// Notes which assertions of SAML were used, so that each counts once in all processes.

import { createHash } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { insertAssertion } from "./queries.ts";

/** Returns false for one that was used before; it is remembered until it has expired. */
export const useAssertion = (app: App, id: string, until: Date): Promise<boolean> =>
  insertAssertion(app.sql, createHash("sha256").update(id).digest(), until);
