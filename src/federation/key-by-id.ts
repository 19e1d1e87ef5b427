// Finds the key of a signature's keyId: that of a stored actor, or fetched with its owner, which has to list it. Failed
// fetches are cached for a moment.

import type { App } from "../platform/app.ts";
import { singleFlight } from "../platform/caches/single-flight.ts";
import { Unavailable } from "../platform/errors.ts";
import { httpUrl, idOf, sameHost, textOf } from "../platform/json/read.ts";
import type { Json } from "../platform/json/read.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { storeActor } from "./actors.ts";
import { fetchDocument } from "./documents.ts";
import type { Fetched } from "./documents.ts";
import { BudgetSpent, RemoteFault, unacceptable } from "./faults.ts";
import type { RemoteFaultKind } from "./faults.ts";
import { addHostFailure, isHostDown } from "../platform/fetch/host-breaker.ts";
import { isLocalUri } from "./hosts.ts";
import { isActor, keyOf } from "./parse-actor.ts";
import { SignatureRefused } from "./signatures/refused.ts";
import { storedKey } from "./stored-keys.ts";

const once = singleFlight("keys being fetched");

const CAUSE = { cause: "key" } as const;

export type SignerKey = {
  accountId: string;
  uri: string;
  suspended: boolean;
  /** True when only its own server suspended it, and nobody here. */
  suspendedRemotely: boolean;
  /** The key as PEM or Multikey. */
  publicKey: string;
  fetchedAt: Date | null;
  /** True when the key was stored before, so that the actor may have changed it since. */
  cached: boolean;
};

/** Seconds for which a failure is cached. */
const FAILURE_SECONDS: Record<RemoteFaultKind, number> = {
  unreachable: 60,
  gone: 600,
  unacceptable: 300,
};

const withoutFragment = (keyId: string): string => keyId.split("#", 1)[0]!;

/**
 * Returns the actor of a key id: `actor#main-key` and `actor` mean the actor's default key; another fragment is a key
 * id of its own.
 */
const actorOf = (keyId: string): string => {
  const [uri = "", fragment] = keyId.split("#", 2);
  return fragment === undefined || fragment === "main-key" ? uri : keyId;
};

/** A key as a request names it; `signer` is the actor of the request. */
type Named = { keyId: string; signer: string };

const stored = async (app: App, { keyId, signer }: Named): Promise<SignerKey | null> => {
  const row = await storedKey(app, { keyId, signer, actorUri: actorOf(keyId) });
  if (!row) return null;
  const { id, uri, suspended, public_key: publicKey, fetched_at: fetchedAt } = row;
  const suspendedRemotely = row.suspended_remotely;
  return { accountId: id, uri, suspended, suspendedRemotely, publicKey, fetchedAt, cached: true };
};

const checkedOwner = (fetched: Fetched, keyId: string): { id: string; key: string } => {
  const key = keyOf(fetched.document, fetched.id, keyId);
  const meant = key && (key.id === keyId || fetched.id === keyId);
  if (!meant || !sameHost(fetched.id, keyId)) {
    throw unacceptable("The actor does not list this key");
  }
  return key;
};

const normalised = (key: string | null): string => (key ?? "").replaceAll(/\s+/g, "");

/** Checks a key with its own document: the owner has to list the same key under the same id. */
const ownerOfKey = async (app: App, keyId: string, document: Json): Promise<Fetched> => {
  const owner = httpUrl(idOf(document["owner"] ?? document["controller"]));
  if (document["id"] !== keyId || !owner || !sameHost(owner, keyId)) {
    throw unacceptable("The key document has another id or no owner");
  }
  const fetched = await fetchDocument(app, owner, CAUSE);
  const key = checkedOwner(fetched, keyId);
  const text = textOf(document["publicKeyPem"]) ?? textOf(document["publicKeyMultibase"]);
  const same = normalised(key.key) === normalised(text);
  if (fetched.id !== owner || !same) throw unacceptable("The key's owner has another key");
  return fetched;
};

const fetchOwner = async (app: App, keyId: string): Promise<AccountView> => {
  const fetched = await fetchDocument(app, withoutFragment(keyId), CAUSE);
  if (!isActor(fetched.document)) {
    return storeActor(app, await ownerOfKey(app, keyId, fetched.document), { ...CAUSE, keyId });
  }
  checkedOwner(fetched, keyId);
  return storeActor(app, fetched, { ...CAUSE, keyId });
};

const failureKey = (keyId: string) => `key-away:${keyId}`;

const recentFailure = async (app: App, keyId: string): Promise<RemoteFaultKind | null> => {
  const kind = (await app.kv.get(failureKey(keyId))) as RemoteFaultKind | null;
  if (kind) return kind;
  return (await isHostDown(app, keyId)) ? "unreachable" : null;
};

const refusal = (kind: RemoteFaultKind): Error =>
  kind === "unreachable"
    ? new Unavailable("The key of the signature could not be fetched")
    : new SignatureRefused("key", "The key of the signature is not usable");

const recordFailure = async (app: App, keyId: string, kind: RemoteFaultKind): Promise<void> => {
  await app.kv.set(failureKey(keyId), kind, FAILURE_SECONDS[kind]);
  if (kind === "unreachable") await addHostFailure(app, keyId);
};

const fetchKey = async (app: App, named: Named): Promise<SignerKey> => {
  const { keyId } = named;
  const failure = await recentFailure(app, keyId);
  if (failure) throw refusal(failure);
  try {
    await fetchOwner(app, keyId);
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error;
    app.log.debug({ keyId, kind: error.kind, why: error.message }, "key not available");
    if (!(error instanceof BudgetSpent)) await recordFailure(app, keyId, error.kind);
    throw refusal(error.kind);
  }
  const key = await stored(app, named);
  if (!key) throw refusal("unacceptable");
  return { ...key, cached: false };
};

type KeyOptions = {
  /** The actor of the request; by default the one whose address the key id begins with. */
  signer?: string;
  /** Fetches the key again. */
  refresh?: boolean;
};

/**
 * Returns the key and its owner, which is the signer if that has claimed the key. Throws SignatureRefused where the key
 * is gone or belongs to another, and Unavailable (503) where its server does not answer.
 */
export const keyById = async (
  app: App,
  keyId: string,
  { signer = actorOf(keyId), refresh = false }: KeyOptions = {},
): Promise<SignerKey> => {
  if (isLocalUri(app, keyId))
    throw new SignatureRefused("key", "The signature uses a key of this server");
  const named = { keyId, signer };
  const known = refresh ? null : await stored(app, named);
  return known ?? once(app, `${keyId} ${signer}`, () => fetchKey(app, named));
};
