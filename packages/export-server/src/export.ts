// Exports the whole server as files that other software reads: an archive of each person, and what belongs to the
// server itself (docs/EXPORT.md). An export into a folder continues with the next person after an interruption; a tar
// appears when it is complete.

import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { pack } from "tar-stream";
import {
  ConfigError,
  NotFound,
  VERSION,
  isRecord,
  jsonText,
  makeFolder,
  tarSink,
  writeContents,
} from "./uses.ts";
import type { App, Sink } from "./uses.ts";
import { countMembers, PAGE, selectMembers } from "./queries.ts";
import type { Member } from "./queries.ts";
import { addServer } from "./server.ts";
import { folderSink, sinkBelow } from "./sinks.ts";

const FORMAT = 1;
const MANIFEST = "export.json";
const UNFINISHED = `${MANIFEST}.new`;

export type Manifest = {
  format: number;
  software: string;
  domain: string;
  web_domain: string;
  https: boolean;
  with_secrets: boolean;
  started_at: string;
  /** Null until the export is finished; running the command again continues it. */
  finished_at: string | null;
  people: number;
};

type ExportOptions = {
  withSecrets: boolean;
  onProgress: (done: number, all: number) => void;
};

/** Writes a person; returns false if the archive exists already. */
type Put = (member: Member) => Promise<boolean>;

const members = async function* (app: App): AsyncGenerator<Member> {
  for (let after = "0"; ;) {
    const page = await selectMembers(app.sql, after);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
};

const MAX_PAUSE_MS = 1000;

/** Pauses as long as each archive took, so that half of the time is left to the server. */
const putAll = async (app: App, put: Put, { onProgress }: ExportOptions): Promise<number> => {
  const all = await countMembers(app.sql);
  let people = 0;
  for await (const member of members(app)) {
    const before = performance.now();
    const isWritten = await put(member);
    people += 1;
    onProgress(people, all);
    if (isWritten) await sleep(Math.min(MAX_PAUSE_MS, performance.now() - before));
  }
  return people;
};

/** Writes a person; returns false if the person was deleted meanwhile. */
const putMember = async (app: App, sink: Sink, { id }: Member): Promise<boolean> => {
  try {
    await writeContents(app, sink, id);
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
};

const newManifest = (app: App, withSecrets: boolean): Manifest => {
  const { localDomain, webDomain, https } = app.config.site;
  return {
    format: FORMAT,
    software: `Rookery ${VERSION}`,
    domain: localDomain,
    web_domain: webDomain,
    https,
    with_secrets: withSecrets,
    started_at: app.clock.now().toISOString(),
    finished_at: null,
    people: 0,
  };
};

const finished = (app: App, manifest: Manifest, people: number): Manifest => ({
  ...manifest,
  people,
  finished_at: app.clock.now().toISOString(),
});

const saveManifest = async (root: string, manifest: Manifest): Promise<void> => {
  const unfinished = join(root, UNFINISHED);
  await writeFile(unfinished, jsonText(manifest).join(""), { mode: 0o600 });
  await rename(unfinished, join(root, MANIFEST));
};

const readManifest = async (root: string): Promise<Manifest | null> => {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(root, MANIFEST), "utf8"));
    return isRecord(manifest) && manifest["format"] === FORMAT
      ? (manifest as unknown as Manifest)
      : null;
  } catch {
    return null;
  }
};

/** Opens an empty folder, or one of an interrupted export of the same kind. */
const openFolder = async (app: App, root: string, withSecrets: boolean): Promise<Manifest> => {
  await makeFolder(root, 0o700).catch(() => {
    throw new ConfigError(`${root} is no folder that can be written to.`);
  });
  const fresh = newManifest(app, withSecrets);
  // An export that was interrupted at once has only its unfinished manifest.
  const isEmpty = (await readdir(root)).every((name) => name === UNFINISHED);
  const manifest = isEmpty ? fresh : await readManifest(root);
  if (!manifest) throw new ConfigError(`${root} has other files: choose a new folder.`);
  if (manifest.finished_at) {
    throw new ConfigError(
      `${root} has the export of ${manifest.finished_at}: choose a new folder, or delete it.`,
    );
  }
  if (manifest.domain !== fresh.domain || manifest.with_secrets !== withSecrets) {
    throw new ConfigError(
      `${root} has an unfinished export of ${manifest.domain} ${manifest.with_secrets ? "with" : "without"} secrets: go on with that, or choose a new folder.`,
    );
  }
  if (isEmpty) await saveManifest(root, manifest);
  return manifest;
};

const exportToFolder = async (
  app: App,
  root: string,
  options: ExportOptions,
): Promise<Manifest> => {
  const manifest = await openFolder(app, root, options.withSecrets);
  await makeFolder(join(root, "people"), 0o700);
  await addServer(app, folderSink(join(root, "server")), options.withSecrets);
  const people = await putAll(
    app,
    async (member) => {
      const path = join(root, "people", member.username);
      if (existsSync(path)) return false;
      // Names of people have no dot, so this is no person's folder.
      const unfinished = `${path}.part`;
      await rm(unfinished, { recursive: true, force: true });
      const isThere = await putMember(app, folderSink(unfinished), member);
      if (isThere) await rename(unfinished, path);
      else await rm(unfinished, { recursive: true, force: true });
      return isThere;
    },
    options,
  );
  const whole = finished(app, manifest, people);
  await saveManifest(root, whole);
  return whole;
};

const exportToTar = async (app: App, path: string, options: ExportOptions): Promise<Manifest> => {
  if (existsSync(path)) throw new ConfigError(`${path} is there already: choose a new name.`);
  const [unfinished, texts] = [`${path}.part`, `${path}.texts`];
  await rm(texts, { recursive: true, force: true });
  await mkdir(texts, { mode: 0o700 }).catch(() => {
    throw new ConfigError(`${path} cannot be written.`);
  });
  const archive = pack();
  const sink = tarSink(archive, texts);
  const fill = async (): Promise<Manifest> => {
    const manifest = newManifest(app, options.withSecrets);
    await addServer(app, sinkBelow(sink, "server"), options.withSecrets);
    const put: Put = (member) =>
      putMember(app, sinkBelow(sink, `people/${member.username}`), member);
    const people = await putAll(app, put, options);
    const whole = finished(app, manifest, people);
    await sink.text(MANIFEST, jsonText(whole));
    archive.finalize();
    return whole;
  };
  const filling = fill().catch((error: unknown) => {
    archive.destroy(error as Error);
    throw error;
  });
  const out = createWriteStream(unfinished, { mode: 0o600 });
  const writing = pipeline(archive as unknown as Readable, out);
  try {
    const [filled, written] = await Promise.allSettled([filling, writing]);
    if (written.status === "rejected") throw written.reason;
    if (filled.status === "rejected") throw filled.reason;
    await rename(unfinished, path);
    return filled.value;
  } finally {
    await rm(texts, { recursive: true, force: true });
  }
};

/** Exports the server; throws ConfigError where nothing can be written. */
export const exportServer = (app: App, target: string, options: ExportOptions): Promise<Manifest> =>
  (target.endsWith(".tar") ? exportToTar : exportToFolder)(app, target, options);
