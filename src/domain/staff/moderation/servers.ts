// Implements acts of the staff on what is stored of another server.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import "../../base/media/events.ts";
import { findServer } from "../../base/peers/servers.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { recorded } from "../../base/audit/recorded.ts";

/** Returns hosts that have the files of a server, as far as they were counted, and its own name. */
export const mediaHostsOf = async (app: App, domain: string, db: Db = app.sql): Promise<string[]> =>
  (await findServer(app, domain, db))?.media_hosts ?? [domain];

/** Deletes the copies of its files; those that somebody looks at are fetched again. */
export const purgeMedia = (app: App, actor: Actor, domain: string): Promise<void> =>
  recorded(app, actor, "servers.write", async (tx) => {
    const hosts = await mediaHostsOf(app, domain, tx);
    await app.jobs.add(tx, "remote_files.purge", { hosts });
    const target = { type: "domain", id: null, label: domain };
    return { entry: { action: "domain.purge_media", target, details: { hosts } } };
  });
