// Imports local and remote accounts: their rows, keys, pictures, counts, and where they moved.

import {
  fieldRows,
  noteHtml,
  STATUS_LIMITS,
  boundedHtml,
  sanitiseName,
  sanitiseHtml,
} from "./uses.ts";
import { actorUri } from "./actor-uri.ts";
import { featurePolicy } from "./newer.ts";
import { emojisIn } from "./emojis.ts";
import { inTurn, pathOf } from "./files.ts";
import { copied, rowByRow } from "./step.ts";
import type { Context, Row, Step } from "./step.ts";

const SERVER = "-99";

type Field = { name?: string; value?: string; verified_at?: string | null };

/** Returns the fields; an account that never had any stores an object. */
const fieldsOf = (row: Row): Field[] => {
  const fields: unknown = JSON.parse(row.fields ?? "[]");
  return Array.isArray(fields) ? fields : [];
};

const remoteFields = (row: Row) =>
  fieldsOf(row).map(({ name, value, verified_at: at }) => ({
    name: sanitiseName(name ?? ""),
    value: "",
    value_html: sanitiseHtml(value ?? ""),
    verified_at: at ?? null,
  }));

const orNull = (text: string | null): string | null => (text === "" ? null : text);

/** Returns the addresses of a remote account as they were fetched. */
const addressesElsewhere = (row: Row) => ({
  uri: row.uri,
  url: row.url || row.uri,
  inbox_url: row.inbox_url,
  shared_inbox_url: orNull(row.shared_inbox_url),
  outbox_url: orNull(row.outbox_url),
  followers_url: orNull(row.followers_url),
  following_url: orNull(row.following_url ?? null),
  featured_url: orNull(row.featured_collection_url),
  featured_collections_url: orNull(row.collections_url ?? null),
  avatar_url: orNull(row.avatar_remote_url),
  header_url: orNull(row.header_remote_url),
});

/** Returns the addresses of a local account, which only some versions store. */
const addressesHere = (row: Row, { origin }: Context) => {
  const { id, username, id_scheme: scheme } = row as { id: string; username: string } & Row;
  const uri = row.uri || actorUri(origin, { id, username, scheme });
  return {
    uri,
    url: row.url || `${origin}/@${row.username}`,
    inbox_url: row.inbox_url || `${uri}/inbox`,
    shared_inbox_url: row.shared_inbox_url || `${origin}/inbox`,
    outbox_url: row.outbox_url || `${uri}/outbox`,
    followers_url: row.followers_url || `${uri}/followers`,
    following_url: `${uri}/following`,
    featured_url: `${uri}/collections/featured`,
    featured_collections_url: null,
    avatar_url: null,
    header_url: null,
  };
};

type Pictures = Record<
  "avatar_key" | "avatar_static_key" | "header_key" | "header_static_key",
  string | null
>;

const pictureOf = async ({ files }: Context, row: Row, which: "avatar" | "header") => {
  const name: string | null = which === "avatar" ? row.avatar_file_name : row.header_file_name;
  if (name === null || row.domain !== null) return { whole: null, still: null };
  const folder = `accounts/${which}s`;
  const still = name.replace(/\.gif$/i, ".png");
  return {
    whole: await files.copy(pathOf(folder, row.id, "original", name)),
    still: still === name ? null : await files.copy(pathOf(folder, row.id, "static", still)),
  };
};

const picturesOf = async (context: Context, row: Row): Promise<Pictures> => {
  const [avatar, header] = [
    await pictureOf(context, row, "avatar"),
    await pictureOf(context, row, "header"),
  ];
  return {
    avatar_key: avatar.whole,
    avatar_static_key: avatar.still,
    header_key: header.whole,
    header_static_key: header.still,
  };
};

/** Value of a suspension by the account's own server. */
const REMOTELY = 1;

const standing = (row: Row) => ({
  memorial: row.memorial,
  suspended_at: row.suspended_at,
  suspended_remotely: row.suspended_at !== null && row.suspension_origin === REMOTELY,
  silenced_at: row.silenced_at,
  sensitized_at: row.sensitized_at,
  trendable: row.trendable,
  reviewed_at: row.reviewed_at,
  requested_review_at: row.requested_review_at,
});

const profile = (row: Row) => {
  const isHere = row.domain === null;
  return {
    actor_type: row.actor_type ?? "Person",
    display_name: row.display_name,
    note: isHere ? row.note : "",
    note_html: isHere ? "" : boundedHtml(row.note, STATUS_LIMITS.contentBytes),
    fields: isHere ? [] : remoteFields(row),
    locked: row.locked,
    discoverable: row.discoverable,
    indexable: row.indexable,
    hide_collections: row.hide_collections,
    avatar_description: row.avatar_description ?? "",
    header_description: row.header_description ?? "",
    show_media: row.show_media ?? true,
    show_media_replies: row.show_media_replies ?? true,
    show_featured: row.show_featured ?? true,
    feature_policy: isHere ? null : featurePolicy(row),
    also_known_as: row.also_known_as ?? [],
    attribution_domains: row.attribution_domains ?? [],
  };
};

