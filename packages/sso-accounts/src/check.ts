// Asks providers again, within the hour, who people are: whoever has left a group, or the provider, loses sessions and
// tokens, and roles follow.

import { deleteToken, selectDueIdentities, updateChecked } from "./queries.ts";
import {
  endAll,
  faultOf,
  keepInStep,
  listProviders,
  mayEnter,
  protocolOf,
  tokenPurpose,
  unseal,
} from "./uses.ts";
import type { App, IdentityRow, Provider } from "./uses.ts";

const MINUTE = 60_000;
/** Minutes after which somebody is asked about again; the job runs every five. */
const DUE_MINUTES = 50;
/** Minutes after which a provider that did not answer is asked again. */
const AGAIN_MINUTES = 10;
const DUE = 200;

const before = (app: App, minutes: number): Date =>
  new Date(app.clock.now().getTime() - minutes * MINUTE);

const ask = async (app: App, provider: Provider, row: IdentityRow): Promise<void> => {
  const token = unseal(app, tokenPurpose(row), row.sealed_token!);
  const signIn = await (await protocolOf(app, provider)).refresh(token, row.subject);
  if (!mayEnter(provider.settings, signIn.identity)) return endAll(app, row, provider.name);
  await app.sql.begin((tx) => keepInStep(app, tx, row, provider, signIn));
};

/** `away` has issuers that did not answer, which are not waited for again. */
const check = async (
  app: App,
  provider: Provider | undefined,
  row: IdentityRow,
  away: Set<string>,
): Promise<void> => {
  // Nobody can be asked of a provider that is gone.
  if (!provider) {
    await deleteToken(app.sql, row.id);
    return;
  }
  const later = () => updateChecked(app.sql, row.id, before(app, DUE_MINUTES - AGAIN_MINUTES));
  if (away.has(row.issuer)) {
    await later();
    return;
  }
  try {
    await ask(app, provider, row);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === null) throw error;
    if (fault === "ended") return endAll(app, row, provider.name);
    app.log.warn(
      { provider: provider.issuer, fault, why: (error as Error).message },
      "a provider could not be asked about somebody",
    );
    if (fault === "unreachable") away.add(row.issuer);
    await later();
  }
};

/** Handles the job of the clock. */
export const checkDue = async (app: App): Promise<void> => {
  const rows = await selectDueIdentities(app.sql, before(app, DUE_MINUTES), DUE);
  if (rows.length === 0) return;
  const providers = await listProviders(app);
  const away = new Set<string>();
  for (const row of rows) {
    await check(
      app,
      providers.find(({ issuer }) => issuer === row.issuer),
      row,
      away,
    );
  }
  if (rows.length === DUE) await app.jobs.add(app.sql, "sso.check", {});
};
