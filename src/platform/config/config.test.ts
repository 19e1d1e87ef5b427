// The configuration: defaults, one sentence for every wrong value, the rules of LOCAL_HTTPS, .env.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { ConfigError } from "../errors.ts";
import { readConfig } from "./config.ts";
import { VARIABLES, variablesTable } from "./variables.ts";
import type { Env } from "./parse.ts";

/** One sentence: begins with a capital, ends with a full stop, has no line break. */
const isSentence = (text: string): boolean => /^[A-Z][^\n]*\.$/.test(text);

const refusal = (env: Env): string => {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    assert.ok(isSentence(error.message), error.message);
    return error.message;
  }
  throw new assert.AssertionError({ message: `accepted: ${JSON.stringify(env)}` });
};

test("nothing is needed", () => {
  const config = readConfig({});
  assert.deepEqual(config.site, {
    localDomain: "localhost:3000",
    webDomain: "localhost:3000",
    https: false,
    origin: "http://localhost:3000",
    mediaUrl: "http://localhost:3000/media",
    former: [],
    streamingOrigin: "ws://localhost:3000",
  });
  assert.deepEqual(config.http, {
    port: 3000,
    bind: "127.0.0.1",
    trustedProxies: ["127.0.0.1/8", "::1/128"],
    rateLimits: true,
    metricsToken: null,
  });
  assert.equal(config.dataDir, resolve("data"));
  assert.deepEqual(config.database, { url: null, pooler: null, replica: null, pool: 5 });
  assert.deepEqual(config.jobs, { concurrency: 20 });
  assert.equal(config.mail.server, null);
  assert.equal(config.mail.from, "notifications@localhost");
  assert.deepEqual(config.outbound.allowedPrivateAddresses, []);
  assert.equal(config.instance.maxCharacters, 500);
  assert.equal(config.log.level, "info");
  assert.deepEqual(Object.values(config.givenSecrets), [null, null, null]);
});

test("empty and blank values count as absent, values are trimmed", () => {
  const blank = Object.fromEntries(VARIABLES.map(({ name }) => [name, "  "]));
  assert.deepEqual(readConfig(blank), readConfig({}));
  assert.equal(readConfig({ PORT: " 81 ", LOCAL_DOMAIN: " social.example \n" }).http.port, 81);
});

test("a wrong value is refused in one sentence that names the variable and the value", () => {
  const wrong: Record<string, string[]> = {
    PORT: ["-1", "65536", "http", "3000.5", "0x50", "1e3", "3 000"],
    SMTP_PORT: ["0", "70000", "smtp"],
    DB_POOL: ["1", "201", "many"],
    DEFAULT_LOCALE: ["xx", "English", "en us"],
    JOB_CONCURRENCY: ["0", "501", "two"],
    MAX_TOOT_CHARS: ["0", "100001", "500 characters"],
    LOCAL_HTTPS: ["maybe", "2"],
    SMTP_TLS: ["starttls"],
    MEDIA_ACCEL_PREFIX: ["media", "/a b", "/a//b", "https://a.example/media"],
    MEDIA_STORAGE: ["s3", "tape"],
    LOG_LEVEL: ["loud", "INFO"],
    LOG_FORMAT: ["xml"],
    TRUSTED_PROXY_IP: ["nginx", "10.0.0.0/33", "1", "10.0.0.0/8, x", "10.0.0.1/", "0x7f.1"],
    ALLOWED_PRIVATE_ADDRESSES: ["localhost", "::1/129", "127.0.0.1:80"],
    LOCAL_DOMAIN: [
      "https://social.example",
      "social.example/",
      "me@social.example",
      "a b",
      "a?b",
      "a#b",
      "social.example\\x",
      "social.example:99999",
      "social.example:http",
      "*.example",
      "[::1",
      "a,b.example",
      "%00.example",
      "1.2.3.4.5",
      "(a).example",
    ],
    WEB_DOMAIN: ["http://x.example", "x.example/path"],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const message = refusal({ [name]: value });
      assert.ok(message.includes(name), message);
    }
  }
  const oidc = { OIDC_ENABLED: "1", OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "x" };
  assert.match(refusal({ ...oidc, OIDC_SCOPE: "email,profile" }), /OIDC_SCOPE must have openid/);
  assert.match(refusal({ DATABASE_URL: "mysql://x" }), /DATABASE_URL must look like/);
  assert.match(
    refusal({ DATABASE_DIRECT_URL: "postgres://x/y" }),
    /DATABASE_URL be the address of a pooler/,
  );
  assert.match(
    refusal({ DATABASE_REPLICA_URL: "postgres://x/y" }),
    /DATABASE_URL be the address of what it is a replica of/,
  );
  assert.match(refusal({ REDIS_URL: "localhost:6379" }), /REDIS_URL must look like/);
  assert.match(refusal({ REDIS_URL: "redis://one:1,other:2/3" }), /the database 0 alone/);
  assert.match(refusal({ PORT: "http" }), /from 0 to 65535, not “http”/);
});

