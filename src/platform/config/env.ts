// Every environment variable that Rookery reads, with its default and description. `rookery config` and
// the table of docs/CONFIGURATION.md come from this list; process.env is read in this folder and nowhere else.

export type Variable = { name: string; default: string; help: string };

export const VARIABLES: Variable[] = [
  {
    name: "LOCAL_DOMAIN",
    default: "localhost:PORT",
    help: "The domain in people's handles (@name@LOCAL_DOMAIN). Stored at the first start; a start under another one is refused. `rookery move-domain` changes it (docs/SWITCHING.md).",
  },
  {
    name: "WEB_DOMAIN",
    default: "LOCAL_DOMAIN",
    help: "The domain that serves the pages and the API, if it differs from LOCAL_DOMAIN.",
  },
  {
    name: "LOCAL_HTTPS",
    default: "true; false when the domain is localhost",
    help: "`false`: this server and its peers use http. For development and tests only; not allowed for a public domain.",
  },
  { name: "PORT", default: "3000", help: "The port to listen on." },
  {
    name: "BIND",
    default: "127.0.0.1",
    help: "The address to listen on; `0.0.0.0` for all interfaces.",
  },
  {
    name: "DATA_DIR",
    default: "./data",
    help: "Where Rookery stores its data: the database, media, generated secrets and undelivered email.",
  },
  {
    name: "DATA_DIR_WITHOUT_LOCKS",
    default: "false",
    help: "`true`: use a DATA_DIR whose file system cannot lock files (NFS, SMB). You then see to it that only one Rookery ever uses it.",
  },
  {
    name: "DISK_RESERVE_MB",
    default: "200",
    help: "When fewer megabytes are free on the disk of DATA_DIR, posts and messages from other servers are refused until there is room; reading goes on. A warning is logged at five times as much.",
  },
  {
    name: "DATABASE_URL",
    default: "(embedded)",
    help: "An external PostgreSQL (15 or newer) to use instead of the built-in one, e.g. `postgres://user:password@host/rookery`. A primary and its replicas, of which any may become the primary: `postgres://user:password@one:5432,other:5432/rookery`.",
  },
  {
    name: "DATABASE_DIRECT_URL",
    default: "(none)",
    help: "The address of PostgreSQL itself, if `DATABASE_URL` is that of a pooler in transaction mode (PgBouncer): for listening, locks, jobs and migrations.",
  },
  {
    name: "DATABASE_REPLICA_URL",
    default: "(none)",
    help: "A streaming replica of the database, which then answers most reads of timelines, threads, profiles and search; the primary does as long as the replica is behind or away. With `DATABASE_DIRECT_URL` it may be a pooler, too.",
  },
  {
    name: "FFMPEG_PATH",
    default: "ffmpeg",
    help: "The ffmpeg program, with ffprobe in the same folder. Without it, this server takes no videos and recordings.",
  },
  {
    name: "MEDIA_PROCESSES",
    default: "one less than processor cores",
    help: "How many pictures are read at the same time, each in a process of its own.",
  },
  {
    name: "MEDIA_CACHE_GB",
    default: "5",
    help: "Gigabytes of pictures, videos and avatars of other servers that are stored; the ones not looked at for longest go first, once an hour. 0: none are, they are passed on to whoever looks.",
  },
  {
    name: "MEDIA_STORAGE",
    default: "s3 if S3_BUCKET is set, else disk",
    help: "Where new media are stored, `disk` (DATA_DIR/media) or `s3`; what is still in the other is read from there. See [Moving media](OPERATIONS.md#moving-media).",
  },
  {
    name: "S3_BUCKET",
    default: "(none)",
    help: "The bucket of an S3-compatible service that stores media, instead of DATA_DIR/media.",
  },
  {
    name: "S3_FOLDER",
    default: "(none)",
    help: "The folder of the bucket in which all media are, e.g. `social`: other files in the bucket are left alone.",
  },
  {
    name: "S3_ENDPOINT",
    default: "(AWS)",
    help: "The address of the service, e.g. `https://s3.provider.example`.",
  },
  { name: "S3_REGION", default: "us-east-1", help: "The region of the bucket." },
  {
    name: "S3_PATH_STYLE",
    default: "true if S3_ENDPOINT is set",
    help: "`true`: the bucket is in the path of the service's addresses; `false`: in the host name.",
  },
  {
    name: "S3_PUBLIC_URL",
    default: "(none)",
    help: "The address below which everybody can read the bucket's files, e.g. `https://files.social.example`. Without it, this server reads them from the bucket and serves them at /media.",
  },
  {
    name: "AWS_ACCESS_KEY_ID",
    default: "(none)",
    help: "The access key for the bucket. Without it, the AWS library looks for a role of the machine.",
  },
  { name: "AWS_SECRET_ACCESS_KEY", default: "(none)", help: "The secret of the access key." },
  {
    name: "BACKUP_TO",
    default: "(none)",
    help: "Where backups are made by the clock: a folder, on another disk if possible, or `s3://bucket/folder` of the service above.",
  },
  {
    name: "BACKUP_EVERY_HOURS",
    default: "24",
    help: "How many hours after a backup the next one is made.",
  },
  {
    name: "BACKUP_KEEP",
    default: "7",
    help: "How many of the backups in BACKUP_TO are kept.",
  },
  {
    name: "BACKUP_PASSPHRASE",
    default: "(none)",
    help: "Backups are encrypted with it. Keep it somewhere else as well: without it they cannot be restored.",
  },
  {
    name: "MEDIA_ACCEL_PREFIX",
    default: "(none)",
    help: "The path of an internal location of nginx with DATA_DIR/media as its alias, e.g. `/protected/media`: nginx then sends the files itself (X-Accel-Redirect).",
  },
  {
    name: "MEDIA_SENDFILE",
    default: "false",
    help: "`true`: a proxy that knows X-Sendfile (Apache, lighttpd) sends the files of DATA_DIR/media itself.",
  },
  {
    name: "REDIS_URL",
    default: "(none)",
    help: "Valkey 8 or Redis 7 (or newer), e.g. `redis://:password@host:6379/0` or the path of a socket; of a cluster some nodes, `redis://:password@one:6379,other:6379`. Needed only to run several processes ([SCALING.md](SCALING.md)); everything in it can be lost.",
  },
  {
    name: "SECRET_KEY_BASE",
    default: "(generated)",
    help: "The secret that signs sessions and forms; generated once in DATA_DIR/secrets if not set.",
  },
  {
    name: "VAPID_PUBLIC_KEY",
    default: "(generated)",
    help: "The public Web Push key, in base64url; generated once in DATA_DIR/secrets if not set.",
  },
  {
    name: "VAPID_PRIVATE_KEY",
    default: "(generated)",
    help: "The private Web Push key, in base64url.",
  },
  {
    name: "SMTP_SERVER",
    default: "(none)",
    help: "The host name of the mail server. Without it, email is only written to the log and to DATA_DIR/mail.",
  },
  { name: "SMTP_PORT", default: "587", help: "The port of the mail server." },
  { name: "SMTP_LOGIN", default: "(none)", help: "The user name for the mail server." },
  { name: "SMTP_PASSWORD", default: "(none)", help: "The password for the mail server." },
  {
    name: "SMTP_FROM_ADDRESS",
    default: "notifications@LOCAL_DOMAIN",
    help: "The sender address of outgoing email.",
  },
  {
    name: "SMTP_TLS",
    default: "false",
    help: "`true`: implicit TLS (port 465); otherwise STARTTLS if the server supports it.",
  },
  {
    name: "ALLOWED_PRIVATE_ADDRESSES",
    default: "(none)",
    help: "Private addresses that Rookery may connect to: IP addresses or CIDRs, separated by commas.",
  },
  {
    name: "PREVIEW_CARDS",
    default: "true",
    help: "`false`: the pages that posts link to are not fetched, so that posts get no preview cards.",
  },
  {
    name: "LIBRE_TRANSLATE_ENDPOINT",
    default: "(none)",
    help: "The address of a LibreTranslate server for translating posts, e.g. `http://127.0.0.1:5000`; it may be private.",
  },
  {
    name: "LIBRE_TRANSLATE_API_KEY",
    default: "(none)",
    help: "The API key for that server, if it requires one.",
  },
  {
    name: "DEEPL_API_KEY",
    default: "(none)",
    help: "A DeepL API key for translating posts; takes precedence over LibreTranslate.",
  },
  { name: "DEEPL_PLAN", default: "free", help: "The DeepL plan: `free` or `pro`." },
  {
    name: "HCAPTCHA_SITE_KEY",
    default: "(none)",
    help: "With HCAPTCHA_SECRET_KEY: who signs up solves an hCaptcha before their email address is confirmed.",
  },
  {
    name: "HCAPTCHA_SECRET_KEY",
    default: "(none)",
    help: "The secret key of the hCaptcha account.",
  },
  {
    name: "HCAPTCHA_VERIFY_URL",
    default: "https://api.hcaptcha.com/siteverify",
    help: "Where the answers are checked; another one for services with the same API.",
  },
  {
    name: "TRUSTED_PROXY_IP",
    default: "127.0.0.1/8,::1/128",
    help: "Proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted, separated by commas.",
  },
  {
    name: "RATE_LIMITS",
    default: "true",
    help: "`false`: no limits on requests to the API, the inbox and pages, for tests and benchmarks. Sign-in (passwords, codes, passkeys), sign-up and email stay limited.",
  },
  {
    name: "DISALLOW_UNAUTHENTICATED_API_ACCESS",
    default: "false",
    help: "`true`: the API requires a signed-in user. Pages, federation and basic information about the server stay public.",
  },
  {
    name: "LIMITED_FEDERATION_MODE",
    default: "false",
    help: "`true`: this server only exchanges posts with the servers that an admin has allowed (domain allows).",
  },
  {
    name: "AUTHORIZED_FETCH",
    default: "false",
    help: "`true`: other servers must sign their requests for profiles and posts. Public pages stay public. Some small servers cannot do this.",
  },
  {
    name: "DEFAULT_LOCALE",
    default: "en",
    help: "The language of the server, and the default language of new accounts.",
  },
  { name: "MAX_TOOT_CHARS", default: "500", help: "The maximum length of a post in characters." },
  {
    name: "INSTANCE_TITLE",
    default: "Rookery",
    help: "The name of the server, unless set with `settings set title`.",
  },
  {
    name: "INSTANCE_DESCRIPTION",
    default: "(empty)",
    help: "A short description of the server, unless set with `settings set description`.",
  },
  {
    name: "CONTACT_EMAIL",
    default: "(empty)",
    help: "The contact address of the server, unless set with `settings set contact_email`.",
  },
  {
    name: "LOG_LEVEL",
    default: "info",
    help: "`trace`, `debug`, `info`, `warn`, `error` or `silent`.",
  },
  {
    name: "LOG_FORMAT",
    default: "json; readable on a terminal",
    help: "`json` or `pretty`.",
  },
  {
    name: "DB_POOL",
    default: "5; 3 with `REDIS_URL`",
    help: "The maximum number of database connections for requests and jobs of each process.",
  },
  {
    name: "JOB_CONCURRENCY",
    default: "20",
    help: "How many background jobs run at the same time; three times as many that wait for other servers or mail, and half as many that fetch pages for preview cards.",
  },
  {
    name: "NOTIFICATION_RETENTION_DAYS",
    default: "365",
    help: "Notifications older than this many days are deleted; `0`: never.",
  },
  {
    name: "REMOTE_STATUS_RETENTION_DAYS",
    default: "0",
    help: "Posts of other servers that are older than this many days, and that nobody here has anything to do with, are deleted; `0`: never. See [RETENTION.md](RETENTION.md).",
  },
  {
    name: "CREDENTIAL_CACHE_SECONDS",
    default: "60",
    help: "How many seconds checked tokens are cached, at most 60. Changes invalidate the cache through LISTEN; set 0 if a connection pooler in transaction mode blocks that.",
  },
  {
    name: "STATUS_CACHE",
    default: "true",
    help: "`false`: do not cache what is in the database. Needed if other programs write to it.",
  },
  {
    name: "CACHE_MB",
    default: "64",
    help: "The memory for all caches in megabytes; `src/cache-shares.ts` says how it is shared out. Raise it if many people use the server at the same time.",
  },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    default: "(none)",
    help: "An OpenTelemetry collector that gets traces by OTLP over HTTP, e.g. `http://127.0.0.1:4318`. Standard variables such as OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and OTEL_EXPORTER_OTLP_HEADERS work as well.",
  },
  {
    name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    default: "OTEL_EXPORTER_OTLP_ENDPOINT/v1/traces",
    help: "The whole address for traces, if it is another one.",
  },
  {
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    default: "http/json",
    help: "JSON over HTTP is sent in any case; `grpc` is refused.",
  },
  {
    name: "OTEL_TRACES_SAMPLER",
    default: "always_on",
    help: "`always_on`, `always_off` or `traceidratio`.",
  },
  {
    name: "OTEL_TRACES_SAMPLER_ARG",
    default: "1",
    help: "With `traceidratio`: the share of traces that are sent, from 0 to 1.",
  },
  {
    name: "OTEL_TRACES_EXPORTER",
    default: "otlp",
    help: "`none`: no traces are sent.",
  },
  {
    name: "OTEL_SDK_DISABLED",
    default: "false",
    help: "`true`: no traces are sent.",
  },
  {
    name: "METRICS_TOKEN",
    default: "(none)",
    help: "The bearer token for `/metrics`; without it, the endpoint is disabled.",
  },
];
