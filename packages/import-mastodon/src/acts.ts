// Imports what people did with posts and with each other.

import { copied, rowByRow } from "./step.ts";
import type { Row, Step } from "./step.ts";

/** Makes a step for a table of pairs that has the same name and ids here. */
const pairs = (table: string, name: string, more?: (row: Row) => Row): Step => ({
  name,
  from: table,
  sweeps: table,
  convert: copied(table, "id account_id target_account_id created_at", more),
});

const onStatus = (table: string): Step => ({
  name: table,
  from: table,
  sweeps: table,
  convert: copied(table, "id account_id status_id created_at"),
});

const following = (row: Row): Row => ({
  show_reblogs: row.show_reblogs,
  notify: row.notify,
  languages: row.languages,
  uri: row.uri,
});

const domainBlocks: Step = {
  name: "domains that people block",
  from: "account_domain_blocks",
  sweeps: "account_domain_blocks",
  convert: rowByRow("account_domain_blocks", (row) =>
    row.domain === null
      ? null
      : {
          id: row.id,
          account_id: row.account_id,
          domain: row.domain.toLowerCase(),
          created_at: row.created_at,
        },
  ),
};

const notes: Step = {
  name: "notes on others",
  counts: "account_notes",
  from: "account_notes",
  key: ["account_id", "target_account_id"],
  where: "o.account_id IS NOT NULL AND o.target_account_id IS NOT NULL",
  convert: copied("account_notes", "account_id target_account_id comment"),
};

const endorsements: Step = {
  name: "recommended accounts",
  counts: "endorsements",
  from: "account_pins",
  key: ["account_id", "target_account_id"],
  where: "o.account_id IS NOT NULL AND o.target_account_id IS NOT NULL",
  convert: copied("endorsements", "account_id target_account_id created_at"),
};

const dismissed: Step = {
  name: "dismissed suggestions",
  counts: "dismissed_suggestions",
  from: "follow_recommendation_mutes",
  convert: copied("dismissed_suggestions", "account_id target_account_id"),
};

const conversationMutes: Step = {
  name: "muted conversations",
  counts: "conversation_mutes",
  from: "conversation_mutes",
  changed: null,
  convert: copied("conversation_mutes", "account_id conversation_id"),
};

const inOrder = (ids: string[]): string[] =>
  ids.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));

const conversations: Step = {
  name: "private conversations",
  from: "account_conversations",
  sweeps: "account_conversations",
  changed: null,
  where: "o.last_status_id IS NOT NULL AND o.conversation_id IS NOT NULL",
  convert: (rows) => ({
    into: {
      account_conversations: rows.map((row) => ({
        id: row.id,
        account_id: row.account_id,
        conversation_id: row.conversation_id,
        participant_ids: inOrder(row.participant_account_ids),
        last_status_id: row.last_status_id,
        unread: row.unread,
      })),
      account_conversation_statuses: rows.flatMap((row) =>
        [...new Set<string>(row.status_ids)].map((id) => ({
          account_conversation_id: row.id,
          status_id: id,
        })),
      ),
    },
  }),
};

export const ACT_STEPS: Step[] = [
  onStatus("favourites"),
  onStatus("bookmarks"),
  pairs("follows", "follows", following),
  pairs("follow_requests", "requests to follow", following),
  pairs("blocks", "blocks", (row) => ({ uri: row.uri })),
  pairs("mutes", "mutes", (row) => ({
    hide_notifications: row.hide_notifications,
    expires_at: row.expires_at,
  })),
  domainBlocks,
  notes,
  endorsements,
  dismissed,
  conversationMutes,
  conversations,
];
