// Every route plugin, one line each: the index of the API.

import { readingApp } from "./platform/app.ts";
import type { App } from "./platform/app.ts";
import type { Server } from "./platform/http/server.ts";
import { INBOX_RATES } from "./rate-limits.ts";
import { sitePictureRoutes } from "./pages/site-pictures.ts";
import { assetRoutes } from "./platform/http/assets.ts";
import { movedMediaRoutes } from "./domain/media/moved-routes.ts";
import { uploadRoutes } from "./domain/media/routes.ts";
import { remoteMediaRoutes } from "./domain/media/remote/routes.ts";
import { mediaRoutes } from "./platform/http/media.ts";
import { metricsRoute } from "./platform/http/metrics.ts";
import { styleRoutes } from "./platform/http/style.ts";
import { pushRoutes } from "./domain/push/routes.ts";
import { accountRoutes } from "./domain/accounts/routes.ts";
import { annualRoutes } from "./domain/annual/routes.ts";
import { announcementRoutes } from "./domain/announcements/routes.ts";
import { accountCollectionRoutes } from "./domain/collections/routes.ts";
import { cryptoRoutes } from "./domain/crypto/routes.ts";
import { emojiRoutes } from "./domain/emojis/routes.ts";
import { filterRoutes } from "./domain/filters/routes.ts";
import { conversationRoutes } from "./domain/conversations/routes.ts";
import { markerRoutes } from "./domain/timelines/marker-routes.ts";
import { healthRoutes, instanceRoutes } from "./domain/instance/routes.ts";
import { openApiRoutes } from "./domain/instance/openapi/routes.ts";
import { notificationRoutes } from "./domain/notifications/routes.ts";
import { oauthRoutes } from "./domain/oauth/routes.ts";
import { mailPages } from "./domain/mails/pages.ts";
import { cleanupPages } from "./domain/cleanup/pages.ts";
import { strikePages } from "./domain/strikes/pages.ts";
import { severancePages } from "./domain/severed-relationships/pages.ts";
import { transferPages } from "./domain/transfers/pages.ts";
import { domainListRoutes } from "./domain/domain-lists/routes.ts";
import { spamRoutes } from "./domain/moderation/spam-routes.ts";
import { transferRoutes } from "./domain/transfers/routes.ts";
import { authPages } from "./domain/people/pages/plugin.ts";
import { identityRoutes, sharedAccountLog } from "./domain/people/identities/routes.ts";
import { signUpRoutes } from "./domain/people/sign-up-routes.ts";
import { inboxRoutes } from "./federation/inbox-routes.ts";
import { nodeInfoRoutes } from "./federation/nodeinfo.ts";
import { documentRoutes } from "./federation/routes/documents.ts";
import { emojiDocumentRoutes } from "./federation/routes/emojis.ts";
import { webfingerRoutes } from "./federation/routes/webfinger.ts";
import { refreshRoutes } from "./domain/refreshes/routes.ts";
import { reportRoutes } from "./domain/reports/routes.ts";
import { adminAccountRoutes } from "./domain/moderation/accounts-routes.ts";
import { adminBlockRoutes } from "./domain/moderation/blocks-routes.ts";
import { adminReportRoutes } from "./domain/moderation/reports-routes.ts";
import { keysScriptRoute } from "./pages/admin/keys.ts";
import { adminPages } from "./pages/admin/routes.ts";
import { adminStyleRoutes } from "./pages/admin/style.ts";
import { manifestRoutes } from "./pages/manifest.ts";
import { pageRoutes } from "./pages/routes.ts";
import { showFramed } from "./pages/web/view.ts";
import { draftRoutes } from "./domain/drafts/routes.ts";
import { discoveryRoutes } from "./domain/discovery/routes.ts";
import { relationshipRoutes } from "./domain/relationships/routes.ts";
import { accountTimelineRoutes } from "./domain/timelines/account-routes.ts";
import { savedSearchRoutes } from "./domain/saved-searches/routes.ts";
import { searchRoutes } from "./domain/search/routes.ts";
import { statusActRoutes } from "./domain/statuses/act-routes.ts";
import { eventRoutes } from "./domain/statuses/event-routes.ts";
import { statusReadRoutes } from "./domain/statuses/read-routes.ts";
import { statusRoutes } from "./domain/statuses/routes.ts";
import { translationRoutes } from "./domain/translation/routes.ts";
import { groupRoutes } from "./domain/groups/routes.ts";
import { listRoutes } from "./domain/lists/routes.ts";
import { profileRoutes } from "./domain/tags/profile-routes.ts";
import { tagRoutes } from "./domain/tags/routes.ts";
import { figureRoutes } from "./domain/measures/routes.ts";
import { adminTrendRoutes } from "./domain/trends/admin-routes.ts";
import { adminTagRoutes } from "./domain/trends/tags-routes.ts";
import { trendRoutes } from "./domain/trends/routes.ts";
import { reasonRoutes } from "./domain/timelines/reason-routes.ts";
import { timelineRoutes } from "./domain/timelines/routes.ts";

