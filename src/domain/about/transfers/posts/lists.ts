// Makes imports of their own of the lists of an archive, which start with it.

import { readFile, stat } from "node:fs/promises";
import type { App } from "../../../../platform/app.ts";
import type { Tx } from "../../../../platform/db/index.ts";
import { Unprocessable } from "../../../../platform/errors.ts";
import { httpUrl, isRecord } from "../../../../platform/json/read.ts";
import { decodeText } from "../../../../platform/text/decode.ts";
import { says } from "../../../../platform/text/texts.ts";
import { storedFault } from "../faults.ts";
import { MAX_FILE_BYTES } from "../../../../platform/http/line-files.ts";
import { addressEntries, MAX_LINES, readFileOf } from "../formats.ts";
import { readOwnEntries } from "../own-kinds.ts";
import { insertEntries, insertImport } from "../queries.ts";
import type { Kind, OwnKind } from "../tables.ts";
import { itemsIn } from "./json-items.ts";
import type { Document, ListForm } from "./recognise.ts";

/** `fault` is why it cannot be imported. */
export type ArchivedList = {
  kind: Kind | OwnKind;
  name: string;
  entries: object[];
  fault: string | null;
};

/** Returns the address of a post that Misskey bookmarked. */
const addressIn = (item: unknown): unknown => {
  const note = isRecord(item) ? item["note"] : null;
  return isRecord(note) ? (note["uri"] ?? note["url"]) : null;
};

/** Reads a list; `lost` counts entries of the other server itself, which have no address there. */
const readItems = async (path: string, kind: Kind, form: ListForm) => {
  const uris: unknown[] = [];
  let lost = 0;
  for await (const item of itemsIn(path)) {
    const uri = form === "favourites" ? addressIn(item) : item;
    if (httpUrl(uri) === null) lost += 1;
    else uris.push(uri);
    if (uris.length > MAX_LINES) break;
  }
  return { entries: addressEntries(kind, uris), lost };
};

const readSmall = async (path: string): Promise<string> => {
  if ((await stat(path)).size > MAX_FILE_BYTES) {
    throw new Unprocessable(says("import.too_large", { size: MAX_FILE_BYTES / 1024 / 1024 }));
  }
  return decodeText(await readFile(path));
};

type ReadList = { list: ArchivedList; lost: number };

const read = async (
  { name }: Document,
  kind: Kind | OwnKind,
  work: () => Promise<{ entries: object[]; lost: number }>,
): Promise<ReadList> => {
  try {
    const { entries, lost } = await work();
    return { list: { kind, name, entries, fault: null }, lost };
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    return { list: { kind, name, entries: [], fault: storedFault(error) }, lost: 0 };
  }
};

const isEmptyFile = (text: string): boolean => text.trim() === "";

export const readList = (document: Document, kind: Kind, form: ListForm): Promise<ReadList> =>
  read(document, kind, async () => {
    if (form !== "file") return readItems(document.path, kind, form);
    const text = await readSmall(document.path);
    const entries = isEmptyFile(text) ? [] : readFileOf(kind, text, true).entries;
    return { entries, lost: 0 };
  });

/** Reads Pixelfed's file of muted and blocked accounts. */
export const readRelations = async (document: Document): Promise<ArchivedList[]> => [
  (await readList(document, "mutes", "file")).list,
  (await readList(document, "blocks", "file")).list,
];

export const readOwn = async (document: Document, kind: OwnKind): Promise<ArchivedList> => {
  const entries = async () => ({ entries: await readOwnEntries(document.path, kind), lost: 0 });
  return (await read(document, kind, entries)).list;
};

/** Stores the lists, which run like those that were uploaded one by one; one that cannot be read has a fault. */
export const insertLists = async (
  app: App,
  tx: Tx,
  accountId: string,
  lists: ArchivedList[],
): Promise<string[]> => {
  const now = app.clock.now();
  const started: string[] = [];
  for (const { kind, name, entries, fault } of lists) {
    if (entries.length === 0 && fault === null) continue;
    const id = await insertImport(tx, {
      account_id: accountId,
      kind,
      file_name: name,
      overwrite: false,
      state: fault === null ? "running" : "done",
      total: entries.length,
      created_at: now,
      ...(fault !== null && { fault, finished_at: now }),
    });
    await insertEntries(tx, id, entries, now);
    if (fault === null) started.push(id);
  }
  return started;
};
