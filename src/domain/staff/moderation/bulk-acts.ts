// Applies an act to several accounts, one by one: each is judged and recorded as if it were alone, and a refusal does
// not stop the others.

import type { App } from "../../../platform/app.ts";
import { Unprocessable, isRefusal } from "../../../platform/errors.ts";
import type { DomainError } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { actOnAccount, approveAccount, rejectAccount } from "./accounts.ts";
import { may } from "../../base/roles/acts.ts";
import type { Act } from "../../base/roles/acts.ts";
import { loadAdminAccounts } from "./load.ts";
import type { AdminAccountView } from "./load.ts";

export type Notice = { text: string; mail: boolean };

type BulkAct = {
  needs: Act;
  /** Returns whether it holds already, or there is nothing to decide. */
  isIdle: (view: AdminAccountView) => boolean;
  run: (app: App, actor: Actor, id: string, notice: Notice) => Promise<void>;
};

const limiting =
  (type: "silence" | "suspend"): BulkAct["run"] =>
  (app, actor, id, notice) =>
    actOnAccount(app, actor, id, { type, reportId: null, ...notice });

const isDecided = ({ user }: AdminAccountView): boolean => user?.approved !== false;

const ACTS = {
  approve: {
    needs: "accounts.approve",
    isIdle: isDecided,
    run: (app, actor, id) => approveAccount(app, actor, id),
  },
  reject: {
    needs: "accounts.reject",
    isIdle: isDecided,
    run: (app, actor, id) => rejectAccount(app, actor, id),
  },
  silence: {
    needs: "accounts.silence",
    isIdle: ({ account }) => account.silenced_at !== null || account.pending,
    run: limiting("silence"),
  },
  suspend: {
    needs: "accounts.suspend",
    isIdle: ({ account }) => account.suspended_at !== null || account.pending,
    run: limiting("suspend"),
  },
} satisfies Record<string, BulkAct>;

export type BulkActName = keyof typeof ACTS;

export const BULK_ACTS = Object.keys(ACTS) as BulkActName[];

/** Accounts of one act, twice as many as a page lists. */
const MAX_BULK_ACCOUNTS = 100;

export type Refusal = { account: AccountView; why: DomainError };

/** Returns why the act would be refused for an account; null where it would be done. */
const refusalOf = (actor: Actor, name: BulkActName, view: AdminAccountView): DomainError | null => {
  const { needs, isIdle } = ACTS[name];
  if (!may(actor, needs, view.account)) return new Unprocessable(says("moderation.several.above"));
  return isIdle(view) ? new Unprocessable(says(`moderation.several.idle_${name}`)) : null;
};

/**
 * Returns the accounts with these ids, and those for which the act would be refused. Throws 422 for none, or too many.
 */
export const judgeBulkAct = async (
  app: App,
  actor: Actor,
  name: BulkActName,
  ids: string[],
): Promise<{ accounts: AccountView[]; refused: Refusal[] }> => {
  if (ids.length > MAX_BULK_ACCOUNTS) {
    throw new Unprocessable(says("moderation.several.too_many", { count: MAX_BULK_ACCOUNTS }));
  }
  const views = await loadAdminAccounts(app, ids);
  const known = ids.flatMap((id) => views.get(id) ?? []);
  if (known.length === 0) throw new Unprocessable(says("moderation.several.none"));
  const judged = known.map((view) => {
    return { account: view.account, why: refusalOf(actor, name, view) };
  });
  return {
    accounts: judged.flatMap(({ account, why }) => (why === null ? account : [])),
    refused: judged.flatMap(({ account, why }) => (why === null ? [] : { account, why })),
  };
};

export type Outcome = { done: AccountView[]; refused: Refusal[] };

export const actInBulk = async (
  app: App,
  actor: Actor,
  name: BulkActName,
  { ids, ...notice }: Notice & { ids: string[] },
): Promise<Outcome> => {
  const { accounts, refused } = await judgeBulkAct(app, actor, name, ids);
  const outcome: Outcome = { done: [], refused: [...refused] };
  for (const account of accounts) {
    try {
      await ACTS[name].run(app, actor, account.id, notice);
      outcome.done.push(account);
    } catch (error) {
      // Somebody else may have decided meanwhile.
      if (!isRefusal(error)) throw error;
      outcome.refused.push({ account, why: error });
    }
  }
  return outcome;
};
