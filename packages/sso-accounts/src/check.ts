// Asks providers again, within the hour, who people are: whoever has left a group, or the provider, loses sessions and
// tokens, and roles follow.

import { deleteToken, selectDueIdentities, updateChecked } from "./queries.ts";
import {
  askAgain,
  directoryOf,
  endAll,
  providerFault,
  keepInStep,
  listProviders,
  mayEnter,
  protocolOf,
  told,
  tokenPurpose,
  unseal,
} from "./uses.ts";
import type { App, IdentityRow, SignIn, Source } from "./uses.ts";

const MINUTE = 60_000;
/** Minutes after which somebody is asked about again; the job runs every five. */
const DUE_MINUTES = 50;
/** Minutes after which a provider that did not answer is asked again. */
const AGAIN_MINUTES = 10;
const DUE = 200;

const before = (app: App, minutes: number): Date =>
  new Date(app.clock.now().getTime() - minutes * MINUTE);

/** Who vouched for people, and how they are asked about somebody again. */
type Voucher = { source: Source; again: (row: IdentityRow) => Promise<SignIn> };

const listVouchers = async (app: App): Promise<Voucher[]> => {
  const directory = directoryOf(app);
  const providers = (await listProviders(app)).map((source): Voucher => {
    const again = async (row: IdentityRow) => {
      const token = unseal(app, tokenPurpose(row), row.sealed_token!);
      return (await protocolOf(app, source)).refresh(token, row.subject);
    };
    return { source, again };
  });
  if (directory === null) return providers;
  return [...providers, { source: directory, again: (row) => askAgain(app, row.subject) }];
};

const ask = async (app: App, { source: provider, again }: Voucher, row: IdentityRow) => {
  const { signIn, isOut } = await told(app.sql, await again(row));
  if (isOut || !mayEnter(provider.settings, signIn.identity))
    return endAll(app, row, provider.name);
  await app.sql.begin((tx) => keepInStep(app, tx, row, provider, signIn));
};

/** `away` has issuers that did not answer, which are not waited for again. */
const check = async (
  app: App,
  voucher: Voucher | undefined,
  row: IdentityRow,
  away: Set<string>,
): Promise<void> => {
  // Nobody can be asked of a provider that is gone.
  if (!voucher) {
    await deleteToken(app.sql, row.id);
    return;
  }
  const later = () => updateChecked(app.sql, row.id, before(app, DUE_MINUTES - AGAIN_MINUTES));
  if (away.has(row.issuer)) {
    await later();
    return;
  }
  try {
    await ask(app, voucher, row);
  } catch (error) {
    const fault = providerFault(error);
    if (fault === null) throw error;
    if (fault === "ended") return endAll(app, row, voucher.source.name);
    app.log.warn(
      { provider: row.issuer, fault, why: (error as Error).message },
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
  const vouchers = await listVouchers(app);
  const away = new Set<string>();
  for (const row of rows) {
    await check(
      app,
      vouchers.find(({ source }) => source.issuer === row.issuer),
      row,
      away,
    );
  }
  if (rows.length === DUE) await app.jobs.add(app.sql, "sso.check", {});
};
