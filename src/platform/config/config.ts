// Reads the configuration once at the start from the environment and the .env file, validates it, and nests it.

import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { parseEnv } from "node:util";
import ipaddr from "ipaddr.js";
import { ConfigError } from "../errors.ts";
import { fromMultikey } from "../text/multibase.ts";
import { says } from "../text/texts.ts";
import { refuseMediaTarget } from "./backup-target.ts";
import { originWith } from "./names.ts";
import type { FormerNames } from "./names.ts";
import { addresses, boolean, domain, integer, language, oneOf, optional, text } from "./parse.ts";
import type { Env } from "./parse.ts";
import { readLdap } from "./ldap.ts";
import { readSaml } from "./saml.ts";
import { readSso } from "./sso.ts";
import { findSecrets, loadSecrets, staffKeyOf } from "./secrets.ts";

export type Config = ReturnType<typeof readConfig>;

/** Names and addresses that are never on the public internet (RFC 2606, 6761, 8375) may use plain http. */
const isPrivateName = (host: string): boolean => {
  const name = host.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(name)) return ipaddr.process(name).range() !== "unicast";
  return (
    !name.includes(".") ||
    /\.(?:localhost|test|example|invalid|internal|local|home\.arpa|localdomain)$/.test(name)
  );
};

/** Whether a domain is on the public internet. */
export const isDomainPublic = (domain: string): boolean => !isPrivateName(domain);

const isLoopbackName = (host: string): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|[^:]*\.localhost)(?::\d+)?$/.test(host);

export const isHttpsDefault = (webDomain: string): boolean => !isLoopbackName(webDomain);

const readHttps = (env: Env, localDomain: string, webDomain: string): boolean => {
  const https = boolean(env, "LOCAL_HTTPS", isHttpsDefault(webDomain));
  if (!https && !(isPrivateName(localDomain) && isPrivateName(webDomain))) {
    throw new ConfigError(
      `LOCAL_HTTPS=false is for development only and ${webDomain} is a public domain: remove LOCAL_HTTPS and terminate TLS in a reverse proxy.`,
    );
  }
  return https;
};

const readSite = (env: Env, port: number) => {
  const localDomain = domain(env, "LOCAL_DOMAIN", `localhost:${port}`);
  const webDomain = domain(env, "WEB_DOMAIN", localDomain);
  const https = readHttps(env, localDomain, webDomain);
  return {
    localDomain,
    webDomain,
    https,
    /** The origin of every URL of this server, without a trailing slash. */
    origin: originWith({ webDomain, https }),
    /**
     * Names that this server had before; they are data, and are read when the database is opened (db/site-names.ts).
     */
    former: [] as FormerNames[],
    streamingOrigin: `${https ? "wss" : "ws"}://${webDomain}`,
  };
};

const readMail = (env: Env, localDomain: string) => ({
  server: optional(env, "SMTP_SERVER"),
  port: integer(env, "SMTP_PORT", 587, 1, 65535),
  login: optional(env, "SMTP_LOGIN"),
  password: optional(env, "SMTP_PASSWORD"),
  tls: boolean(env, "SMTP_TLS", false),
  from: text(env, "SMTP_FROM_ADDRESS", `notifications@${localDomain.replace(/:\d+$/, "")}`),
});

const readCaptcha = (env: Env) => {
  const siteKey = optional(env, "HCAPTCHA_SITE_KEY");
  const secret = optional(env, "HCAPTCHA_SECRET_KEY");
  const verifyUrl = text(env, "HCAPTCHA_VERIFY_URL", "https://api.hcaptcha.com/siteverify");
  if (!URL.canParse(verifyUrl)) throw new ConfigError("HCAPTCHA_VERIFY_URL must be an address.");
  if ((siteKey === null) !== (secret === null)) {
    throw new ConfigError("Set both HCAPTCHA_SITE_KEY and HCAPTCHA_SECRET_KEY, or neither.");
  }
  return siteKey === null || secret === null ? null : { siteKey, secret, verifyUrl };
};

const DEEPL_ENDPOINTS = {
  free: "https://api-free.deepl.com",
  pro: "https://api.deepl.com",
};

const serviceUrl = (env: Env, name: string): string | null => {
  const url = optional(env, name);
  if (url === null) return null;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new ConfigError(says("reason.config.address", { name }));
  }
  return url.replace(/\/+$/, "");
};