test("a password in a wrong DATABASE_URL is not repeated", () => {
  assert.doesNotMatch(refusal({ DATABASE_URL: "pg://me:s3cret@host/db" }), /s3cret/);
});

test("addresses are listed with commas, spaces or both", () => {
  const { http } = readConfig({ TRUSTED_PROXY_IP: "10.0.0.0/8, 192.168.1.1 ::1,fd00::/8" });
  assert.deepEqual(http.trustedProxies, ["10.0.0.0/8", "192.168.1.1", "::1", "fd00::/8"]);
});

test("domains are lower-cased, in ASCII, with their port, IPv6 in brackets", () => {
  const local = (value: string) => readConfig({ LOCAL_DOMAIN: value }).site.localDomain;
  assert.equal(local("Social.Example"), "social.example");
  assert.equal(local("bücher.example"), "xn--bcher-kva.example");
  assert.equal(local("münchen.test:8080"), "xn--mnchen-3ya.test:8080");
  assert.equal(local("[::1]:3000"), "[::1]:3000");
  assert.equal(local("[FD00:0::1]"), "[fd00::1]");
  assert.equal(local("192.168.1.5:3000"), "192.168.1.5:3000");
});

test("domains without a name between dots, or that begin or end with a hyphen, are typing errors", () => {
  for (const domain of ["club..example", ".example", "-club.example", "club-.example"])
    assert.match(refusal({ LOCAL_DOMAIN: domain }), /LOCAL_DOMAIN must be a bare domain/, domain);
  for (const domain of ["a", "my_app:3000", "xn--bcher-kva.example", "a-b.c_d.example"])
    assert.equal(readConfig({ LOCAL_DOMAIN: domain }).site.localDomain, domain);
});

test("WEB_DOMAIN serves, LOCAL_DOMAIN names", () => {
  const { site, mail } = readConfig({
    LOCAL_DOMAIN: "example.com",
    WEB_DOMAIN: "social.example.com",
  });
  assert.deepEqual(site, {
    localDomain: "example.com",
    webDomain: "social.example.com",
    https: true,
    origin: "https://social.example.com",
    mediaUrl: "https://social.example.com/media",
    former: [],
    streamingOrigin: "wss://social.example.com",
  });
  assert.equal(mail.from, "notifications@example.com");
});

const LOOPBACK = ["localhost", "localhost:3000", "127.0.0.1:80", "127.8.9.1", "[::1]", "[::1]:9"];
const PRIVATE = [
  "rookery",
  "a.test",
  "a.b.test:81",
  "x.local",
  "x.internal",
  "x.home.arpa",
  "x.invalid",
  "x.example",
  "10.1.2.3",
  "192.168.0.9:3000",
  "172.17.0.2",
  "[fd00::1]:3000",
  "[fe80::1]",
];
const PUBLIC = [
  "example.com",
  "social.example.org:8443",
  "test.com",
  "localhost.com",
  "mylocalhost.net",
  "a.test.",
  "8.8.8.8",
  "203.1.113.9:80",
  "[2606:4700::1111]",
  "x.bücher",
];

test("https unless the domain is this machine; http on request for names that are not public", () => {
  const https = (domain: string, proxy?: string) =>
    readConfig({ LOCAL_DOMAIN: domain, LOCAL_HTTPS: proxy }).site.https;
  for (const domain of [...LOOPBACK, "a.localhost", "a.localhost:3000"]) {
    assert.equal(https(domain), false, domain);
    assert.equal(https(domain, "true"), true, domain);
    assert.equal(https(domain, "false"), false, domain);
  }
  for (const domain of PRIVATE) {
    assert.equal(https(domain), true, domain);
    for (const word of ["false", "0", "NO", "off"])
      assert.equal(https(domain, word), false, domain);
  }
  for (const domain of PUBLIC) {
    assert.equal(https(domain), true, domain);
    assert.match(refusal({ LOCAL_DOMAIN: domain, LOCAL_HTTPS: "false" }), /public domain/, domain);
  }
});