/** SQL of the oldest RSA key, which is the one that other servers know. */
const PAIR = `SELECT json_build_object('uri', k.uri, 'public_key', k.public_key, 'private_key', k.private_key)::text
  FROM keypairs k WHERE k.account_id = o.id AND k.type = 0 AND NOT k.revoked ORDER BY k.id LIMIT 1`;

type Pair = { uri: string | null; public_key: string; private_key: string | null };

const pairOf = (row: Row): Pair | null => (row.pair ? (JSON.parse(row.pair) as Pair) : null);

/** Returns the public key, which newer versions store beside the account. */
const publicKeyOf = (row: Row) => {
  const pair = row.public_key ? null : pairOf(row);
  const isUsual = row.domain === null || pair?.uri === `${row.uri}#main-key`;
  return {
    public_key: (row.public_key || pair?.public_key) ?? "",
    key_id: isUsual ? null : (pair?.uri ?? null),
  };
};

const privateKeyOf = (row: Row, { env }: Context): string | null => {
  const stored: string | null = row.private_key || (pairOf(row)?.private_key ?? null);
  return stored?.startsWith("{") ? env.decrypt(stored) : stored;
};

const accountRows = async (rows: Row[], context: Context): Promise<Row[]> => {
  const emojis = await emojisIn(
    context,
    rows.map((row) => ({ domain: row.domain, texts: [row.note, row.display_name] })),
  );
  const pictures = await inTurn(rows, (row) => picturesOf(context, row));
  return rows.map((row, n) => ({
    id: row.id,
    username: row.username,
    domain: row.domain,
    ...(row.domain === null ? addressesHere(row, context) : addressesElsewhere(row)),
    ...profile(row),
    ...standing(row),
    ...pictures[n]!,
    emojis: emojis[n]!,
    ...publicKeyOf(row),
    fetched_at: row.domain === null ? null : row.last_webfingered_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }));
};

/** Imports the server's own actor, which is a setting here and no account. */
const serverActor: Step = {
  name: "the server's own actor",
  from: "accounts",
  where: `o.id = ${SERVER}`,
  extraOf: { keypairs: { pair: PAIR } },
  convert: rowByRow("settings", (row, context) => ({
    name: "instance_actor_keys",
    value: {
      publicKeyPem: publicKeyOf(row).public_key,
      privateKeyPem: privateKeyOf(row, context),
    },
  })),
};

const accounts: Step = {
  name: "accounts",
  from: "accounts",
  where: `o.id <> ${SERVER}`,
  sweeps: "accounts",
  batch: 500,
  extraOf: { keypairs: { pair: PAIR } },
  async convert(rows, context) {
    return {
      into: {
        accounts: await accountRows(rows, context),
        account_keys: rows
          .filter(({ domain }) => domain === null)
          .flatMap((row) => {
            const key = privateKeyOf(row, context);
            return key ? { account_id: row.id, private_key: key } : [];
          }),
      },
    };
  },
};

/** Formats profiles once all accounts exist that a bio may mention. */
const profiles: Step = {
  name: "profiles",
  from: "accounts",
  where: "o.domain IS NULL AND o.id > 0",
  batch: 100,
  async convert(rows, { app }) {
    const patch = await inTurn(rows, async (row) => {
      const typed = fieldsOf(row).map(({ name = "", value = "" }) => ({ name, value }));
      const fields = await fieldRows(app, typed, []);
      const times = fieldsOf(row).map(({ verified_at: at }) => at ?? null);
      return {
        id: row.id,
        note_html: await noteHtml(app, row.note),
        fields: fields.map((field, n) => ({ ...field, verified_at: times[n]! })),
      };
    });
    return { patch: { accounts: patch } };
  },
};

const moves: Step = {
  name: "where accounts moved",
  from: "accounts",
  where: "o.moved_to_account_id IS NOT NULL",
  convert: (rows) => ({
    patch: {
      accounts: rows.map((row) => ({ id: row.id, moved_to_account_id: row.moved_to_account_id })),
    },
  }),
};

const stats: Step = {
  name: "counts of accounts",
  from: "account_stats",
  key: ["account_id"],
  convert: rowByRow("account_stats", (row) => ({
    account_id: row.account_id,
    statuses_count: Math.max(0, Number(row.statuses_count)),
    followers_count: Math.max(0, Number(row.followers_count)),
    following_count: Math.max(0, Number(row.following_count)),
    last_status_at: row.last_status_at,
  })),
};

const migrations: Step = {
  name: "moves",
  from: "account_migrations",
  sweeps: "account_moves",
  convert: copied("account_moves", "id account_id target_account_id created_at"),
};

export const ACCOUNT_STEPS: Step[] = [serverActor, accounts, profiles, moves, stats, migrations];
