// Adds two proofs of the author to activities that others may forward: a Linked Data Signature, which servers such as
// Mastodon check, and an Ed25519 proof (FEP-8b32). They are made once for an activity, when it is queued.

import type { App } from "../platform/app.ts";
import { asWritten } from "../platform/config/names.ts";
import type { Db } from "../platform/db/index.ts";
import { idOf, idsOf } from "../platform/json/read.ts";
import type { Json } from "../platform/json/read.ts";
import { oneEachTurn } from "../platform/event-loop-turns.ts";
import { AS_PUBLIC } from "../domain/people/accounts/activitypub.ts";
import { assertionKey, assertionKeyId } from "../domain/people/accounts/keys.ts";
import { signersOf } from "./delivery/outgoing.ts";
import type { SignerRow } from "./delivery/queries.ts";
import { addProof } from "./integrity/proof.ts";
import { signActivity } from "./linked-data/signature.ts";
import { privateKeyOf } from "./signatures/keys.ts";

/** Types about posts and profiles that everybody may see; also without stated recipients, as for pinned posts. */
const PROVED = new Set(["Create", "Update", "Delete", "Undo", "Add", "Remove"]);
const UNADDRESSED = new Set(["Add", "Remove"]);

type Outgoing = { accountId: string | null; activity: Json; inboxes: string[] };

/**
 * Whether an activity gets proofs. One for a few people gets none, since anybody could republish it with a proof; nor
 * do activities that are forwarded here.
 */
const isProvable = ({ activity }: Outgoing): boolean => {
  const { type, to, cc } = activity;
  if (typeof type !== "string" || !PROVED.has(type)) return false;
  return UNADDRESSED.has(type) || [...idsOf(to), ...idsOf(cc)].includes(AS_PUBLIC);
};

/** Removes the proof's term, because the Linked Data Signature does not cover the proof. */
const withoutProofTerm = (activity: Json): Json => {
  const context = activity["@context"];
  const contexts: unknown[] = Array.isArray(context) ? context : [context];
  return { ...activity, "@context": [...contexts, { proof: null }] };
};

/** Both proofs take some milliseconds of the processor, and many posts may be queued together. */
const untilItsTurn = oneEachTurn();

const prove = async (
  app: App,
  { activity }: Outgoing,
  { uri, private_key: pem }: SignerRow,
): Promise<Json> => {
  await untilItsTurn();
  const now = app.clock.now();
  const ed25519 = { keyId: assertionKeyId(uri), privateKey: assertionKey(app, pem).privateKey };
  const rsa = { keyId: `${uri}#main-key`, privateKey: privateKeyOf(app, pem) };
  const signed = await signActivity(withoutProofTerm(activity), rsa, now);
  return addProof(signed, ed25519, now);
};

/** Returns the activities, with proofs on those that others may forward. */
export const withProofs = async <T extends Outgoing>(
  app: App,
  db: Db,
  outgoing: T[],
): Promise<T[]> => {
  const ids = outgoing.filter(isProvable).flatMap(({ accountId }) => accountId ?? []);
  if (ids.length === 0) return outgoing;
  const signers = await signersOf(app, db, ids);
  return Promise.all(
    outgoing.map(async (item) => {
      const signer = signers.get(item.accountId ?? "");
      if (signer === undefined || !isProvable(item)) return item;
      const actor = idOf(item.activity["actor"]);
      const uri = asWritten(app.config.site, signer.uri, actor);
      return actor === uri
        ? { ...item, activity: await prove(app, item, { ...signer, uri }) }
        : item;
    }),
  );
};
