// Stores the names of this server with its data at the first start. Under other names it would be a stranger to other
// servers, and a command without the server's settings would act for a server that does not exist.

import type { Config } from "../config/config.ts";
import { originWith } from "../config/names.ts";
import type { FormerNames, SiteNames } from "../config/names.ts";
import { ConfigError } from "../errors.ts";
import type { Db } from "./index.ts";
import { firstRow } from "./rows.ts";

/** Returns null if no server has started on this database yet, or only one that stored no names. */
export const selectSiteNames = async (db: Db): Promise<SiteNames | null> => {
  const [row] = await db<[{ there: boolean }]>`SELECT to_regclass('site') IS NOT NULL AS there`;
  if (!row.there) return null;
  return firstRow(db<SiteNames[]>`
    SELECT local_domain AS "localDomain", web_domain AS "webDomain", https FROM site
  `);
};

type Site = Config["site"];

/** Selects the names that the server had before, the last ones first. */
export const selectFormerNames = async (db: Db): Promise<FormerNames[]> => {
  const rows = await db<(SiteNames & { until: Date })[]>`
    SELECT local_domain AS "localDomain", web_domain AS "webDomain", https, until
    FROM former_names ORDER BY until DESC
  `;
  return rows.map((names) => ({ ...names, origin: originWith(names) }));
};

const again = (stored: SiteNames, site: Site): string => {
  const [, port] = /^localhost:(\d+)$/.exec(stored.localDomain) ?? [];
  if (port && /^localhost:\d+$/.test(site.localDomain)) return `start it with PORT=${port}`;
  return `set LOCAL_DOMAIN=${stored.localDomain}`;
};

const differences = (stored: SiteNames, site: Site): string | null => {
  if (stored.localDomain !== site.localDomain) {
    return `the server ${stored.localDomain}, and with these settings it would be ${site.localDomain}: ${again(stored, site)}`;
  }
  if (stored.webDomain !== site.webDomain) {
    return `the server at ${stored.webDomain}, and with these settings it would be at ${site.webDomain}: set WEB_DOMAIN=${stored.webDomain}`;
  }
  if (stored.https === site.https) return null;
  const [was, would] = stored.https ? ["https", "http"] : ["http", "https"];
  return `a server with ${was} addresses, and with these settings it would have ${would} ones: set LOCAL_HTTPS=${stored.https}`;
};

/** Throws ConfigError where these settings give the server another name. */
export const refuseOtherNames = (stored: SiteNames, site: Site): void => {
  const text = differences(stored, site);
  if (text === null) return;
  throw new ConfigError(
    `This is the data of ${text}, or use another DATA_DIR (or database) for a new server. A server gets another name by: rookery move-domain.`,
  );
};

/** Throws ConfigError while a move to another name is unfinished: some of its addresses are old, others new. */
export const refuseUnfinishedMove = async (db: Db): Promise<void> => {
  const [row] = await db<{ name: string }[]>`
    SELECT local_domain AS name FROM domain_moves WHERE finished_at IS NULL
  `;
  if (!row) return;
  throw new ConfigError(
    `This server is moving to ${row.name}, and the move was interrupted: go on with it (rookery move-domain ${row.name}).`,
  );
};

/** Stores the names at the first start, and reads the former ones; throws ConfigError where it had others. */
export const keepSiteNames = async (db: Db, site: Site): Promise<void> => {
  await refuseUnfinishedMove(db);
  await db`
    INSERT INTO site (local_domain, web_domain, https)
    VALUES (${site.localDomain}, ${site.webDomain}, ${site.https})
    ON CONFLICT DO NOTHING
  `;
  refuseOtherNames((await selectSiteNames(db))!, site);
  site.former = await selectFormerNames(db);
};