test("both domains count for LOCAL_HTTPS=false", () => {
  const [mine, other] = ["a.test", "example.com"];
  refusal({ LOCAL_DOMAIN: mine, WEB_DOMAIN: other, LOCAL_HTTPS: "false" });
  refusal({ LOCAL_DOMAIN: other, WEB_DOMAIN: mine, LOCAL_HTTPS: "false" });
  refusal({ LOCAL_DOMAIN: other, WEB_DOMAIN: "localhost:3000" });
});

test("media is in DATA_DIR, or in a bucket that people may read directly", () => {
  assert.equal(readConfig({}).storage.s3, null);
  const bucket = readConfig({ S3_BUCKET: "files", S3_ENDPOINT: "https://s3.example/" });
  assert.equal(bucket.storage.s3?.endpoint, "https://s3.example");
  assert.equal(bucket.storage.s3?.pathStyle, true);
  assert.equal(bucket.site.mediaUrl, `${bucket.site.origin}/media`);
  const direct = readConfig({ S3_BUCKET: "files", S3_PUBLIC_URL: "https://files.example/" });
  assert.equal(direct.site.mediaUrl, "https://files.example");
  const below = readConfig({
    S3_BUCKET: "files",
    S3_PUBLIC_URL: "https://files.example/",
    S3_FOLDER: "/social/media/",
  });
  assert.equal(below.storage.s3?.folder, "social/media");
  assert.equal(below.site.mediaUrl, "https://files.example/social/media");
  assert.match(refusal({ AWS_ACCESS_KEY_ID: "me" }), /set together/);
});

test("variables.json documents every variable that is read, once, and no other", () => {
  const read = new Set<string>();
  const spy = new Proxy<Env>(
    {},
    {
      get(_target, name) {
        read.add(String(name));
        return undefined;
      },
    },
  );
  readConfig(spy);
  const documented = VARIABLES.map(({ name }) => name);
  assert.deepEqual([...read].toSorted(), documented.toSorted());
  assert.equal(new Set(documented).size, documented.length);
});

test("the table has a row for each variable, and nothing that breaks a row", () => {
  const lines = variablesTable().split("\n");
  assert.equal(lines.length, VARIABLES.length + 2);
  for (const line of lines) assert.equal(line.match(/\|/g)?.length, 4, line);
  for (const { help } of VARIABLES) assert.ok(help.endsWith("."), help);
});

/** What a process in `folder` reads: .env is looked for in the working directory. */
const readIn = (folder: string, env: Record<string, string>): unknown => {
  const module = new URL("./config.ts", import.meta.url).href;
  const script = `import { readConfig, readEnvironment } from ${JSON.stringify(module)};
    const { http, instance, mail } = readConfig(readEnvironment());
    console.log(JSON.stringify([http.port, instance.title, instance.description, mail.password]));`;
  const args = ["--input-type=module", "--eval", script];
  const options = { cwd: folder, env: { PATH: process.env["PATH"], ...env }, encoding: "utf8" };
  return JSON.parse(execFileSync(process.execPath, args, options as { encoding: "utf8" }));
};

test("the environment overrides .env; quotes and comments in .env work", () => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-env-"));
  try {
    assert.deepEqual(readIn(folder, { PORT: "1234" }), [1234, "Rookery", "", null]);
    const lines = [
      "# a comment",
      "PORT=4000",
      "export INSTANCE_TITLE='Our # town'",
      'INSTANCE_DESCRIPTION="Für alle" # really',
      "SMTP_PASSWORD=a=b$c",
    ];
    writeFileSync(join(folder, ".env"), lines.join("\n"));
    assert.deepEqual(readIn(folder, {}), [4000, "Our # town", "Für alle", "a=b$c"]);
    assert.deepEqual(readIn(folder, { PORT: "5000", INSTANCE_TITLE: "Over" }), [
      5000,
      "Over",
      "Für alle",
      "a=b$c",
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
