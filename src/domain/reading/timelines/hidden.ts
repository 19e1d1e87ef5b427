// Handles a block or a mute: the person's open streams learn of it, then get a `delete` for each post of the hidden
// account that is in home, or in a list. The feeds themselves are rebuilt when next read.

import type { App } from "../../../platform/app.ts";
import { FEED_LENGTH } from "../../../platform/feeds/index.ts";
import type { FeedContent } from "../../../platform/feeds/index.ts";
import type { Hidden } from "../../people/relationships/events.ts";
import { tellDomainBlock, tellRelation } from "../../people/relationships/tell.ts";
import { userChannel } from "../../people/accounts/own-stream.ts";
import { withListeners, listChannel } from "./streams.ts";
import { selectHiddenAmong, selectHome, selectListFeed, selectListsOf } from "./queries-home.ts";

type ShownFeed = { channel: string; read: () => Promise<FeedContent> };

/** Returns the home and list streams with listeners, and what their feeds contained before. */
const streamsShowing = async (app: App, hidden: Hidden): Promise<ShownFeed[]> => {
  const { sql } = app;
  const { accountId, targetId, listed } = hidden;
  const unmuted = targetId === null ? [] : [targetId];
  const inExclusiveList = new Set(
    listed.filter((account) => account.exclusive).map((account) => account.accountId),
  );
  const followed = hidden.followed.filter((id) => !inExclusiveList.has(id));
  const members = Map.groupBy(listed, (account) => account.listId);
  const home = {
    channel: userChannel(accountId),
    read: () => selectHome(sql, accountId, FEED_LENGTH, { followed, unmuted }),
  };
  const lists = (await selectListsOf(sql, [accountId])).map((list) => {
    const left = (members.get(list.id) ?? []).map((account) => account.accountId);
    const before = { followed: left, unmuted };
    const read = () => selectListFeed(sql, list.id, FEED_LENGTH, before);
    return { channel: listChannel(list), read };
  });
  return withListeners(app, [home, ...lists]);
};

const tell = async (app: App, { accountId, targetId, domain }: Hidden): Promise<void> => {
  if (targetId !== null) await tellRelation(app, accountId, targetId);
  if (domain !== null) await tellDomainBlock(app, accountId, domain, true);
};

/** Sends at most as many events as a feed is long, on each stream. */
export const withdrawHidden = async (app: App, hidden: Hidden[]): Promise<void> => {
  for (const account of hidden) {
    await tell(app, account);
    for (const { channel, read } of await streamsShowing(app, account)) {
      const gone = await selectHiddenAmong(app.sql, (await read()).ids, account);
      for (const id of gone) await app.pubsub.publish(channel, { event: "delete", payload: id });
    }
  }
};
