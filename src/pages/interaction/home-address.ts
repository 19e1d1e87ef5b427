// Finds the page of a visitor's own server where they can act on what they saw here.

import type { App } from "../../platform/app.ts";
import { httpUrl } from "../../platform/json/read.ts";
import { isLocalUri, normaliseDomain, originOf } from "../../federation/hosts.ts";
import { BudgetSpent, RemoteFault } from "../../federation/faults.ts";
import { parseAcct, subscribeTemplate } from "../../federation/webfinger.ts";
import type { Handle } from "../../federation/webfinger.ts";

type HomeAddress = { url: string } | { problem: "invalid" | "unreachable" };

/**
 * Parses `@name@server`, `server` or an address there. For a server alone, its own actor is asked for, which has the
 * server's name.
 */
const parseHome = (app: App, text: string): Handle | null => {
  const handle = parseAcct(app, text);
  if (handle) return handle;
  const host = httpUrl(text) ? new URL(text).host : text.replace(/^@/, "").replace(/\/+$/, "");
  // A name without a dot is that of an account, not of a server.
  const domain = /[.:]/.test(host) ? normaliseDomain(app, host) : null;
  return domain ? { username: domain, domain } : null;
};

/** Returns the address that most servers have, whatever they say. */
const usual = (app: App, domain: string): string =>
  `${originOf(app, domain)}/authorize_interaction?uri={uri}`;

const fill = (template: string, uri: string): string =>
  template.replaceAll("{uri}", encodeURIComponent(uri));

/** `home` is what somebody entered; `uri` is what they want to act on. */
export const homeAddress = async (app: App, home: string, uri: string): Promise<HomeAddress> => {
  const handle = parseHome(app, home);
  if (!handle) return { problem: "invalid" };
  const common = usual(app, handle.domain);
  const { localDomain, origin } = app.config.site;
  if (handle.domain === localDomain || isLocalUri(app, common))
    return { url: fill(`${origin}/authorize_interaction?uri={uri}`, uri) };
  try {
    return { url: fill((await subscribeTemplate(app, handle)) ?? common, uri) };
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error;
    const isAway = error.kind === "unreachable" && !(error instanceof BudgetSpent);
    return isAway ? { problem: "unreachable" } : { url: fill(common, uri) };
  }
};
