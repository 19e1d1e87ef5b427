// A Mastodon 4.3 that people used: its database, files, keys, passwords and the recorded answers of its API
// (docs/design/moving.md).

import { randomBytes } from "node:crypto";
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync, createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { connect } from "../../../src/platform/db/index.ts";
import type { Sql } from "../../../src/platform/db/index.ts";
import { dropDatabase, withDatabase } from "../../../test/database.ts";

const here = (name: string): string => join(import.meta.dirname, name);

export type Recorded = { status: number; link?: string; body: any };

/** Recordings by path; those of statuses by id and the rest of the path. */
export type Recordings = {
  open: Record<string, Recorded>;
  staff: Record<string, Recorded>;
  people: Record<string, Record<string, Recorded>>;
  statuses: Record<string, Record<string, Recorded>>;
};

export const recordings = (): Recordings =>
  JSON.parse(gunzipSync(readFileSync(here("answers.json.gz"))).toString("utf8"));

export type OldPerson = { token: string; email: string; password: string };

export const oldPeople = (): Record<string, OldPerson> =>
  JSON.parse(readFileSync(here("people.json"), "utf8"));

export const ENV_FILE = here("env.production");

/** Yields the statements of a dump, and the rows that follow a COPY. */
function* statements(dump: string): Generator<{ sql: string; rows: string | null }> {
  const parts = dump.split(/^(COPY [^\n]* FROM stdin;)\n/m);
  yield { sql: withoutCommands(parts[0]!), rows: null };
  for (let n = 1; n < parts.length; n += 2) {
    const end = parts[n + 1]!.indexOf("\\.\n");
    yield { sql: parts[n]!, rows: parts[n + 1]!.slice(0, end) };
    yield { sql: withoutCommands(parts[n + 1]!.slice(end + 3)), rows: null };
  }
}

/** Removes the commands of psql. */
const withoutCommands = (sql: string): string => sql.replace(/^\\.*$/gm, "");

const load = async (sql: Sql): Promise<void> => {
  const session = await sql.reserve();
  const dump = gunzipSync(readFileSync(here("database.sql.gz"))).toString("utf8");
  for (const { sql: text, rows } of statements(dump)) {
    if (rows === null) {
      if (text.trim() !== "") await session.unsafe(text);
      continue;
    }
    const into = await session.unsafe(text.replace(/;$/, "")).writable();
    await new Promise<void>((resolve, reject) => {
      into.on("finish", resolve).on("error", reject);
      into.end(rows);
    });
  }
  session.release();
};

const unpack = async (folder: string): Promise<void> => {
  const entries = extract();
  createReadStream(here("media.tar.gz")).pipe(createGunzip()).pipe(entries);
  for await (const entry of entries) {
    const path = join(folder, entry.header.name);
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    if (entry.header.type !== "file") continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.concat(chunks));
  }
};

export type OldServer = {
  url: string;
  media: string;
  /** Changes its database, as the old server would. */
  sql: Sql;
  close(): Promise<void>;
};

/** Starts on the same PostgreSQL as the database with this URL. */
export const startOldServer = async (beside: string): Promise<OldServer> => {
  const name = `mastodon_${randomBytes(6).toString("hex")}`;
  const root = connect(beside, { max: 1, application: "tests" });
  await root.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`);
  const url = withDatabase(beside, name);
  const loading = connect(url, { max: 1, application: "tests" });
  await load(loading);
  await loading.end();
  const media = mkdtempSync(join(tmpdir(), "mastodon-media-"));
  await unpack(media);
  const sql = connect(url, { max: 1, application: "tests" });
  return {
    url,
    media,
    sql,
    async close() {
      await sql.end();
      await dropDatabase(root, name);
      await root.end();
      rmSync(media, { recursive: true, force: true });
    },
  };
};
