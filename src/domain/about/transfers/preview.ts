// Shows before a replacing import is started what it would remove: what the person has and the file does not name.

import { text as textOfStream } from "node:stream/consumers";
import { domainToASCII } from "node:url";
import type { App } from "../../../platform/app.ts";
import { parseTypedTag } from "../../posts/tags/rules.ts";
import { exportFile } from "./export.ts";
import { readFileOf } from "./formats.ts";
import { isOwnKind } from "./own-kinds.ts";
import { selectData } from "./queries.ts";
import type { AnyEntry, ImportRow, Kind } from "./tables.ts";

const handleName = (acct: string, localDomain: string): string => {
  const [name = "", domain = localDomain] = acct.toLowerCase().split("@");
  return `${name}@${domainToASCII(domain) || domain}`;
};

/** Returns a name by which its owner can tell an entry from others of the kind. */
const nameOf = (entry: AnyEntry, localDomain: string): string => {
  const { acct, title, domain, uri, name, q } = entry as Record<string, string | undefined>;
  const account = acct === undefined ? undefined : handleName(acct, localDomain);
  if (title !== undefined && account !== undefined) return `${title}: ${account}`;
  const tag = name === undefined ? undefined : parseTypedTag(name)?.name;
  return account ?? domain?.toLowerCase() ?? uri ?? title ?? tag ?? name ?? q ?? "";
};

export type WouldRemove = { count: number; names: string[] };

const SHOWN = 20;

/** Returns null where it removes nothing, or is not waiting to be started. */
export const wouldRemove = async (app: App, row: ImportRow): Promise<WouldRemove | null> => {
  if (!row.overwrite || row.state !== "new" || row.kind === "posts" || isOwnKind(row.kind)) {
    return null;
  }
  const { localDomain } = app.config.site;
  const kind: Kind = row.kind;
  const named = new Set(
    (await selectData(app.sql, row.id)).map(({ data }) => nameOf(data as AnyEntry, localDomain)),
  );
  const { body } = await exportFile(app, kind, row.account_id);
  const present = readFileOf(kind, await textOfStream(body), true).entries;
  const gone = [...new Set(present.map((entry) => nameOf(entry, localDomain)))].filter(
    (name) => !named.has(name),
  );
  return { count: gone.length, names: gone.slice(0, SHOWN) };
};
