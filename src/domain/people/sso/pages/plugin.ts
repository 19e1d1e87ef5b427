// Registers the pages of single sign-on, in the scope of the pages that know the session.

import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { logoutPages } from "./logout.ts";
import { newcomerPages } from "./newcomer.ts";
import { ssoSignInPages } from "./sign-in.ts";
import { waysPages } from "./ways.ts";

export const ssoPages =
  (app: App) =>
  (server: Server): void => {
    newcomerPages(server, app);
    ssoSignInPages(server, app);
    logoutPages(server, app);
    waysPages(server, app);
  };
