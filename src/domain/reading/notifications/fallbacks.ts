// What apps show of notifications whose type they do not know, as HTML in the viewer's language: of rare and newer
// types. https://docs.joinmastodon.org/entities/NotificationFallback/

import type { CurrentUser } from "../../../platform/http/credentials.ts";
import { mentionHtml } from "../../../platform/text/format.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import type { NotificationType } from "./tables.ts";
import { titleOf } from "./titles.ts";

/** The others are older than what apps ask for: all know them. */
const RARE: ReadonlySet<NotificationType> = new Set([
  "admin.sign_up",
  "admin.report",
  "added_to_collection",
  "collection_update",
  "moderation_warning",
  "severed_relationships",
]);

/** null: none is needed. `sender`: whom it names. */
export type FallbackOf = (
  type: NotificationType,
  sender: () => AccountView | undefined,
) => { title: string; summary: null; details: null } | null;

const noFallback: FallbackOf = () => null;

/** By the types that the app says it knows (`supported_types`); one that says nothing gets none. */
export const fallbacksFor = (
  { supported_types: known }: { supported_types?: string[] },
  { locale }: CurrentUser,
): FallbackOf => {
  if (!known) return noFallback;
  return (type, sender) => {
    const account = RARE.has(type) && !known.includes(type) ? sender() : undefined;
    if (!account) return null;
    return {
      title: titleOf(type, locale, mentionHtml(account, account.username)),
      summary: null,
      details: null,
    };
  };
};
