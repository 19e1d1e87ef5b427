// Returns figures by their parts. https://docs.joinmastodon.org/methods/admin/dimensions/

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { languageName } from "../../../platform/text/languages.ts";
import { VERSION } from "../../../platform/version.ts";
import type { Subject } from "./measures.ts";
import {
  partsByLocale,
  partsByServer,
  partsBySource,
  partsOfDomainAccounts,
  partsOfDomainLanguages,
  partsOfTag,
  selectDatabase,
} from "./queries.ts";
import type { PartRow, Period } from "./queries.ts";

type DimensionFilter = { period: Period; limit: number; subject: Subject | undefined };

type Part = { key: string; human_key: string; value: string; unit?: string; human_value?: string };

const inEnglish = (code: string): string => languageName(code);

const named = (rows: readonly PartRow[], none: string, name = (key: string) => key): Part[] =>
  rows.map(({ key, value }) => ({
    key: key ?? none,
    human_key: key === null ? none : name(key),
    value,
  }));

const megabytes = (bytes: string): string => `${Math.round(Number(bytes) / 1024 / 1024)} MB`;

const space = async (db: Db): Promise<Part[]> => {
  const { bytes } = await selectDatabase(db);
  const human = megabytes(bytes);
  return [
    {
      key: "postgresql",
      human_key: "PostgreSQL",
      value: bytes,
      unit: "bytes",
      human_value: human,
    },
  ];
};

const versions = async (db: Db): Promise<Part[]> => {
  const { version } = await selectDatabase(db);
  const part = (key: string, name: string, value: string): Part => ({
    key,
    human_key: name,
    value,
    human_value: value,
  });
  return [
    part("rookery", "Rookery", VERSION),
    part("nodejs", "Node.js", process.versions.node),
    part("postgresql", "PostgreSQL", version),
  ];
};

type Dimension = (app: App, db: Db, filter: DimensionFilter) => Promise<Part[]> | null;

const ofTag =
  (by: "server" | "language"): Dimension =>
  (app, db, { period, limit, subject }) => {
    const id = parseId(subject?.id);
    if (id === null) return null;
    const none = by === "server" ? app.config.site.localDomain : "und";
    const name = by === "server" ? undefined : inEnglish;
    return Promise.resolve(partsOfTag(db, by, id, period, limit)).then((rows) =>
      named(rows, none, name),
    );
  };

const ofDomain =
  (read: (db: Db, domain: string, filter: DimensionFilter) => Promise<Part[]>): Dimension =>
  (_app, db, filter) => {
    const domain = filter.subject?.domain?.toLowerCase();
    return domain ? read(db, domain, filter) : null;
  };

const DIMENSIONS: Record<string, Dimension> = {
  languages: async (_app, db, { period, limit }) =>
    named(await partsByLocale(db, period, limit), "und", inEnglish),
  sources: async (_app, db, { period, limit }) =>
    named(await partsBySource(db, period, limit), "web", (name) => name),
  servers: async (app, db, { period, limit }) =>
    named(await partsByServer(db, period, limit), app.config.site.localDomain),
  space_usage: (_app, db) => space(db),
  software_versions: (_app, db) => versions(db),
  tag_servers: ofTag("server"),
  tag_languages: ofTag("language"),
  instance_accounts: ofDomain(async (db, domain, { limit }) =>
    named(await partsOfDomainAccounts(db, domain, limit), ""),
  ),
  instance_languages: ofDomain(async (db, domain, { period, limit }) =>
    named(await partsOfDomainLanguages(db, domain, period, limit), "und", inEnglish),
  ),
};

export const DIMENSION_SUBJECTS = [
  "tag_servers",
  "tag_languages",
  "instance_accounts",
  "instance_languages",
];

/** Makes the Dimension entity; returns null for an unknown key or a missing subject. */
export const dimension = async (app: App, db: Db, key: string, filter: DimensionFilter) => {
  const data = Object.hasOwn(DIMENSIONS, key) ? await DIMENSIONS[key]!(app, db, filter) : null;
  return data && { key, data };
};
