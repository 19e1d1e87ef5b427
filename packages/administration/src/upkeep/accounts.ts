// The commands accounts delete, refresh, rotate, cull, prune, follow and unfollow, domains purge, and self-destruct.
// They call what the API and the jobs call; the running server does what follows.

import {
  COMMAND_LINE,
  ConfigError,
  RemoteFault,
  addDays,
  deleteAccountAs,
  fetchActor,
  follow,
  idAt,
  printCount,
  readDomain,
  removeAccount,
  rotateKey,
  setSetting,
  unfollow,
  withApp,
} from "../uses.ts";
import {
  DELETED,
  accountNamed,
  accountsOf,
  countOf,
  eachOf,
  forEach,
  handleOf,
  named,
  printNames,
  slices,
} from "../many.ts";
import { record, recordOnAccount } from "../recorded.ts";
import type { App, OutputOptions, Verb } from "../uses.ts";
import type { Act } from "../many.ts";
import type { Listed, Whose } from "../queries.ts";
import { selectStrangers } from "./queries.ts";

const LOCAL = "local" as const;
const REFRESHED: Verb = ["refreshed", "would be fetched again"];
const NEW_KEYS: Verb = ["have new keys", "would have new keys"];

const ofDomain = (name: string): { domain: string } => {
  const domain = readDomain(name);
  if (domain === null) throw new ConfigError(`"${name}" is not a domain.`);
  return { domain };
};

/** Counts these accounts; throws a sentence for a server of which none is known. */
const countKnown = async (app: App, of: Whose): Promise<number> => {
  const count = await countOf(app, of);
  if (count > 0 || of === null || of === LOCAL) return count;
  throw new ConfigError(`No account of ${of.domain} is known here.`);
};

/** Runs a command for each of these accounts; does nothing in a dry run. */
const toAll = async (
  app: App,
  of: Whose,
  verb: Verb,
  options: OutputOptions & { atOnce?: number },
  act: Act,
): Promise<void> => {
  const { atOnce, dryRun } = options;
  const all = await countKnown(app, of);
  const outcome = await forEach(
    accountsOf(app, of),
    { all, ...(atOnce && { atOnce }) },
    async (account) => (dryRun ? true : act(account)),
  );
  printNames(outcome, verb, options);
};

const remove = async (app: App, account: Listed): Promise<true> => {
  await removeAccount(app, account.id);
  return true;
};

const targetOf = (account: Listed) => ({ id: account.id, handle: handleOf(account) });

/** Removes accounts here, and notifies other servers of local ones; the names stay taken. */
export const deleteCommand = (names: string[], options: OutputOptions): Promise<void> =>
  withApp(async (app) => {
    const accounts = await named(app, names);
    const outcome = await forEach(
      eachOf(accounts),
      { all: accounts.length, atOnce: 1 },
      async (account) => {
        if (options.dryRun) return true;
        await deleteAccountAs(app, COMMAND_LINE, account.id);
        return true;
      },
    );
    printNames(outcome, DELETED, options);
  });

const sameHost = (of: Whose, options: OutputOptions) => ({
  ...options,
  // One server answers all requests for its accounts.
  atOnce: of !== null && of !== "local" ? 1 : 4,
});

type RefreshOptions = OutputOptions & { domain?: string; all?: boolean };

/** Fetches profiles of other servers again. */
export const refreshCommand = (names: string[], options: RefreshOptions): Promise<void> =>
  withApp(async (app) => {
    const act: Act = async ({ uri, domain }) => {
      if (domain === null) throw new ConfigError("An account of this server is not fetched.");
      if (!options.dryRun) await fetchActor(app, uri, "refresh");
      return true;
    };
    if (names.length > 0) {
      const accounts = await named(app, names);
      const outcome = await forEach(eachOf(accounts), { all: accounts.length }, act);
      return printNames(outcome, REFRESHED, options);
    }
    if (options.domain === undefined && !options.all) {
      throw new ConfigError("Name accounts, or pass --domain HOST or --all.");
    }
    const of = options.domain === undefined ? null : ofDomain(options.domain);
    await toAll(app, of, REFRESHED, sameHost(of, options), act);
  });

/** Whether its server says that an account is gone; accounts of unreachable servers stay. */
const isGone = async (app: App, { uri }: Listed): Promise<boolean> => {
  try {
    await fetchActor(app, uri, "refresh");
    return false;
  } catch (error) {
    if (error instanceof RemoteFault && error.kind === "gone") return true;
    if (error instanceof RemoteFault && error.kind === "unacceptable") return false;
    throw error;
  }
};

