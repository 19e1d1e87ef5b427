// Converts a remote actor document to what is stored: bounded, sanitised, and only what the actor has authority over.
// Pure; actors.ts checks the handle by WebFinger.

import {
  dateOf,
  hostIn,
  httpUrl,
  idOf,
  isRecord,
  isTrue,
  linkOf,
  listOf,
  sameHost,
  textOf,
  typesOf,
} from "../platform/json/read.ts";
import type { Json } from "../platform/json/read.ts";
import { ACTOR_LIMITS as LIMITS } from "../platform/remote-limits.ts";
import { boundedHtml, bytesOf, cutBytes, firstWithin } from "../platform/text/cut.ts";
import { plainToHtml } from "../platform/text/html.ts";
import { sanitiseName } from "../platform/text/plain.ts";
import { sanitiseHtml } from "../platform/text/sanitise.ts";
import type { AccountField } from "../domain/people/accounts/tables.ts";
import type { AssertionKey, RemoteAccount } from "../domain/people/accounts/tables.ts";
import { fromMultikey } from "../platform/text/multibase.ts";
import { parseRule } from "../domain/people/accounts/policies.ts";
import { emojisOf } from "../domain/base/emojis/parse.ts";

export type ParsedActor = {
  /** The profile, whose page may be on any host; actors.ts adds handle, key and time of fetching. */
  profile: Omit<RemoteAccount, "username" | "domain" | "fetched_at">;
  preferredUsername: string;
  /** FEP-2c59: the handle that the actor claims; takes precedence over preferredUsername. */
  webfinger: string | null;
  movedTo: string | null;
  suspended: boolean;
};

const ACTOR_TYPES = ["Person", "Service", "Application", "Group", "Organization"];
const EARLIEST = Date.UTC(1990, 0);

export const isActor = (document: Json): boolean =>
  typesOf(document).some((type) => ACTOR_TYPES.includes(type));

/** Returns an address on the actor's own host; null for others, which could direct our requests at another server. */
const ownUrl = (uri: string, value: unknown): string | null => {
  const url = httpUrl(idOf(value));
  return url && sameHost(url, uri) ? url : null;
};

const fieldOf = (item: Json): AccountField => ({
  name: sanitiseName(textOf(item["name"]) ?? "", LIMITS.fieldLength),
  value: "",
  value_html: sanitiseHtml((textOf(item["value"]) ?? "").slice(0, LIMITS.fieldLength)),
  verified_at: null,
});

const fieldsOf = (document: Json): AccountField[] => {
  const fields = listOf(document["attachment"], LIMITS.fields * 4)
    .filter(isRecord)
    .filter((item) => typesOf(item).includes("PropertyValue"))
    .slice(0, LIMITS.fields)
    .map(fieldOf);
  return firstWithin(
    fields,
    LIMITS.fieldsBytes,
    ({ name, value_html }) => bytesOf(name) + bytesOf(value_html),
  );
};

const picture = (value: unknown) => {
  const [first] = listOf(value, 1);
  if (!isRecord(first)) return { url: httpUrl(first), text: "" };
  const url = linkOf(first["url"] ?? first["href"], "image");
  const text = textOf(first["summary"]) ?? textOf(first["name"]) ?? "";
  return { url, text: cutBytes(sanitiseName(text), LIMITS.pictureTextBytes) };
};

const pictures = (document: Json) => {
  const [icon, image] = [picture(document["icon"]), picture(document["image"])];
  return {
    avatar_url: icon.url,
    avatar_description: icon.text,
    header_url: image.url,
    header_description: image.text,
  };
};

const addresses = (document: Json, uri: string) => {
  const { endpoints } = document;
  const shared = isRecord(endpoints) ? endpoints["sharedInbox"] : null;
  return {
    shared_inbox_url: ownUrl(uri, shared),
    outbox_url: ownUrl(uri, document["outbox"]),
    followers_url: ownUrl(uri, document["followers"]),
    following_url: ownUrl(uri, document["following"]),
    featured_url: ownUrl(uri, document["featured"]),
    featured_tags_url: ownUrl(uri, document["featuredTags"]),
    featured_collections_url: ownUrl(uri, document["featuredCollections"]),
  };
};

const flag = (value: unknown): boolean | null => (typeof value === "boolean" ? value : null);

const domains = (document: Json): string[] =>
  listOf(document["attributionDomains"], LIMITS.list).filter(
    (item) => typeof item === "string" && /^[\w.:-]{1,261}$/.test(item),
  ) as string[];

/** Returns who may put the actor into a collection (FEP-7aa9). */
const featurePolicyOf = (document: Json, uri: string): number | null => {
  const { interactionPolicy: policy } = document;
  const followersUrl = ownUrl(uri, document["followers"]);
  return isRecord(policy) ? parseRule(policy["canFeature"], { actorUri: uri, followersUrl }) : null;
};