/** For whoever watches the processes; every process has them. */
export const registerProbes = (server: Server, app: App): void => {
  healthRoutes(server, app);
  metricsRoute(server, app);
};

export const registerRoutes = (server: Server, app: App): void => {
  /** Of what only reads, and much: a replica may answer it. */
  const reading = readingApp(app);
  sharedAccountLog(server, app);
  openApiRoutes(server, app);
  accountRoutes(server, app);
  relationshipRoutes(server, app);
  discoveryRoutes(server, reading);
  accountTimelineRoutes(server, app);
  statusRoutes(server, app);
  statusReadRoutes(server, app);
  statusActRoutes(server, app);
  eventRoutes(server, app);
  timelineRoutes(server, reading);
  reasonRoutes(server, app);
  filterRoutes(server, app);
  conversationRoutes(server, app);
  markerRoutes(server, app);
  listRoutes(server, app);
  groupRoutes(server, app);
  transferRoutes(server, app);
  tagRoutes(server, app);
  profileRoutes(server, app);
  instanceRoutes(server, app);
  translationRoutes(server, app);
  emojiRoutes(server, app);
  trendRoutes(server, reading);
  adminTrendRoutes(server, app);
  adminTagRoutes(server, app);
  figureRoutes(server, reading);
  notificationRoutes(server, app);
  pushRoutes(server, app);
  announcementRoutes(server, app);
  annualRoutes(server, app);
  accountCollectionRoutes(server, app);
  cryptoRoutes(server, app);
  refreshRoutes(server, app);
  reportRoutes(server, app);
  adminAccountRoutes(server, app);
  adminReportRoutes(server, app);
  adminBlockRoutes(server, app);
  domainListRoutes(server, app);
  spamRoutes(server, app);
  inboxRoutes(server, app, INBOX_RATES);
  nodeInfoRoutes(server, app);
  webfingerRoutes(server, app);
  documentRoutes(server, reading);
  emojiDocumentRoutes(server, app);
  searchRoutes(server, reading);
  savedSearchRoutes(server, app);
  draftRoutes(server, app);
  pageRoutes(server, reading);
  manifestRoutes(server, app);
  styleRoutes(server);
  adminStyleRoutes(server);
  keysScriptRoute(server);
  oauthRoutes(server, app);
  signUpRoutes(server, app);
  identityRoutes(server, app);
  server.decorate("sendFramed", showFramed(server, reading));
  authPages(server, app, [
    mailPages(app),
    transferPages(app),
    cleanupPages(app),
    severancePages(app),
    strikePages(app),
    adminPages(app),
  ]);
  assetRoutes(server);
  sitePictureRoutes(server, app);
  mediaRoutes(server, app);
  uploadRoutes(server, app);
  remoteMediaRoutes(server, app);
  movedMediaRoutes(server, app);
};
