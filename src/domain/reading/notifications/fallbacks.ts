// Makes what apps show of notifications of types that they do not know, as HTML in the viewer's language, for rare and
// newer types. https://docs.joinmastodon.org/entities/NotificationFallback/

import type { CurrentUser } from "../../../platform/http/credentials.ts";
import { mentionHtml } from "../../../platform/text/format.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import type { NotificationType } from "./tables.ts";
import { titleOf } from "./titles.ts";

/** Types that some apps do not know; all know the older ones. */
const RARE: ReadonlySet<NotificationType> = new Set([
  "admin.sign_up",
  "admin.report",
  "added_to_collection",
  "collection_update",
  "moderation_warning",
  "severed_relationships",
]);

/** Returns null where none is needed. `sender` is the account that it names. */
export type FallbackOf = (
  type: NotificationType,
  sender: () => AccountView | undefined,
) => { title: string; summary: null; details: null } | null;

const noFallback: FallbackOf = () => null;

/** Uses the types that the app knows (`supported_types`); an app that states none gets no fallbacks. */
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
