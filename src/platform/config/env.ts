// Every environment variable that Rookery reads, flat and documented. `rookery config` and the
// README's table are made from this list; process.env is read in this folder and nowhere else.

export type Variable = { name: string; default: string; help: string };

export const VARIABLES: Variable[] = [
  {
    name: "LOCAL_DOMAIN",
    default: "localhost:PORT",
    help: "The domain in people's handles (@name@LOCAL_DOMAIN). It cannot change once others know your server.",
  },
  {
    name: "WEB_DOMAIN",
    default: "LOCAL_DOMAIN",
    help: "The domain that serves the pages and the API, when it is another than LOCAL_DOMAIN.",
  },
  {
    name: "LOCAL_HTTPS",
    default: "true; false when the domain is localhost",
    help: "`false`: our own and our peers' addresses are http. For development and tests only; refused for a public domain.",
  },
  { name: "PORT", default: "3000", help: "The port to listen on." },
  { name: "BIND", default: "127.0.0.1", help: "The address to listen on; `0.0.0.0` for all." },
  {
    name: "DATA_DIR",
    default: "./data",
    help: "Where everything lives: the database, media, generated secrets, written mail.",
  },
  {
    name: "DATABASE_URL",
    default: "(embedded)",
    help: "An outside PostgreSQL (15 or newer) to use instead of the one inside, e.g. `postgres://user:password@host/rookery`.",
  },
  {
    name: "REDIS_URL",
    default: "(none)",
    help: "Valkey or Redis, needed only when several processes share the work. Not supported yet.",
  },
  {
    name: "SECRET_KEY_BASE",
    default: "(generated)",
    help: "The secret that signs sessions and forms; made once in DATA_DIR/secrets unless given.",
  },
  {
    name: "VAPID_PUBLIC_KEY",
    default: "(generated)",
    help: "The Web Push key pair's public half, base64url; made once in DATA_DIR/secrets unless given.",
  },
  {
    name: "VAPID_PRIVATE_KEY",
    default: "(generated)",
    help: "The Web Push key pair's private half, base64url.",
  },
  {
    name: "SMTP_SERVER",
    default: "(none)",
    help: "The mail server's host. Without it mail is written to the log and to DATA_DIR/mail.",
  },
  { name: "SMTP_PORT", default: "587", help: "The mail server's port." },
  { name: "SMTP_LOGIN", default: "(none)", help: "The user name at the mail server." },
  { name: "SMTP_PASSWORD", default: "(none)", help: "The password at the mail server." },
  {
    name: "SMTP_FROM_ADDRESS",
    default: "notifications@LOCAL_DOMAIN",
    help: "The sender of our mail.",
  },
  {
    name: "SMTP_TLS",
    default: "false",
    help: "`true`: TLS from the first byte (port 465); otherwise STARTTLS where the server offers it.",
  },
  {
    name: "ALLOWED_PRIVATE_ADDRESSES",
    default: "(none)",
    help: "Private addresses that we may fetch from and deliver to, as CIDRs or single addresses, separated by commas.",
  },
  {
    name: "LIBRE_TRANSLATE_ENDPOINT",
    default: "(none)",
    help: "The address of a LibreTranslate that translates posts, e.g. `http://127.0.0.1:5000`; it may be a private one.",
  },
  {
    name: "LIBRE_TRANSLATE_API_KEY",
    default: "(none)",
    help: "Its key, where it wants one.",
  },
  {
    name: "DEEPL_API_KEY",
    default: "(none)",
    help: "The key of a DeepL account that translates posts; it is taken before LibreTranslate.",
  },
  { name: "DEEPL_PLAN", default: "free", help: "That account's plan: `free` or `pro`." },
  {
    name: "TRUSTED_PROXY_IP",
    default: "127.0.0.1/8,::1/128",
    help: "Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, separated by commas.",
  },
  {
    name: "RATE_LIMITS",
    default: "true",
    help: "`false`: the API may be asked as often as anybody likes. For tests and benchmarks; sign-in, sign-up and mails stay limited.",
  },
  {
    name: "DISALLOW_UNAUTHENTICATED_API_ACCESS",
    default: "false",
    help: "Whether the API answers only people who have signed in. Pages, federation and what names the server stay open.",
  },
  {
    name: "DEFAULT_LOCALE",
    default: "en",
    help: "The language of pages and of posts whose author chose none.",
  },
  { name: "MAX_TOOT_CHARS", default: "500", help: "How many characters a post may have." },
  {
    name: "INSTANCE_TITLE",
    default: "Rookery",
    help: "The server's name, until it is set in the settings.",
  },
  {
    name: "INSTANCE_DESCRIPTION",
    default: "(empty)",
    help: "One sentence on what the server is for.",
  },
  { name: "CONTACT_EMAIL", default: "(empty)", help: "The address to write to about the server." },
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
    default: "10",
    help: "How many database connections the web part may hold.",
  },
  {
    name: "JOB_CONCURRENCY",
    default: "20",
    help: "How many background jobs run at the same time.",
  },
  {
    name: "CREDENTIAL_CACHE_SECONDS",
    default: "60",
    help: "How long a token's check is cached, 60 at most. The database tells of every change by LISTEN; set 0 where that does not pass (a pooler in transaction mode).",
  },
  {
    name: "STATUS_CACHE",
    default: "true",
    help: "`false`: nothing that is stored is cached, but read from the database each time. For when something else writes into it.",
  },
  {
    name: "CACHE_MB",
    default: "64",
    help: "How much memory the caches may take in all, in megabytes; `src/cache-shares.ts` shares it out. More is better where many people read at the same time.",
  },
  {
    name: "METRICS_TOKEN",
    default: "(none)",
    help: "The bearer token that opens `/metrics`; without it the path is closed.",
  },
];
