// Checks of this machine: configuration, database, disk, storage, programs and backups.

import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { DISK_WARN_AT, isDomainPublic, newKey, pendingMigrations, reasonOf } from "./uses.ts";
import type { Config, Files } from "./uses.ts";
import { backup, drill } from "./backup.ts";
import { fault, ok, skipped, warning } from "./finding.ts";
import type { Check, Finding, Patient } from "./finding.ts";
import { selectFacts } from "./queries.ts";

const GIGABYTE = 1024 ** 3;

const gigabytes = (bytes: number): number => Math.round((10 * bytes) / GIGABYTE) / 10;

const isOpen = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;

const configuration = async ({ app: { config } }: Patient): Promise<Finding[]> => {
  const { localDomain, webDomain } = config.site;
  const findings: Finding[] = [];
  const kept = [
    { path: ".env", mode: 600 },
    { path: join(config.dataDir, "secrets"), mode: 700 },
  ];
  for (const { path, mode } of kept.filter(({ path }) => isOpen(path))) {
    const command = `chmod ${mode} ${path}`;
    findings.push(warning("doctor.config.open", "doctor.advice.open", { path, command }));
  }
  if (!isDomainPublic(localDomain)) {
    const domain = localDomain;
    findings.push(warning("doctor.config.private", "doctor.advice.private", { domain }));
  }
  if (!config.http.rateLimits) {
    findings.push(warning("doctor.config.unlimited", "doctor.advice.unlimited"));
  }
  const fine = ok("doctor.config.ok", { domain: webDomain, path: config.dataDir });
  return findings.length > 0 ? findings : [fine];
};

const LATE_SECONDS = 600;

const database = async ({ app }: Patient): Promise<Finding[]> => {
  const pending = await pendingMigrations(app.sql);
  if (pending.length > 0) {
    const count = pending.length;
    return [warning("doctor.database.pending", "doctor.advice.pending", { count })];
  }
  const facts = await selectFacts(app.sql);
  const findings: Finding[] = [];
  if (facts.connections > facts.max_connections * 0.9) {
    const values = { used: facts.connections, most: facts.max_connections };
    findings.push(warning("doctor.database.full", "doctor.advice.full", values));
  }
  if (facts.late > LATE_SECONDS) {
    const count = Math.round(facts.late / 60);
    findings.push(warning("doctor.database.late", "doctor.advice.late", { count }));
  }
  const key = app.config.database.url ? "doctor.database.ok" : "doctor.database.built_in";
  const fine = ok(key, { version: facts.version, size: gigabytes(facts.bytes) || 0.1 });
  return findings.length > 0 ? findings : [fine];
};

const replica = async ({ app }: Patient): Promise<Finding> => {
  if (!app.replica) return skipped("doctor.replica.none");
  const problem = await app.replica.look();
  const { behindBytes } = app.replica.figures();
  switch (problem) {
    case null:
      return ok("doctor.replica.ok");
    case "behind":
      return warning("doctor.replica.behind", "doctor.advice.replication", {
        bytes: behindBytes ?? 0,
      });
    case "away":
      return fault("doctor.replica.away", "doctor.advice.replication");
    case "writable":
      return fault("doctor.replica.writable", "doctor.advice.writable");
    case "foreign":
      return fault("doctor.replica.foreign", "doctor.advice.foreign");
  }
};

/** Checks the free space for the data. */
export const judgeDisk = async (config: Config): Promise<Finding> => {
  const { bavail, bsize } = await statfs(config.dataDir);
  const free = bavail * bsize;
  const values = { size: gigabytes(free), path: config.dataDir };
  const { reserveBytes } = config.disk;
  if (free < reserveBytes) return fault("doctor.disk.full", "doctor.advice.disk", values);
  return free < reserveBytes * DISK_WARN_AT
    ? warning("doctor.disk.free", "doctor.advice.disk", values)
    : ok("doctor.disk.free", values);
};

const disk = ({ app }: Patient): Promise<Finding> => judgeDisk(app.config);

/** Checks that files can be stored, read and deleted. */
export const judgeStorage = async (files: Files, config: Config): Promise<Finding> => {
  const { s3 } = config.storage;
  const place = s3 ? `s3://${s3.bucket}` : "DATA_DIR/media";
  const key = newKey("attachments", "png");
  const bytes = randomBytes(64);
  try {
    await files.put(key, Readable.from([bytes]));
    const file = await files.open(key);
    const read = file && Buffer.concat(await Array.fromAsync(file.stream as AsyncIterable<Buffer>));
    await files.delete([key]);
    return read?.equals(bytes)
      ? ok("doctor.storage.ok", { place })
      : fault("doctor.storage.changed", "doctor.advice.changed", { place });
  } catch (error) {
    const advice = s3 ? "doctor.advice.bucket" : "doctor.advice.folder";
    return fault("doctor.storage.fault", advice, { place, reason: reasonOf(error) });
  }
};

const storage = ({ app }: Patient): Promise<Finding> => judgeStorage(app.storage, app.config);

const ffmpeg = async ({ app }: Patient): Promise<Finding> =>
  app.video ? ok("doctor.video.ok") : warning("doctor.video.none", "doctor.advice.video");

export const MACHINE: Check[] = [
  { name: "configuration", run: configuration },
  { name: "database", run: database },
  { name: "replica", run: replica },
  { name: "disk", run: disk },
  { name: "storage", run: storage },
  { name: "ffmpeg", run: ffmpeg },
  { name: "backup", run: backup },
  { name: "drill", run: drill },
];
