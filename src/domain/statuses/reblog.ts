// Reblogging and its reverse. A reblog is a status of its own without text; a person has one of each.

import type { App } from "../../platform/app.ts";
import "./events.ts";
import { insertStatus } from "./queries-write.ts";
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

const row = (app: App, input: ReblogInput) => {
  const { origin } = app.config.site;
  return {
    account_id: input.accountId,
    uri: input.uri ?? null,
    url: null,
    local_addresses: input.uri
      ? null
      : {
          prefix: `${origin}/users/${input.username}/statuses/`,
          suffix: "/activity",
          page: null,
        },
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
    conversation_uri: null,
    app_id: null,
    has_media: false,
    emojis: [],
    quote_policy: 0,
    created_at: input.createdAt ?? app.clock.now(),
  };
};

/** The id of the reblog, new or the one that was there. */
export const reblog = (app: App, input: ReblogInput): Promise<string> =>
  app.sql.begin(async (tx) => {
    const id = await insertStatus(tx, row(app, input));
    if (id === null) return (await selectReblogId(tx, input.accountId, input.target.id))!;
    await app.jobs.add(tx, "status.created", { id });
    return id;
  });

/** False when there was none. */
export const unreblog = (app: App, accountId: string, targetId: string): Promise<boolean> =>
  app.sql.begin(async (tx) => {
    const id = await selectReblogId(tx, accountId, targetId);
    return id !== null && (await removeStatusIn(app, tx, id)) !== null;
  });
