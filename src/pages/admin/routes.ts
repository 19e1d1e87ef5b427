// Registers the pages for the staff under /admin, one line for each part. They are in the scope of the pages that know
// the session.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { goTo } from "../../domain/people/users/pages/components.ts";
import { accountPages } from "./account.ts";
import { accountListPages } from "./accounts.ts";
import { appealPages } from "./appeals.ts";
import { auditPages } from "./audit.ts";
import { spamPages } from "./spam.ts";
import { rulePages } from "./rules.ts";
import { announcementPages } from "./announcements.ts";
import { questionPage } from "./forms.ts";
import { emojiPages } from "./emojis.ts";
import { remoteEmojiPages } from "./emojis-remote.ts";
import { rolePages } from "./roles.ts";
import { settingPages } from "./settings.ts";
import { lookPages } from "./settings-look.ts";
import { signInSettingPages } from "./settings-sign-in.ts";
import { mailPages } from "./settings-mail.ts";
import { presetPages, termPages } from "./settings-texts.ts";
import { domainAllowPages, domainBlockPages } from "./domains.ts";
import { serverListPages } from "./servers.ts";
import { serverPages } from "./server.ts";
import { domainFilePages } from "./domain-files.ts";
import { faspPages } from "./fasp.ts";
import { relayPages } from "./relays.ts";
import { domainListPages } from "./domain-lists.ts";
import { addressBlockPages, ipBlockPages, providerBlockPages } from "./blocks.ts";
import { webhookPages } from "./webhooks.ts";
import { trendPages } from "./trends.ts";
import { firstStepPages } from "./first-steps.ts";
import { inviteListPages } from "./invites.ts";
import { overviewPages } from "./overview.ts";
import { reportPages } from "./reports.ts";
import { signUpPages } from "./sign-ups.ts";

const PAGES = [
  overviewPages,
  questionPage,
  reportPages,
  accountListPages,
  signUpPages,
  accountPages,
  appealPages,
  rulePages,
  announcementPages,
  emojiPages,
  remoteEmojiPages,
  rolePages,
  firstStepPages,
  settingPages,
  lookPages,
  mailPages,
  signInSettingPages,
  termPages,
  presetPages,
  domainBlockPages,
  domainAllowPages,
  serverListPages,
  serverPages,
  domainFilePages,
  relayPages,
  faspPages,
  domainListPages,
  ipBlockPages,
  providerBlockPages,
  addressBlockPages,
  spamPages,
  trendPages,
  inviteListPages,
  webhookPages,
  auditPages,
];

/** Adds the pages; the address of a form, which a browser stays at that shows it again, leads to the page above it. */
export const adminPages =
  (app: App) =>
  (pages: Server): void => {
    const [shown, sent] = [new Set<string>(), new Set<string>()];
    pages.addHook("onRoute", ({ method, url }) => {
      (method === "POST" ? sent : shown).add(url);
    });
    for (const add of PAGES) add(pages, app);
    const pagesAt = new Set(shown);
    for (const url of sent.difference(pagesAt)) {
      const parts = url.split("/");
      const length =
        parts.findLastIndex((_, n) => pagesAt.has(parts.slice(0, n + 1).join("/"))) + 1;
      pages.get(url, (request, reply) =>
        goTo(reply, request.url.split(/[/?]/).slice(0, length).join("/")),
      );
    }
  };
