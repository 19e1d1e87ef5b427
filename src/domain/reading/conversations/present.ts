// Presents conversations as the JSON entity. https://docs.joinmastodon.org/entities/Conversation/

import type { FullConfig } from "../../../platform/config/config.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { statusEntity } from "../../posts/statuses/present.ts";
import type { ConversationView } from "./tables.ts";

type Site = FullConfig["site"];

const members = (row: { id: string; unread: boolean }, accounts: AccountView[], site: Site) => ({
  id: row.id,
  unread: row.unread,
  accounts: accounts.map((account) => accountEntity(account, site)),
});

export const conversationEntity = (view: ConversationView, site: Site) => ({
  ...members(view, view.accounts, site),
  last_status: view.lastStatus && statusEntity(view.lastStatus, site),
});

/** Returns the entity as text around a status that is already text, which is made once for all recipients. */
export const conversationText = (
  row: { id: string; unread: boolean },
  accounts: AccountView[],
  status: string,
  site: Site,
): string =>
  `${JSON.stringify(members(row, accounts, site)).slice(0, -1)},"last_status":${status}}`;
