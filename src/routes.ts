// Every route plugin, one line each: the index of the API.

import { readingApp } from "./platform/app.ts";
import type { App } from "./platform/app.ts";
import type { Server } from "./platform/http/server.ts";
import { FASP_RATES, SCIM_RATES, INBOX_RATES } from "./rate-limits.ts";
import { sitePictureRoutes } from "./pages/site-pictures.ts";
import { assetRoutes } from "./platform/http/assets.ts";
import { movedMediaRoutes } from "./domain/base/media/moved-routes.ts";
import { uploadRoutes } from "./domain/base/media/routes.ts";
import { remoteMediaRoutes } from "./domain/base/media/remote/routes.ts";
import { mediaRoutes } from "./platform/http/media.ts";
import { metricsRoute } from "./platform/http/metrics.ts";
import { pushRoutes } from "./domain/reading/push/routes.ts";
import { accountRoutes } from "./domain/people/accounts/routes.ts";
import { annualRoutes } from "./domain/reading/annual/routes.ts";
import { announcementRoutes } from "./domain/reading/announcements/routes.ts";
import { accountCollectionRoutes } from "./domain/people/collections/routes.ts";
import { cryptoRoutes } from "./domain/about/crypto/routes.ts";
import { emojiRoutes } from "./domain/base/emojis/routes.ts";
import { filterRoutes } from "./domain/posts/filters/routes.ts";
import { conversationRoutes } from "./domain/reading/conversations/routes.ts";
import { markerRoutes } from "./domain/reading/timelines/marker-routes.ts";
import { healthRoutes, instanceRoutes } from "./domain/about/instance/routes.ts";
import { developerPages } from "./domain/about/instance/openapi/pages.ts";
import { openApiRoutes } from "./domain/about/instance/openapi/routes.ts";
import { notificationRoutes } from "./domain/reading/notifications/routes.ts";
import { oauthRoutes } from "./domain/people/oauth/routes.ts";
import { mailPages } from "./domain/reading/mails/pages.ts";
import { subscriptionPages, subscriptionRoutes } from "./domain/reading/subscriptions/routes.ts";
import { cleanupPages } from "./domain/posts/cleanup/pages.ts";
import { strikePages } from "./domain/reading/strikes/pages.ts";
import { severancePages } from "./domain/about/transfers/severed-relationships-pages.ts";
import { transferPages } from "./domain/about/transfers/pages.ts";
import { domainListRoutes } from "./domain/staff/domain-lists/routes.ts";
import { spamRoutes } from "./domain/staff/moderation/spam-routes.ts";
import { transferRoutes } from "./domain/about/transfers/routes.ts";
import { authPages } from "./domain/people/users/pages/plugin.ts";
import { ssoPages } from "./domain/people/sso/pages/plugin.ts";
import { scimRoutes } from "./domain/people/sso/scim-routes.ts";
import { identityRoutes } from "./domain/people/users/identities/routes.ts";
import { sharedAccountLog } from "./domain/people/users/identities/request-log.ts";
import { sharingRoutes } from "./domain/people/users/identities/sharing-routes.ts";
import { signUpRoutes } from "./domain/people/users/sign-up-routes.ts";
import { faspRoutes } from "./federation/fasp/routes.ts";
import { inboxRoutes } from "./federation/inbox-routes.ts";
import { nodeInfoRoutes } from "./federation/nodeinfo.ts";
import { documentRoutes } from "./federation/routes/documents.ts";
import { emojiDocumentRoutes } from "./federation/routes/emojis.ts";
import { webfingerRoutes } from "./federation/routes/webfinger.ts";
import { refreshRoutes } from "./domain/base/refreshes/routes.ts";
import { reportRoutes } from "./domain/reading/reports/routes.ts";
import { adminAccountRoutes } from "./domain/staff/moderation/accounts-routes.ts";
import { adminBlockRoutes } from "./domain/staff/moderation/blocks-routes.ts";
import { adminReportRoutes } from "./domain/staff/moderation/reports-routes.ts";
import { keysScriptRoute } from "./pages/admin/keys.ts";
import { adminPages } from "./pages/admin/routes.ts";
import { manifestRoutes } from "./pages/manifest.ts";
import { pageRoutes } from "./pages/routes.ts";
import { showFramed } from "./pages/web/view.ts";
import { draftRoutes } from "./domain/posts/drafts/routes.ts";
import { discoveryRoutes } from "./domain/people/discovery/routes.ts";
import { relationshipRoutes } from "./domain/people/relationships/routes.ts";
import { accountTimelineRoutes } from "./domain/reading/timelines/account-routes.ts";
import { savedSearchRoutes } from "./domain/reading/saved-searches/routes.ts";
import { searchRoutes } from "./domain/reading/search/routes.ts";
import { statusActRoutes } from "./domain/posts/statuses/act-routes.ts";
import { defaultPolicyRoutes } from "./domain/posts/statuses/policy-routes.ts";
import { reactionRoutes } from "./domain/posts/statuses/reaction-routes.ts";
import { eventRoutes } from "./domain/posts/statuses/event-routes.ts";
import { statusReadRoutes } from "./domain/posts/statuses/read-routes.ts";
import { statusRoutes } from "./domain/posts/statuses/routes.ts";
import { translationRoutes } from "./domain/posts/translation/routes.ts";
import { groupRoutes } from "./domain/reading/groups/routes.ts";
import { listRoutes } from "./domain/people/lists/routes.ts";
import { profileRoutes } from "./domain/posts/tags/profile-routes.ts";
import { tagRoutes } from "./domain/posts/tags/routes.ts";
import { figureRoutes } from "./domain/staff/measures/routes.ts";
import { adminTrendRoutes } from "./domain/staff/moderation/trends-routes.ts";
import { adminTagRoutes } from "./domain/staff/moderation/tags-routes.ts";
import { trendRoutes } from "./domain/reading/trends/routes.ts";
import { reasonRoutes } from "./domain/reading/timelines/reason-routes.ts";
import { timelineRoutes } from "./domain/reading/timelines/routes.ts";

/** Registers health and metrics, which every process has. */
export const registerProbes = (server: Server, app: App): void => {
  healthRoutes(server, app);
  metricsRoute(server, app);
};

export const registerRoutes = (server: Server, app: App): void => {
  /** These routes only read, and much, so a replica may answer them. */
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
  reactionRoutes(server, app);
  defaultPolicyRoutes(server, app);
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
  faspRoutes(server, app, FASP_RATES);
  scimRoutes(server, app, SCIM_RATES);
  nodeInfoRoutes(server, app);
  webfingerRoutes(server, app);
  documentRoutes(server, reading);
  emojiDocumentRoutes(server, app);
  searchRoutes(server, reading);
  savedSearchRoutes(server, app);
  subscriptionRoutes(server, app);
  draftRoutes(server, app);
  pageRoutes(server, reading);
  manifestRoutes(server, app);
  keysScriptRoute(server);
  oauthRoutes(server, app);
  signUpRoutes(server, app);
  identityRoutes(server, app);
  sharingRoutes(server, app);
  server.decorate("sendFramed", showFramed(server, reading));
  developerPages(server, app);
  authPages(server, app, [
    ssoPages(app),
    mailPages(app),
    subscriptionPages(app),
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
