// What may act for a person: apps with tokens in force, and tokens that belong to no app.

import type { App } from "../../platform/app.ts";
import { selectAuthorized } from "./queries-grants.ts";
import type { AuthorizedRow } from "./queries-grants.ts";

/** The newest first. */
export const listAuthorized = (app: App, userId: string): Promise<AuthorizedRow[]> =>
  selectAuthorized(app.sql, userId);
