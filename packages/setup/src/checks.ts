// Tries the settings of a set-up before they are written.

import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { createStorages, makeFolder, reasonOf } from "./uses.ts";
import type { Config } from "./uses.ts";
import { openTarget } from "../../backup/src/index.ts";
import {
  fault,
  judgeDisk,
  judgeMail,
  judgeName,
  judgeStorage,
  ok,
  warning,
} from "../../doctor/src/index.ts";
import type { Finding } from "../../doctor/src/index.ts";

export type Lookup = (name: string) => Promise<string[]>;

/** Checks settings that are already parsed. */
export type SetupCheck = (config: Config, lookup: Lookup) => Promise<Finding[]>;

export const checkNames: SetupCheck = async ({ site }, lookup) => {
  const domains = [...new Set([site.localDomain, site.webDomain])];
  return Promise.all(domains.map((domain) => judgeName(domain, lookup)));
};

export const checkMail: SetupCheck = async (config) => [await judgeMail(config)];

/** Returns the nearest existing parent: the first start creates the folder itself. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

export const checkStorage: SetupCheck = async (config) => {
  const disk = await judgeDisk({ ...config, dataDir: nearest(config.dataDir) });
  const { s3, main } = config.storage;
  if (!s3 || main === "disk") return [disk];
  const { main: bucket } = createStorages(config);
  try {
    return [disk, await judgeStorage(bucket, config)];
  } finally {
    bucket.close();
  }
};

/** Warns about a backup on the disk of the data, which would be lost with it. */
const sameDisk = (to: string, { dataDir }: Config): Finding | null =>
  !to.startsWith("s3://") && statSync(nearest(to)).dev === statSync(nearest(dataDir)).dev
    ? warning("setup.backup.same_disk", "setup.backup.other_disk", { place: to })
    : null;

export const checkBackup: SetupCheck = async (config) => {
  const { to, passphrase } = config.backup;
  if (to === null) return [warning("setup.backup.none", "setup.backup.later")];
  try {
    const { files } = openTarget(to, config);
    const key = `rookery-setup-${randomUUID()}`;
    try {
      if (!to.startsWith("s3://")) await makeFolder(to, 0o700);
      await files.put(key, Readable.from([Buffer.from("rookery")]));
      await files.delete([key]);
    } finally {
      files.close();
    }
    const open = warning("setup.backup.open", "setup.backup.close");
    const notes = [sameDisk(to, config), passphrase === null ? open : null];
    const good = ok("setup.backup.ok", { place: to });
    return [good, ...notes.filter((note) => note !== null)];
  } catch (error) {
    const values = { place: to, reason: reasonOf(error) };
    return [fault("setup.backup.fault", "setup.backup.choose", values)];
  }
};
