// Imports what only archives of this software contain, besides posts and settings: options of lists, collections, and
// groups that somebody owns. Their files are read with bounds, and applied by the commands of pages and API.

import type { App } from "../../../platform/app.ts";
import { NotFound, isRefusal, nullOn } from "../../../platform/errors.ts";
import { isRecord, listOf, textOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { findKnownId } from "../../people/accounts/find.ts";
import { addItem, createCollection } from "../../people/collections/edit.ts";
import { ownCollectionNamed } from "../../people/collections/load.ts";
import { MAX_ITEMS } from "../../people/collections/rules.ts";
import { getGroup } from "../../reading/groups/access.ts";
import { createGroup } from "../../reading/groups/edit.ts";
import { MAX_RULES } from "../../reading/groups/limits.ts";
import { readFields } from "../../people/lists/fields.ts";
import { changeList, keepList } from "../../people/lists/write.ts";
import { NotFoundYet } from "./faults.ts";
import { itemsIn } from "./posts/json-items.ts";
import { OWN_KINDS } from "./tables.ts";
import type { ImportKind, OwnEntry, OwnKind } from "./tables.ts";

/** Entries of one file; nobody has as many of anything. */
const MAX_ENTRIES = 500;

export const isOwnKind = (kind: ImportKind): kind is OwnKind =>
  (OWN_KINDS as readonly string[]).includes(kind);

export const ownKindOf = (fileName: string): OwnKind | null =>
  OWN_KINDS.find((kind) => OWN[kind].file === fileName) ?? null;

const word = (json: Json, name: string): string => textOf(json[name]) ?? "";

const texts = (value: unknown, most: number): string[] =>
  listOf(value, most).flatMap((item) => textOf(item) ?? []);

/** A file of our own archives: its name, how an entry is read and what makes it here. */
type Own<K extends OwnKind> = {
  file: string;
  /** Returns null for what is not imported. */
  read: (json: Json) => OwnEntry[K] | null;
  /** Returns the id of what it became; a repetition makes nothing twice. */
  apply: (app: App, accountId: string, entry: OwnEntry[K]) => Promise<string>;
};

const listOptions: Own<"list_options"> = {
  file: "lists.json",
  read: readFields,
  apply: async (app, accountId, options) => {
    const list = await keepList(app, accountId, options.title ?? "");
    return (await changeList(app, list, options)).id;
  },
};

/** Adds everybody who can be found and allows it; the first refusal becomes the fault of the line. */
const addAll = async (
  app: App,
  accountId: string,
  { id, memberIds, uris }: { id: string; memberIds: string[]; uris: string[] },
): Promise<void> => {
  let fault: unknown = null;
  for (const uri of uris) {
    const target = await app.remote.address(uri);
    if (target?.kind !== "account") fault ??= new NotFoundYet("import.account_unknown");
    else if (!memberIds.includes(target.id)) {
      await addItem(app, id, accountId, target.id).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        fault ??= error;
      });
    }
  }
  if (fault !== null) throw fault;
};

const collections: Own<"collections"> = {
  file: "collections.json",
  read: (json) => ({
    name: word(json, "name"),
    description: word(json, "description"),
    language: textOf(json["language"]),
    tag: textOf(json["tag"]),
    sensitive: json["sensitive"] === true,
    discoverable: json["discoverable"] === true,
    accounts: texts(json["accounts"], MAX_ITEMS),
  }),
  apply: async (app, accountId, { accounts, tag, ...fields }) => {
    const known = await ownCollectionNamed(app, accountId, fields.name);
    const id = known?.id ?? (await createCollection(app, accountId, { ...fields, tag_name: tag }));
    const memberIds = known?.items.map((item) => item.account_id) ?? [];
    await addAll(app, accountId, { id, memberIds, uris: accounts });
    return id;
  },
};

const isOwner = async (app: App, accountId: string, id: string): Promise<boolean> => {
  const group = await nullOn((error) => error instanceof NotFound, getGroup(app, id));
  return group?.owner_id === accountId;
};

const groups: Own<"groups"> = {
  file: "groups.json",
  // A person who only moderates a group does not make it anew.
  read: (json) =>
    json["role"] === "owner"
      ? {
          name: word(json, "name"),
          display_name: word(json, "display_name"),
          note: word(json, "note"),
          locked: json["locked"] === true,
          rules: texts(json["rules"], MAX_RULES),
          holds_posts: json["holds_posts"] === true,
        }
      : null,
  /** Makes groups without their members, who follow the group at its old place. */
  apply: async (app, accountId, group) => {
    const known = await findKnownId(app, group.name);
    if (known !== null && (await isOwner(app, accountId, known))) return known;
    return createGroup(app, accountId, group);
  },
};

const OWN = { list_options: listOptions, collections, groups };

export const ownKind = (kind: OwnKind): Own<OwnKind> => OWN[kind] as Own<OwnKind>;

export const readOwnEntries = async (path: string, kind: OwnKind): Promise<object[]> => {
  const entries: object[] = [];
  for await (const item of itemsIn(path)) {
    const entry = isRecord(item) ? OWN[kind].read(item) : null;
    if (entry) entries.push(entry);
    if (entries.length === MAX_ENTRIES) break;
  }
  return entries;
};
