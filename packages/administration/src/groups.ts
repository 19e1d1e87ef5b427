// The commands `rookery groups …`.

import { COMMAND_LINE, acct, allGroups, transferGroupAs, withApp } from "./uses.ts";
import { accountNamed } from "./many.ts";
import { counted, printRows } from "./print.ts";

export const listGroups = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) => {
    const views = (await Array.fromAsync(allGroups(app))).flat();
    const rows = views.map(({ account, owner, moderators }) => ({
      name: account.username,
      owner: owner && acct(owner),
      moderators: moderators.map(acct),
      members: Number(account.followers_count),
      posts: Number(account.statuses_count),
    }));
    printRows(rows, json, ({ name, owner, members, posts }) =>
      [name, owner ?? "(nobody)", counted(members, "member"), counted(posts, "post")].join("\t"),
    );
  });

export const transferGroup = (name: string, to: string): Promise<void> =>
  withApp(async (app) => {
    const [groupId, ownerId] = [await accountNamed(app, name), await accountNamed(app, to)];
    await transferGroupAs(app, COMMAND_LINE, groupId, ownerId);
    console.log("OK");
  });
