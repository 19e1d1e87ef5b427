// The commands `rookery groups …`.

import { acct } from "../domain/people/accounts/present.ts";
import { allGroups } from "../domain/reading/groups/load.ts";
import { transferGroupAs } from "../domain/staff/moderation/groups.ts";
import { COMMAND_LINE } from "../domain/base/roles/permissions.ts";
import { accountNamed } from "./many.ts";
import { printRows } from "./print.ts";
import { withApp } from "./session.ts";

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
      [name, owner ?? "(nobody)", `${members} members`, `${posts} posts`].join("\t"),
    );
  });

export const transferGroup = (name: string, to: string): Promise<void> =>
  withApp(async (app) => {
    await transferGroupAs(
      app,
      COMMAND_LINE,
      await accountNamed(app, name),
      await accountNamed(app, to),
    );
    console.log("OK");
  });
