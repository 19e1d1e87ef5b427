// Creates a local account: the actor with its keys and URIs. Its user (e-mail, password) is in users/.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { KeyPem } from "./keys.ts";
import { insertLocalAccount } from "./queries-lifecycle.ts";
import type { NewProfile } from "./queries-lifecycle.ts";
import { selectIdByHandle } from "./queries.ts";

const localAddresses = (origin: string, username: string) => {
  const uri = `${origin}/users/${username}`;
  return {
    username,
    uri,
    url: `${origin}/@${username}`,
    inbox_url: `${uri}/inbox`,
    shared_inbox_url: `${origin}/inbox`,
    outbox_url: `${uri}/outbox`,
    followers_url: `${uri}/followers`,
    following_url: `${uri}/following`,
    featured_url: `${uri}/collections/featured`,
  };
};

export const isUsernameTaken = async (db: Db, username: string): Promise<boolean> =>
  (await selectIdByHandle(db, username, null)) !== null;

type NewLocalAccount = {
  username: string;
  keys: KeyPem;
  actorType?: "Person" | "Group";
  /** First content of its profile, already checked. */
  profile?: NewProfile;
};

/** Returns the account's id; fails with a unique violation for a taken name. */
export const createLocalAccount = async (
  app: App,
  db: Db,
  { username, keys, actorType = "Person", profile = {} }: NewLocalAccount,
): Promise<string> =>
  insertLocalAccount(
    db,
    {
      ...localAddresses(app.config.site.origin, username),
      public_key: keys.publicKeyPem,
      actor_type: actorType,
      ...profile,
    },
    keys.privateKeyPem,
  );