const readTranslation = (env: Env) => {
  const endpoint = serviceUrl(env, "LIBRE_TRANSLATE_ENDPOINT");
  const libreKey = optional(env, "LIBRE_TRANSLATE_API_KEY");
  const deeplKey = optional(env, "DEEPL_API_KEY");
  const plan = oneOf(env, "DEEPL_PLAN", ["free", "pro"] as const, "free");
  return {
    deepl: deeplKey === null ? null : { endpoint: DEEPL_ENDPOINTS[plan], apiKey: deeplKey },
    libreTranslate: endpoint === null ? null : { endpoint, apiKey: libreKey },
  };
};

const readS3Service = (env: Env) => {
  const endpoint = serviceUrl(env, "S3_ENDPOINT");
  const accessKeyId = optional(env, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = optional(env, "AWS_SECRET_ACCESS_KEY");
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    throw new ConfigError(says("reason.config.keys"));
  }
  return {
    endpoint,
    region: text(env, "S3_REGION", "us-east-1"),
    pathStyle: boolean(env, "S3_PATH_STYLE", endpoint !== null),
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
  };
};

const readS3 = (env: Env) => {
  const bucket = optional(env, "S3_BUCKET");
  const service = readS3Service(env);
  /** Public address of the files; null where this server passes them on. */
  const publicUrl = serviceUrl(env, "S3_PUBLIC_URL");
  const folder = text(env, "S3_FOLDER", "").replace(/^\/+|\/+$/g, "");
  return bucket === null ? null : { bucket, ...service, publicUrl, folder };
};

const SAMPLERS = ["always_on", "always_off", "traceidratio"] as const;

/** Reads where traces are sent: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
const readTracing = (env: Env) => {
  const all = serviceUrl(env, "OTEL_EXPORTER_OTLP_ENDPOINT");
  const url = serviceUrl(env, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") ?? (all && `${all}/v1/traces`);
  const isDisabled = boolean(env, "OTEL_SDK_DISABLED", false);
  const exporter = text(env, "OTEL_TRACES_EXPORTER", "otlp");
  const protocol = text(env, "OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
  const named = text(env, "OTEL_TRACES_SAMPLER", "always_on").replace(/^parentbased_/, "");
  const ratio = Number(text(env, "OTEL_TRACES_SAMPLER_ARG", "1"));
  if (url === null || isDisabled || exporter === "none") return null;
  if (protocol === "grpc") {
    throw new ConfigError(
      "OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported: use the collector's port for HTTP, mostly 4318.",
    );
  }
  const sampler = SAMPLERS.find((sampler) => sampler === named);
  if (!sampler || !(ratio >= 0 && ratio <= 1)) {
    throw new ConfigError(
      `OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(", ")}, and OTEL_TRACES_SAMPLER_ARG a number from 0 to 1.`,
    );
  }
  return { url, sampler, ratio };
};

/** Reads where versions are announced, and by whose keys; null where nobody is asked. */
const readUpdateFeed = (env: Env) => {
  const url = serviceUrl(env, "UPDATE_FEED");
  const typed = text(env, "UPDATE_FEED_KEY", "");
  if (url === null) return null;
  const keys = typed.split(",").map((key) => {
    const known = fromMultikey(key.trim());
    if (!known)
      throw new ConfigError("UPDATE_FEED needs UPDATE_FEED_KEY, keys that begin with z6Mk.");
    return known;
  });
  return { url, keys };
};

/** Reads where and how often scheduled backups are made. */
const readBackup = (env: Env, dataDir: string, storage: ReturnType<typeof readStorage>) => {
  const to = optional(env, "BACKUP_TO");
  const isBucket = to !== null && /^s3:\/\/[a-z0-9]/.test(to);
  if (to !== null && !isBucket && !isAbsolute(to)) {
    throw new ConfigError(says("reason.config.backup_path", { value: to }));
  }
  if (to !== null && !isBucket && `${resolve(to)}/`.startsWith(`${dataDir}/`)) {
    throw new ConfigError(says("reason.config.backup_inside"));
  }
  if (to !== null) refuseMediaTarget(to, { dataDir, storage });
  return {
    /** A folder, so it ends with a slash. */
    to: to && `${to.replace(/\/+$/, "")}/`,
    everyHours: integer(env, "BACKUP_EVERY_HOURS", 24, 1, 8_760),
    keep: integer(env, "BACKUP_KEEP", 7, 1, 1_000),
    passphrase: optional(env, "BACKUP_PASSPHRASE"),
    service: readS3Service(env),
  };
};