export const cullCommand = (domain: string | undefined, options: OutputOptions): Promise<void> =>
  withApp(async (app) => {
    const of = domain === undefined ? null : ofDomain(domain);
    const counted = { all: await countKnown(app, of), atOnce: sameHost(of, options).atOnce };
    const outcome = await forEach(accountsOf(app, of), counted, async (account) => {
      if (!(await isGone(app, account))) return false;
      return options.dryRun ? true : remove(app, account);
    });
    printNames(outcome, ["gone", "gone, and would be deleted"], options);
  });

/** Makes everybody here follow an account. */
export const followCommand = (name: string, options: OutputOptions): Promise<void> =>
  withApp(async (app) => {
    const targetId = await accountNamed(app, name);
    if (!options.dryRun) {
      const target = { id: targetId, handle: name };
      await recordOnAccount(app, app.sql, "account.follow_by_all", target);
    }
    const verb = ["follow it", "would follow it"] as const;
    await toAll(app, LOCAL, verb, options, async ({ id: accountId }) => {
      if (accountId === targetId) return false;
      await follow(app, { accountId, targetId });
      return true;
    });
  });

export const unfollowCommand = (name: string, options: OutputOptions): Promise<void> =>
  withApp(async (app) => {
    const targetId = await accountNamed(app, name);
    if (!options.dryRun) {
      const target = { id: targetId, handle: name };
      await recordOnAccount(app, app.sql, "account.unfollow_by_all", target);
    }
    const verb = ["do not follow it", "would not follow it"] as const;
    await toAll(app, LOCAL, verb, options, async ({ id: accountId }) => {
      await unfollow(app, { accountId, targetId });
      return true;
    });
  });

type RotateOptions = OutputOptions & { all?: boolean };

/** Makes new keys: other servers fetch them when a signature does not fit the old ones. */
export const rotateCommand = (names: string[], options: RotateOptions): Promise<void> =>
  withApp(async (app) => {
    const act: Act = async (account) => {
      await recordOnAccount(app, app.sql, "account.rotate_keys", targetOf(account));
      return rotateKey(app, account.id);
    };
    if (options.all) return toAll(app, LOCAL, NEW_KEYS, { ...options, atOnce: 1 }, act);
    if (names.length === 0) throw new ConfigError("Name accounts, or pass --all.");
    const accounts = await named(app, names);
    const outcome = await forEach(
      eachOf(accounts),
      { all: accounts.length, atOnce: 1 },
      async (account) => (options.dryRun ? account.domain === null : act(account)),
    );
    printNames(outcome, NEW_KEYS, options);
  });

/** Deletes everything of a server, as if it had never been known; without a block it may come back. */
export const purgeDomainCommand = (domain: string, options: OutputOptions): Promise<void> =>
  withApp(async (app) => {
    const of = ofDomain(domain);
    const { localDomain, webDomain } = app.config.site;
    if ([localDomain, webDomain].includes(of.domain)) {
      throw new ConfigError(`${domain} is this server itself: self-destruct deletes it.`);
    }
    await countKnown(app, of);
    if (!options.dryRun) await record(app, "domain.purge", { type: "domain", label: domain });
    await toAll(app, of, DELETED, options, (account) => remove(app, account));
  });

const PAGE = 200;

type DaysOptions = OutputOptions & { days: number };

/** Deletes remote accounts without stored posts that nobody here ever had a connection with. */
export const pruneCommand = ({ days, ...options }: DaysOptions): Promise<void> =>
  withApp(async (app) => {
    const newest = idAt(addDays(app.clock.now(), -days));
    let after = "0";
    const step = async () => {
      const { strangers, looked, last } = await selectStrangers(app.sql, after, newest, PAGE);
      if (!options.dryRun) for (const id of strangers) await removeAccount(app, id);
      after = last ?? after;
      return { count: strangers.length, looked, isMore: looked === PAGE };
    };
    const count = await slices("accounts", step, await countOf(app, null));
    printCount(count, ["accounts deleted", "accounts would be deleted"], options);
  });

type DestructOptions = OutputOptions & { confirm?: string };

/** Deletes all local accounts and notifies all servers that know them. This cannot be undone. */
export const selfDestructCommand = ({ confirm, ...options }: DestructOptions): Promise<void> =>
  withApp(async (app) => {
    const { localDomain } = app.config.site;
    if (confirm !== localDomain && !options.dryRun) {
      throw new ConfigError(
        `This deletes everybody on this server for ever: pass --confirm ${localDomain} if you mean it, or --dry-run.`,
      );
    }
    if (!options.dryRun) {
      await record(app, "server.self_destruct", { type: "domain", label: localDomain });
      await setSetting(app, "registrations", "closed");
    }
    await toAll(app, LOCAL, DELETED, { ...options, atOnce: 1 }, (account) => remove(app, account));
    if (!options.json && !options.dryRun) {
      console.log("Leave the server running for a week, until all other servers have been told.");
    }
  });
