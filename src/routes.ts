// Every route plugin, one line each: the index of the API.

import type { App } from "./platform/app.ts";
import type { Server } from "./platform/http/server.ts";
import { assetRoutes } from "./platform/http/assets.ts";
import { styleRoutes } from "./platform/http/style.ts";
import { accountRoutes } from "./domain/accounts/routes.ts";
import { emojiRoutes } from "./domain/emojis/routes.ts";
import { emptyListRoutes } from "./domain/instance/empty-lists.ts";
import { healthRoutes } from "./domain/instance/health.ts";
import { instanceRoutes } from "./domain/instance/routes.ts";
import { notificationRoutes } from "./domain/notifications/routes.ts";
import { authPages } from "./domain/oauth/pages/plugin.ts";
import { oauthRoutes } from "./domain/oauth/routes.ts";
import { signUpRoutes } from "./domain/oauth/sign-up-routes.ts";
import { inboxRoutes } from "./federation/inbox-routes.ts";
import { nodeInfoRoutes } from "./federation/nodeinfo.ts";
import { actorRoutes } from "./federation/routes/actors.ts";
import { collectionRoutes } from "./federation/routes/collections.ts";
import { statusDocumentRoutes } from "./federation/routes/statuses.ts";
import { webfingerRoutes } from "./federation/routes/webfinger.ts";
import { pageRoutes } from "./pages/routes.ts";

import { relationshipRoutes } from "./domain/relationships/routes.ts";
import { accountTimelineRoutes } from "./domain/timelines/account-routes.ts";
import { searchRoutes } from "./domain/search/routes.ts";
import { statusActRoutes } from "./domain/statuses/act-routes.ts";
import { statusRoutes } from "./domain/statuses/routes.ts";
import { timelineRoutes } from "./domain/timelines/routes.ts";

export const registerRoutes = (server: Server, app: App): void => {
  healthRoutes(server, app);
  accountRoutes(server, app);
  relationshipRoutes(server, app);
  accountTimelineRoutes(server, app);
  statusRoutes(server, app);
  statusActRoutes(server, app);
  timelineRoutes(server, app);
  instanceRoutes(server, app);
  emojiRoutes(server);
  emptyListRoutes(server);
  notificationRoutes(server, app);
  inboxRoutes(server, app);
  nodeInfoRoutes(server, app);
  webfingerRoutes(server, app);
  actorRoutes(server, app);
  collectionRoutes(server, app);
  statusDocumentRoutes(server, app);
  searchRoutes(server, app);
  pageRoutes(server, app);
  styleRoutes(server);
  oauthRoutes(server, app);
  signUpRoutes(server, app);
  authPages(server, app);
  assetRoutes(server);
};
