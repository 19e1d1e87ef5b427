// SQL of what authors allow to be done with their posts: answers, favourites and boosts, by whom they are asked and answered.

import type { Db } from "../../platform/db/index.ts";
import { hasUri } from "./fragments.ts";
import type { Interaction } from "./interactions.ts";

type Done = { accountId: string; targetId: string; uri: string };

/** The stored favourite, answer or boost of the target by the account; null: there is none. */
export const selectInteraction = async (
  db: Db,
  kind: Interaction,
  { accountId, targetId, uri }: Done,
): Promise<string | null> => {
  const find = {
    like: () => db<{ id: string }[]>`
      SELECT id FROM favourites WHERE account_id = ${accountId} AND status_id = ${targetId}
    `,
    reply: () => db<{ id: string }[]>`
      SELECT s.id FROM statuses s
      WHERE ${hasUri(db, uri)} AND s.account_id = ${accountId} AND s.in_reply_to_id = ${targetId}
    `,
    announce: () => db<{ id: string }[]>`
      SELECT id FROM statuses WHERE reblog_of_id = ${targetId} AND account_id = ${accountId}
    `,
  };
  const [row] = await find[kind]();
  return row?.id ?? null;
};

export type InteractionRow = {
  interacting_uri: string;
  target_uri: string;
  target_account_id: string;
  /** Who may see this status may know of it. */
  shown_id: string;
};

/** A favourite, answer or boost by its id. */
export const selectInteractionById = async (
  db: Db,
  kind: Interaction,
  id: string,
): Promise<InteractionRow | null> => {
  const from = {
    like: () => db`t.id AS shown_id FROM favourites i JOIN statuses t ON t.id = i.status_id`,
    reply: () => db`i.id AS shown_id FROM statuses i JOIN statuses t ON t.id = i.in_reply_to_id`,
    announce: () => db`i.id AS shown_id FROM statuses i JOIN statuses t ON t.id = i.reblog_of_id`,
  };
  const [row] = await db<InteractionRow[]>`
    SELECT i.uri AS interacting_uri, t.uri AS target_uri, t.account_id AS target_account_id,
      ${from[kind]()}
    WHERE i.id = ${id} AND i.uri IS NOT NULL
  `;
  return row ?? null;
};

/** A favourite of a local account by the address of its Like, if the author of the post is this one. */
export const selectOwnFavourite = async (db: Db, uri: string, authorId: string) => {
  const [row] = await db<{ account_id: string; status_id: string }[]>`
    SELECT f.account_id, f.status_id
    FROM favourites f JOIN statuses s ON s.id = f.status_id JOIN accounts a ON a.id = f.account_id
    WHERE f.uri = ${uri} AND s.account_id = ${authorId} AND a.domain IS NULL
  `;
  return row ?? null;
};

export type OwnAnswer = {
  id: string;
  account_id: string;
  awaits_approval: boolean;
  approval_uri: string | null;
  reblog_of_id: string | null;
  in_reply_to_id: string | null;
};

/** The answer to, or boost of, a post of this author by a local account; locks it. */
export const lockOwnAnswer = async (
  db: Db,
  uri: string,
  authorId: string,
): Promise<OwnAnswer | null> => {
  const [row] = await db<OwnAnswer[]>`
    SELECT s.id, s.account_id, s.awaits_approval, s.approval_uri, s.reblog_of_id, s.in_reply_to_id
    FROM statuses s JOIN statuses t ON t.id = coalesce(s.reblog_of_id, s.in_reply_to_id)
    WHERE ${hasUri(db, uri)} AND s.local AND t.account_id = ${authorId}
    FOR UPDATE OF s
  `;
  return row ?? null;
};