const readStorage = (env: Env) => {
  const accelPrefix = optional(env, "MEDIA_ACCEL_PREFIX")?.replace(/\/+$/, "") ?? null;
  if (accelPrefix !== null && !/^(?:\/[\w.-]+)+$/.test(accelPrefix)) {
    throw new ConfigError(
      "MEDIA_ACCEL_PREFIX must be the path of an internal location, such as /protected/media.",
    );
  }
  const sendfile = boolean(env, "MEDIA_SENDFILE", false);
  if (sendfile && accelPrefix !== null) {
    throw new ConfigError("Set MEDIA_ACCEL_PREFIX for nginx or MEDIA_SENDFILE, not both.");
  }
  const s3 = readS3(env);
  const main = oneOf(env, "MEDIA_STORAGE", ["disk", "s3"] as const, s3 ? "s3" : "disk");
  if (main === "s3" && !s3) throw new ConfigError(says("reason.config.bucket"));
  return { s3, main, accelPrefix, sendfile };
};

/** Returns the public address of the media, or null where this server serves them. */
const mediaUrl = ({ s3, main }: ReturnType<typeof readStorage>): string | null =>
  main === "s3" && s3?.publicUrl ? [s3.publicUrl, s3.folder].filter(Boolean).join("/") : null;

const isDatabaseUrl = (url: string): boolean => /^postgres(?:ql)?:\/\//.test(url);

const readDatabaseUrls = (env: Env) => {
  const [url, direct] = [optional(env, "DATABASE_URL"), optional(env, "DATABASE_DIRECT_URL")];
  const replica = optional(env, "DATABASE_REPLICA_URL");
  if (url !== null && !isDatabaseUrl(url)) {
    throw new ConfigError(
      "DATABASE_URL must look like postgres://user:password@host/database; remove it to use the built-in database.",
    );
  }
  if (replica !== null && (!isDatabaseUrl(replica) || url === null)) {
    throw new ConfigError(
      "DATABASE_REPLICA_URL must look like postgres://user:password@host/database, and DATABASE_URL be the address of what it is a replica of.",
    );
  }
  if (direct === null) return { url, pooler: null, replica };
  if (!isDatabaseUrl(direct) || url === null) {
    throw new ConfigError(
      "DATABASE_DIRECT_URL must look like postgres://user:password@host/database, and DATABASE_URL be the address of a pooler in front of it.",
    );
  }
  return { url: direct, pooler: url, replica };
};

const checkRedisUrl = (url: string | null): string | null => {
  if (url !== null && !/^(?:rediss?:\/\/|\/)./.test(url)) {
    throw new ConfigError(
      "REDIS_URL must look like redis://:password@host:6379/0, rediss:// with TLS, /the/path/of/a/socket, or redis://:password@one:6379,other:6379 for nodes of a cluster.",
    );
  }
  if (url !== null && /^rediss?:\/\/[^/]*,[^/]*\/[^/]*[^0/]/.test(url)) {
    throw new ConfigError("REDIS_URL names nodes of a cluster, which has the database 0 alone.");
  }
  return url;
};

/**
 * Reads and validates everything; throws ConfigError with one sentence for the first fault. It writes nothing:
 * `loadSecrets` creates the secrets when a server or command starts.
 */
