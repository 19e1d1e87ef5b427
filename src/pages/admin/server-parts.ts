// Parts that the pages about other servers share: their paths and tabs, the server in the path, names of limits.

import type { BadgePart } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { orNotFound } from "../../platform/errors.ts";
import type { Key } from "../../platform/text/texts.ts";
import { readDomain } from "../../domain/base/blocklists/domains.ts";
import type { DomainBlockRow, DomainSeverity } from "../../domain/base/blocklists/tables.ts";
import { findServer } from "../../domain/base/peers/servers.ts";
import type { Staff } from "./frame.ts";
import { listed } from "../../../texts/lists.ts";

export const BLOCKS = "/admin/domains";
export const SERVERS = "/admin/domains/known";
export const ALLOWS = "/admin/domains/allowed";
export const LISTS = "/admin/domains/lists";
export const FILES = "/admin/domains/files";
export const RELAYS = "/admin/domains/relays";
export const FASP = "/admin/domains/fasp";

export const SEVERITY_NAMES: Record<DomainSeverity, Key> = {
  suspend: "network.severity.suspend",
  silence: "network.severity.silence",
  noop: "network.severity.noop",
};

export const limitBadge = ({ severity }: Pick<DomainBlockRow, "severity">): BadgePart => ({
  badge: SEVERITY_NAMES[severity],
  kind: severity === "suspend" ? "bad" : "mild",
});

/** Lists the first names; a mark after them says that there are more. */
export const someOf = (language: string, names: readonly string[], shown: number): string =>
  listed(language, names.slice(0, shown)) + (names.length > shown ? " …" : "");

/** Returns the server in the path; throws 404 for an invalid domain. */
export const domainOf = ({ request }: Staff): string =>
  orNotFound(readDomain((request.params as { domain?: string }).domain ?? ""));

export const serverPath = (domain: string): string => `${SERVERS}/${encodeURIComponent(domain)}`;

/** Returns the host of the server's inboxes. */
export const hostOfServer = async (app: App, domain: string): Promise<string> =>
  (await findServer(app, domain))?.host ?? domain;
