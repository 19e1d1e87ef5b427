// The ways by which somebody signs in to their account by providers.

import type { App } from "../../../platform/app.ts";
import { selectIdentitiesOf } from "./queries.ts";
import type { IdentityRow } from "./tables.ts";

export const identitiesOf = async (app: App, userId: string): Promise<IdentityRow[]> => [
  ...(await selectIdentitiesOf(app.sql, userId)),
];
