// The commands `rookery groups …`.

import {
  COMMAND_LINE,
  Unprocessable,
  acct,
  allGroups,
  getAccount,
  recorded,
  transferIn,
  withApp,
} from "./uses.ts";
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

/** Makes somebody of this server the owner of a group, such as of one whose owner was deleted. */
export const transferGroup = (name: string, to: string): Promise<void> =>
  withApp(async (app) => {
    const [groupId, ownerId] = [await accountNamed(app, name), await accountNamed(app, to)];
    await recorded(app, COMMAND_LINE, "groups.write", async (tx) => {
      const person = await getAccount(app, ownerId);
      if (person.domain !== null || person.role === null) {
        throw new Unprocessable("Only a person of this server can own a group");
      }
      await transferIn(app, tx, groupId, { by: null, to: ownerId });
      const label = acct(await getAccount(app, groupId));
      const target = { type: "group", id: groupId, label: `@${label}` };
      return { entry: { action: "group.transfer", target, details: { to: acct(person) } } };
    });
    console.log("OK");
  });
