// Reblogging and its reverse. A reblog is a status of its own without text; a person has one of each.

import type { App } from "../../platform/app.ts";
import { addAccountCounts, touchAccount } from "../accounts/counts.ts";
import "./events.ts";
import { addStatusCounts, insertStats, insertStatus, nextStatusId } from "./queries-write.ts";
import { selectReblogId } from "./queries.ts";
import { removeStatusIn } from "./remove.ts";
import type { StatusView, Visibility } from "./tables.ts";

export type ReblogInput = {
  accountId: string;
  username: string;
  /** What is reblogged: never a reblog itself. */
  target: StatusView;
  visibility: Visibility;
  /** Of the Announce activity, when it came from elsewhere. */
  uri?: string | null;
  createdAt?: Date | null;
};

const row = (app: App, id: string, input: ReblogInput, createdAt: Date) => {
  const { origin } = app.config.site;
  const remote = Boolean(input.uri);
  return {
    id,
    account_id: input.accountId,
    uri: input.uri ?? `${origin}/users/${input.username}/statuses/${id}/activity`,
    url: null,
    local: !remote,
    text: "",
    content: "",
    spoiler_text: "",
    visibility: input.visibility,
    sensitive: false,
    language: null,
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    reblog_of_id: input.target.id,
    conversation_id: null,
    app_id: null,
    has_media: false,
    emojis: [],
    created_at: createdAt,
  };
};

/** The id of the reblog, new or the one that was there. */
export const reblog = (app: App, input: ReblogInput): Promise<string> =>
  app.sql.begin(async (tx) => {
    const createdAt = input.createdAt ?? app.clock.now();
    const id = await nextStatusId(tx, createdAt);
    if (!(await insertStatus(tx, row(app, id, input, createdAt)))) {
      return (await selectReblogId(tx, input.accountId, input.target.id)) ?? id;
    }
    await insertStats(tx, id);
    await addStatusCounts(tx, input.target.id, { reblogs: 1 });
    await addAccountCounts(tx, input.accountId, { statuses: 1 });
    await touchAccount(tx, input.accountId, createdAt);
    await app.jobs.add(tx, "status.created", { id });
    return id;
  });

/** False when there was none. */
export const unreblog = (app: App, accountId: string, targetId: string): Promise<boolean> =>
  app.sql.begin(async (tx) => {
    const id = await selectReblogId(tx, accountId, targetId);
    return id !== null && (await removeStatusIn(app, tx, id)) !== null;
  });