const aliases = (document: Json): string[] =>
  listOf(document["alsoKnownAs"], LIMITS.list).flatMap((item) => httpUrl(item) ?? []);

/** Returns the page, if it is on the actor's host or on that of the handle; else the actor's address. */
export const pageOf = ({ profile: { url, uri } }: ParsedActor, domain: string): string =>
  sameHost(url, uri) || hostIn(url) === domain ? url : uri;

/** Returns the biography, which is HTML, or plain text of several lines (PeerTube). */
const bioHtml = (bio: string): string => {
  const isPlain = bio.includes("\n") && !/<[a-z/!]|&#?\w+;/i.test(bio);
  return boundedHtml(isPlain ? plainToHtml(bio) : bio, LIMITS.noteBytes);
};

const profileOf = (document: Json, uri: string) => {
  const published = dateOf(document["published"]);
  return {
    url: linkOf(document["url"], "text/html") ?? uri,
    display_name: cutBytes(
      sanitiseName(textOf(document["name"]) ?? "", LIMITS.nameLength),
      LIMITS.nameBytes,
    ),
    note_html: bioHtml(textOf(document["summary"]) ?? ""),
    fields: fieldsOf(document),
    emojis: emojisOf(document["tag"]),
    locked: isTrue(document["manuallyApprovesFollowers"]),
    discoverable: flag(document["discoverable"]),
    indexable: isTrue(document["indexable"]),
    feature_policy: featurePolicyOf(document, uri),
    memorial: isTrue(document["memorial"]),
    also_known_as: firstWithin(aliases(document), LIMITS.listBytes, bytesOf),
    attribution_domains: firstWithin(domains(document), LIMITS.listBytes, bytesOf),
    ...(published && published.getTime() >= EARLIEST && { created_at: published }),
  };
};

const MAX_ASSERTION_KEYS = 5;

/**
 * Returns the Ed25519 keys of FEP-521a that are on the actor's host and under its control; other kinds are not used.
 */
const assertionKeysOf = (document: Json, uri: string): AssertionKey[] => {
  const usable = listOf(document["assertionMethod"], 20)
    .filter(isRecord)
    .flatMap((method) => {
      const id = httpUrl(method["id"]);
      const key = textOf(method["publicKeyMultibase"]) ?? "";
      const isOwn = idOf(method["controller"]) === uri && sameHost(id, uri);
      return id && isOwn && fromMultikey(key) ? [{ id, key }] : [];
    });
  const byId = new Map(usable.map((key) => [key.id, key]));
  return [...byId.values()].slice(0, MAX_ASSERTION_KEYS);
};

/** Returns the key with this id, as PEM or Multikey; else the first RSA key. */
export const keyOf = (document: Json, uri: string, keyId: string) => {
  const named = assertionKeysOf(document, uri).find(({ id }) => id === keyId);
  return named ?? rsaKeyOf(document, uri, keyId);
};

/** Returns the actor's RSA key, on its host and with the actor as the owner. `keyId` chooses one of several. */
const rsaKeyOf = (document: Json, uri: string, keyId: string | null = null) => {
  const usable = listOf(document["publicKey"], 10)
    .filter(isRecord)
    .flatMap((key) => {
      const id = httpUrl(key["id"]) ?? `${uri}#main-key`;
      const pem = textOf(key["publicKeyPem"]);
      const owned = idOf(key["owner"] ?? key["controller"]) === uri;
      return pem && owned && sameHost(id, uri) && bytesOf(pem) <= LIMITS.keyBytes
        ? [{ id, key: pem }]
        : [];
    });
  return (keyId && usable.find((key) => key.id === keyId)) || (usable[0] ?? null);
};

/** Returns null for a document without a type of actors, a valid name, an inbox on its host, or a key. */
export const parseActor = (document: Json, wantedKey: string | null = null): ParsedActor | null => {
  const uri = httpUrl(document["id"]);
  const type = typesOf(document).find((type) => ACTOR_TYPES.includes(type));
  const username = textOf(document["preferredUsername"]) ?? "";
  if (!uri || !type || bytesOf(username) > LIMITS.usernameBytes) return null;
  if (!/^[\p{L}\p{N}_.~-]+$/u.test(username)) return null;
  const inbox = ownUrl(uri, document["inbox"]);
  const key = rsaKeyOf(document, uri, wantedKey);
  const assertionKeys = assertionKeysOf(document, uri);
  if (!inbox || (!key && assertionKeys.length === 0)) return null;
  return {
    profile: {
      uri,
      actor_type: type,
      inbox_url: inbox,
      ...addresses(document, uri),
      ...profileOf(document, uri),
      ...pictures(document),
      public_key: key?.key ?? "",
      key_id: !key || key.id === `${uri}#main-key` ? null : key.id,
      assertion_keys: assertionKeys,
    },
    preferredUsername: username,
    webfinger: textOf(document["webfinger"]),
    movedTo: httpUrl(idOf(document["movedTo"])),
    suspended: document["suspended"] === true,
  };
};
