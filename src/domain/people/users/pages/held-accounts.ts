// Finds the accounts that a browser keeps signed in, which need no password again.

import type { FastifyRequest } from "fastify";
import type { Held } from "../../../../../web/src/served/card-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { mayUsePages } from "../sign-in.ts";
import { otherAccounts } from "./cookies.ts";

export const heldAccounts = async (app: App, request: FastifyRequest): Promise<Held> =>
  (await otherAccounts(app, request))
    .filter(({ who }) => mayUsePages(who))
    .map(({ who: { accountId, username } }) => ({ accountId, username }));
