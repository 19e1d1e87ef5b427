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

const gigabytes = (bytes: number): string => `${(bytes / GIGABYTE).toFixed(1)} GB`;

const isOpen = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;

const configuration = async ({ app: { config } }: Patient): Promise<Finding[]> => {
  const { localDomain, webDomain } = config.site;
  const findings: Finding[] = [];
  if (isOpen(".env")) {
    findings.push(warning("Other users of this machine can read .env.", "Run chmod 600 .env."));
  }
  const secrets = join(config.dataDir, "secrets");
  if (isOpen(secrets)) {
    findings.push(
      warning(`Other users of this machine can read ${secrets}.`, `Run chmod 700 ${secrets}.`),
    );
  }
  if (!isDomainPublic(localDomain)) {
    findings.push(
      warning(
        `LOCAL_DOMAIN is ${localDomain}, which other servers cannot reach.`,
        "Set LOCAL_DOMAIN to a domain of yours before people sign up: later it takes a move that all other servers are told of (rookery move-domain).",
      ),
    );
  }
  if (!config.http.rateLimits) {
    findings.push(warning("RATE_LIMITS=false: nothing is limited.", "Remove RATE_LIMITS."));
  }
  return findings.length > 0 ? findings : [ok(`${webDomain}, data in ${config.dataDir}.`)];
};

const LATE_SECONDS = 600;

const database = async ({ app }: Patient): Promise<Finding[]> => {
  const pending = await pendingMigrations(app.sql);
  if (pending.length > 0) {
    return [
      warning(
        `${pending.length} migrations are not applied yet.`,
        "Restart the server, which applies them, or run rookery migrate.",
      ),
    ];
  }
  const facts = await selectFacts(app.sql);
  const findings: Finding[] = [];
  if (facts.connections > facts.max_connections * 0.9) {
    findings.push(
      warning(
        `${facts.connections} of ${facts.max_connections} connections are in use.`,
        "Lower DB_POOL, or raise max_connections of PostgreSQL.",
      ),
    );
  }
  if (facts.late > LATE_SECONDS) {
    findings.push(
      warning(
        `The oldest job that is due has waited for ${Math.round(facts.late / 60)} minutes.`,
        "See that the server runs; if it does, raise JOB_CONCURRENCY, or look for failed jobs in its log.",
      ),
    );
  }
  const kind = app.config.database.url ? "" : ", built in";
  const text = `PostgreSQL ${facts.version}${kind}, ${gigabytes(facts.bytes)}.`;
  return findings.length > 0 ? findings : [ok(text)];
};

const replica = async ({ app }: Patient): Promise<Finding> => {
  if (!app.replica) return skipped("There is none: reads go to the database.");
  const problem = await app.replica.look();
  const { behindBytes } = app.replica.figures();
  const replication = "See pg_stat_replication on the primary, and the log of the replica.";
  switch (problem) {
    case null:
      return ok("The replica answers, and has everything.");
    case "behind":
      return warning(
        `The replica is ${behindBytes} bytes behind: reads go to the primary until it has caught up.`,
        replication,
      );
    case "away":
      return fault("The replica does not answer: reads go to the primary.", replication);
    case "writable":
      return fault(
        "DATABASE_REPLICA_URL leads to a database that is no replica.",
        "Set the address of a streaming replica, or remove DATABASE_REPLICA_URL.",
      );
    case "foreign":
      return fault(
        "DATABASE_REPLICA_URL leads to a replica of another database.",
        "Set the address of a replica of DATABASE_URL.",
      );
  }
};

/** Checks the free space for the data. */
export const judgeDisk = async (config: Config): Promise<Finding> => {
  const { bavail, bsize } = await statfs(config.dataDir);
  const free = bavail * bsize;
  const advice = "Make room or move DATA_DIR to a larger disk; `rookery media remove` frees some.";
  const text = `${gigabytes(free)} are free for ${config.dataDir}.`;
  if (free < config.disk.reserveBytes) return fault(`${text} Nothing is accepted.`, advice);
  return free < config.disk.reserveBytes * DISK_WARN_AT ? warning(text, advice) : ok(text);
};

const disk = ({ app }: Patient): Promise<Finding> => judgeDisk(app.config);

/** Checks that files can be stored, read and deleted. */
export const judgeStorage = async (files: Files, config: Config): Promise<Finding> => {
  const { s3 } = config.storage;
  const where = s3 ? `the bucket ${s3.bucket}` : "DATA_DIR/media";
  const key = newKey("attachments", "png");
  const bytes = randomBytes(64);
  try {
    await files.put(key, Readable.from([bytes]));
    const file = await files.open(key);
    const read = file && Buffer.concat(await Array.fromAsync(file.stream as AsyncIterable<Buffer>));
    await files.delete([key]);
    if (read?.equals(bytes)) return ok(`Files can be written to ${where}, read and deleted.`);
    return fault(
      `A file in ${where} is not as it was written.`,
      "Look at the disk or the service.",
    );
  } catch (error) {
    const advice = s3
      ? "Correct S3_ENDPOINT, S3_BUCKET and the AWS keys."
      : "Make DATA_DIR writable for this user.";
    return fault(`Files cannot be stored in ${where}: ${reasonOf(error)}.`, advice);
  }
};

const storage = ({ app }: Patient): Promise<Finding> => judgeStorage(app.storage, app.config);

const ffmpeg = async ({ app }: Patient): Promise<Finding> =>
  app.video
    ? ok("ffmpeg and ffprobe are there.")
    : warning(
        "There is no ffmpeg: videos and recordings are refused.",
        "Install it (apt-get install ffmpeg), or set FFMPEG_PATH.",
      );

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
