// The PostgreSQL that tests run on: one embedded server, a template with the schema, and a fresh
// clone of it for each test file. A whole run shares one server through TEST_DATABASE_URL.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../src/platform/db/index.ts";
import type { Sql } from "../src/platform/db/index.ts";
import { startEmbedded } from "../src/platform/db/embedded.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { installWatch } from "./invalidation.ts";

const TEMPLATE = "rookery_template";

/** The URL of another database on the same server. */
export const withDatabase = (url: string, name: string): string => {
  const parsed = new URL(url.replace(/^postgres:\/\/([^@/]*@)?\//, "postgres://$1localhost/"));
  parsed.pathname = `/${name}`;
  const text = parsed.toString();
  return url.includes("localhost")
    ? text
    : text.replace("@localhost/", "@/").replace("//localhost/", "///");
};

const admin = (url: string): Sql => connect(url, { max: 1, application: "tests" });

/** Makes the template with every migration applied, and the watch over what caches are made of. */
const makeTemplate = async (url: string): Promise<void> => {
  const root = admin(url);
  await root.unsafe(`CREATE DATABASE ${TEMPLATE}`);
  await root.end();
  const templateUrl = withDatabase(url, TEMPLATE);
  const sql = admin(templateUrl);
  await migrate(sql, templateUrl);
  await installWatch(sql);
  await sql.end();
};

export type TestServer = { url: string; stop(): Promise<void> };

/** A temporary server without fsync, with the template. */
export const startTestServer = async (): Promise<TestServer> => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-test-"));
  const server = await startEmbedded({ dataDir: folder, durable: false });
  await makeTemplate(server.url);
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Gives closing connections a moment: if they were cut off, they would throw unhandled errors. */
const dropDatabase = async (root: Sql, name: string): Promise<void> => {
  for (let attempt = 0; attempt < 40; attempt++) {
    try {
      await root.unsafe(`DROP DATABASE IF EXISTS ${name}`);
      return;
    } catch {
      await sleep(50);
    }
  }
  await root.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
};

/** A clone of the template, on the run's server or, when a file runs alone, on a server of its own. */
export const cloneDatabase = async (): Promise<{ url: string; drop(): Promise<void> }> => {
  const shared = process.env["TEST_DATABASE_URL"];
  const own = shared ? null : await startTestServer();
  const serverUrl = shared ?? own!.url;
  const name = `test_${randomBytes(6).toString("hex")}`;
  const root = admin(serverUrl);
  await root.unsafe(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
  return {
    url: withDatabase(serverUrl, name),
    async drop() {
      await dropDatabase(root, name);
      await root.end();
      await own?.stop();
    },
  };
};