export const readConfig = (env: Env) => {
  const port = integer(env, "PORT", 3000, 0, 65535);
  const site = readSite(env, port);
  const dataDir = resolve(text(env, "DATA_DIR", "./data"));
  const storage = readStorage(env);
  return {
    site: { ...site, mediaUrl: mediaUrl(storage) ?? `${site.origin}/media` },
    storage,
    http: {
      port,
      bind: text(env, "BIND", "127.0.0.1"),
      trustedProxies: addresses(env, "TRUSTED_PROXY_IP", ["127.0.0.1/8", "::1/128"]),
      rateLimits: boolean(env, "RATE_LIMITS", true),
      metricsToken: optional(env, "METRICS_TOKEN"),
    },
    dataDir,
    disk: {
      dataDir,
      reserveBytes: integer(env, "DISK_RESERVE_MB", 200, 0, 1_000_000_000) * 1024 * 1024,
    },
    dataDirWithoutLocks: boolean(env, "DATA_DIR_WITHOUT_LOCKS", false),
    database: {
      /**
       * `url` is the database itself; `pooler` stands before it and gets everything that needs no session; `replica`
       * may answer reads, through a pooler where the other has one.
       */
      ...readDatabaseUrls(env),
      // Several processes share the connections that PostgreSQL allows.
      pool: integer(env, "DB_POOL", optional(env, "REDIS_URL") === null ? 5 : 3, 2, 200),
    },
    backup: readBackup(env, dataDir, storage),
    updates: readUpdateFeed(env),
    tracing: readTracing(env),
    redisUrl: checkRedisUrl(optional(env, "REDIS_URL")),
    caches: {
      credentialSeconds: integer(env, "CREDENTIAL_CACHE_SECONDS", 60, 0, 3600),
      enabled: boolean(env, "STATUS_CACHE", true),
      megabytes: integer(env, "CACHE_MB", 64, 8, 65_536),
    },
    access: {
      closed: boolean(env, "DISALLOW_UNAUTHENTICATED_API_ACCESS", false),
      limitedFederation: boolean(env, "LIMITED_FEDERATION_MODE", false),
      // In limited federation mode, servers that are not allowed must not read either.
      signedFetches:
        boolean(env, "AUTHORIZED_FETCH", false) || boolean(env, "LIMITED_FEDERATION_MODE", false),
    },
    media: {
      ffmpeg: text(env, "FFMPEG_PATH", "ffmpeg"),
      processes: integer(env, "MEDIA_PROCESSES", Math.max(1, availableParallelism() - 1), 1, 64),
      cacheBytes: integer(env, "MEDIA_CACHE_GB", 5, 0, 1_000_000) * 1024 ** 3,
    },
    jobs: { concurrency: integer(env, "JOB_CONCURRENCY", 20, 1, 500) },
    retention: {
      /** Days; 0 keeps notifications for ever. */
      notificationDays: integer(env, "NOTIFICATION_RETENTION_DAYS", 365, 0, 36_500),
      remoteStatusDays: integer(env, "REMOTE_STATUS_RETENTION_DAYS", 0, 0, 36_500),
    },
    mail: readMail(env, site.localDomain),
    translation: readTranslation(env),
    captcha: readCaptcha(env),
    sso: readSso(env, site.origin),
    ldap: readLdap(env),
    saml: readSaml(env, site.origin),
    previewCards: boolean(env, "PREVIEW_CARDS", true),
    outbound: { allowedPrivateAddresses: addresses(env, "ALLOWED_PRIVATE_ADDRESSES", []) },
    instance: {
      title: text(env, "INSTANCE_TITLE", "Rookery"),
      description: text(env, "INSTANCE_DESCRIPTION", ""),
      contactEmail: text(env, "CONTACT_EMAIL", ""),
      locale: language(env, "DEFAULT_LOCALE", "en"),
      maxCharacters: integer(env, "MAX_TOOT_CHARS", 500, 1, 100_000),
    },
    log: {
      level: oneOf(
        env,
        "LOG_LEVEL",
        ["trace", "debug", "info", "warn", "error", "silent"] as const,
        "info",
      ),
      pretty:
        oneOf(env, "LOG_FORMAT", ["json", "pretty"] as const, defaultLogFormat()) === "pretty",
    },
    givenSecrets: {
      secretKeyBase: optional(env, "SECRET_KEY_BASE"),
      vapidPublicKey: optional(env, "VAPID_PUBLIC_KEY"),
      vapidPrivateKey: optional(env, "VAPID_PRIVATE_KEY"),
    },
  };
};

const defaultLogFormat = () => (process.stdout.isTTY ? "pretty" : "json");

/** Reads the variables of the process's environment alone. */
export const readVariables = (): Env => process.env;

/** Reads the .env file of the working directory; the process's environment overrides it. */
export const readEnvironment = (): Env => {
  const file = existsSync(".env") ? parseEnv(readFileSync(".env", "utf8")) : {};
  return { ...file, ...process.env };
};

export const withSecrets = (config: Config) => {
  const secrets = loadSecrets(config.dataDir, config.givenSecrets);
  return { ...config, site: { ...config.site, staffKey: staffKeyOf(secrets) }, secrets };
};

export type FullConfig = ReturnType<typeof withSecrets>;

/**
 * Adds existing secrets for commands, which create none: in a wrong folder these would differ from the server's. Where
 * there are none, whatever needs them throws ConfigError.
 */
export const withFoundSecrets = (config: Config): FullConfig => {
  if (findSecrets(config.dataDir, config.givenSecrets)) return withSecrets(config);
  const missing = (): never => {
    throw new ConfigError(
      `There are no secrets in ${config.dataDir}: set DATA_DIR to the data folder of the server, as its own settings do.`,
    );
  };
  const site = Object.defineProperty({ ...config.site }, "staffKey", { get: missing });
  return Object.defineProperty({ ...config, site }, "secrets", { get: missing }) as FullConfig;
};

/** Gives libraries, which read the process's environment, the standard variables of the .env file. */
export const exposeStandardVariables = (): void => {
  for (const [name, value] of Object.entries(readEnvironment())) {
    if (name.startsWith("OTEL_")) process.env[name] ??= value;
  }
};
