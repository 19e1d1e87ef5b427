// The commands of moderators for accounts: approve, reject, suspend and so on.

import {
  COMMAND_LINE,
  ConfigError,
  Forbidden,
  acct,
  actOnAccount,
  actOnReportedPosts,
  approveAccount,
  deleteSuspended,
  enableAccount,
  everyonesRole,
  findRole,
  giveRole,
  listAdminAccounts,
  loadReports,
  pageOfReports,
  parseId,
  rejectAccount,
  resolve,
  unsensitizeAccount,
  unsilenceAccount,
  unsuspendAccount,
  withApp,
} from "./uses.ts";
import type { ActionType, Actor, App, OutputOptions, PostAction } from "./uses.ts";
import { accountNamed, eachOf, forEach, handleOf, named, printNames } from "./many.ts";
import { counted, printRows } from "./print.ts";

const COMMANDS = {
  reject: rejectAccount,
  enable: enableAccount,
  unsensitive: unsensitizeAccount,
  unsilence: unsilenceAccount,
  unsuspend: unsuspendAccount,
  purge: deleteSuspended,
} satisfies Record<string, (app: App, actor: Actor, id: string) => Promise<void>>;
type CommandName = keyof typeof COMMANDS;

const REFUSED: Record<CommandName, string> = {
  reject: "does not wait for approval",
  enable: "is not an account of this server",
  unsensitive: "cannot be changed",
  unsilence: "cannot be changed",
  unsuspend: "is not suspended, or its data is deleted already",
  purge: "is not suspended: suspend it first",
};

export const commandOnAccount = (command: CommandName, name: string): Promise<void> =>
  withApp(async (app) => {
    const id = await accountNamed(app, name);
    try {
      await COMMANDS[command](app, COMMAND_LINE, id);
    } catch (error) {
      if (!(error instanceof Forbidden)) throw error;
      throw new ConfigError(`${name} ${REFUSED[command]}.`);
    }
    console.log("OK");
  });

type ActOptions = { text?: string; mail?: boolean };

export const actOnAccountCommand = (
  type: ActionType,
  name: string,
  { text = "", mail = true }: ActOptions,
): Promise<void> =>
  withApp(async (app) => {
    const id = await accountNamed(app, name);
    await actOnAccount(app, COMMAND_LINE, id, { type, text, mail, reportId: null });
    console.log("OK");
  });

/** Gives a role; "none" is the role that everybody has. */
export const giveRoleTo = async (app: App, name: string, roleName: string): Promise<void> => {
  const role = roleName === "none" ? await everyonesRole(app) : await findRole(app, roleName);
  await giveRole(app, COMMAND_LINE, await accountNamed(app, name), role);
};

const MAX_LISTED = 10_000;

/** Lists sign-ups that wait, newest first. */
const pending = (app: App) => {
  const filter = {
    origin: "local" as const,
    states: ["pending" as const],
    staff: false,
    roleIds: null,
    invitedBy: null,
    username: null,
    displayName: null,
    domain: null,
    email: null,
    ip: null,
  };
  const page = { maxId: null, sinceId: null, minId: null, limit: MAX_LISTED };
  return listAdminAccounts(app, filter, page);
};

type ApproveOptions = OutputOptions & { all?: boolean; number?: number };

/** Approves sign-ups by name, or those who have waited longest. */
export const approveCommand = (names: string[], options: ApproveOptions): Promise<void> =>
  withApp(async (app) => {
    const { all = false, number = all ? MAX_LISTED : 0, dryRun } = options;
    if (names.length === 0 && number === 0) {
      throw new ConfigError("Name accounts, or pass --number COUNT or --all.");
    }
    const waiting = (await pending(app)).map(({ account }) => account).toReversed();
    const accounts = names.length > 0 ? await named(app, names) : waiting.slice(0, number);
    const outcome = await forEach(
      eachOf(accounts),
      { all: accounts.length, atOnce: 1 },
      async (account) => {
        if (!waiting.some(({ id }) => id === account.id)) {
          throw new ConfigError(`${handleOf(account)} does not wait for approval.`);
        }
        if (!dryRun) await approveAccount(app, COMMAND_LINE, account.id);
        return true;
      },
    );
    printNames(outcome, ["approved", "would be approved"], options);
  });

/** Lists sign-ups that wait, with what the applicants wrote. */
export const listPending = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) => {
    const rows = (await pending(app)).map(({ account, user }) => ({
      username: account.username,
      email: user?.email ?? "",
      confirmed: user?.confirmed ?? false,
      reason: user?.reason ?? "",
    }));
    printRows(rows, json, ({ username, email, confirmed, reason }) => {
      const note = confirmed ? "" : " (email not confirmed)";
      return `@${username}\t${email}${note}\t${reason.replaceAll(/\s+/g, " ")}`;
    });
  });

export const listReports = ({ json, all }: { json?: boolean; all?: boolean }): Promise<void> =>
  withApp(async (app) => {
    const page = { maxId: null, sinceId: null, minId: null, limit: 200 };
    const filter = { resolved: all ?? false, accountId: null, targetId: null };
    const ids = await pageOfReports(app, filter, page);
    const views = await loadReports(app, ids);
    const rows = ids.flatMap((id) => {
      const view = views.get(id);
      return view ? [{ ...view, target: acct(view.target) }] : [];
    });
    printRows(rows, json, ({ id, target, category, status_ids: posts, comment }) =>
      [id, `@${target}`, category, counted(posts.length, "post"), comment].join("\t"),
    );
  });

const reportId = (text: string): string => {
  const id = parseId(text);
  if (id === null) throw new ConfigError(`"${text}" is not the id of a report.`);
  return id;
};

export const resolveReport = (id: string): Promise<void> =>
  withApp(async (app) => {
    await resolve(app, COMMAND_LINE, reportId(id));
    console.log("OK");
  });

export const actOnPosts = (
  action: PostAction,
  id: string,
  { text = "", mail = true }: ActOptions,
): Promise<void> =>
  withApp(async (app) => {
    await actOnReportedPosts(app, COMMAND_LINE, reportId(id), { action, text, mail });
    console.log("OK");
  });
