// Signing out at a provider and here: what a provider ends here (OpenID Connect Back-Channel Logout 1.0), and where its
// own session is ended (RP-Initiated Logout 1.0).

import { selectPerson, selectSessionsThere } from "./queries.ts";
import {
  endAll,
  endSessionsIn,
  providerFault,
  idTokenPurpose,
  listProviders,
  protocolOf,
  signedOutUrl,
  unseal,
} from "./uses.ts";
import type { App, BegunSession, End, Provider } from "./uses.ts";

/** Seconds for which a message is remembered; older ones are refused by their time. */
const REMEMBERED_SECONDS = 1200;

/**
 * Ends sessions as the provider says: that of one browser, or, where it names none, everything of the person. Returns
 * false for a message that came before. Throws SsoError for one that is not the provider's.
 */
export const takeLogout = async (
  app: App,
  provider: Provider,
  message: string,
): Promise<boolean> => {
  const logout = await (await protocolOf(app, provider)).readLogout(message);
  const key = `sso:logout:${provider.issuer}:${logout.id}`;
  if (!(await app.kv.add(key, "used", REMEMBERED_SECONDS))) return false;
  const { issuer, subject, session } = logout;
  if (session !== null) {
    await app.sql.begin(async (tx) => {
      const rows = await selectSessionsThere(tx, issuer, session);
      const ids = rows.map(({ id }) => id);
      await endSessionsIn(app, tx, ids);
    });
    return true;
  }
  const row = subject === null ? null : await selectPerson(app.sql, issuer, subject);
  if (row) await endAll(app, row, provider.name);
  return true;
};

/** Returns where somebody ends their session at a provider; null where there is no way to. */
export const endAt = async (
  app: App,
  provider: Provider,
  idToken: string | null,
): Promise<End | null> => {
  try {
    const url = await (await protocolOf(app, provider)).endUrl(idToken, signedOutUrl(app));
    return url === null ? null : { name: provider.name, url };
  } catch (error) {
    // Nobody waits here for a provider that is away.
    if (providerFault(error) === null) throw error;
    return null;
  }
};

/** Returns where the provider's session is ended that began this one; null where there is no way to. */
export const endThere = async (
  app: App,
  { session_id, issuer, sealed_id_token: sealed }: BegunSession,
): Promise<End | null> => {
  const provider = (await listProviders(app)).find((each) => each.issuer === issuer);
  if (!provider) return null;
  return endAt(app, provider, sealed && unseal(app, idTokenPurpose(session_id), sealed));
};
