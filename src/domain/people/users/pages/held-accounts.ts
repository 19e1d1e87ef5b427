// Offers the accounts that a browser keeps signed in, which need no password again.

import type { Part } from "../../../../../web/src/served/part-pages.ts";
import { mayUsePages } from "../sign-in.ts";
import type { CardContext } from "./components.ts";
import { otherAccounts } from "./cookies.ts";

/** Declares buttons that switch to them; nothing where there are none. */
export const heldAccounts = async (
  { app, request }: CardContext,
  returnTo: string | null,
): Promise<Part[]> => {
  const sessions = (await otherAccounts(app, request)).filter(({ who }) => mayUsePages(who));
  if (sessions.length === 0) return [];
  return [
    { text: { say: "sign_in.or" }, kind: "or" },
    {
      acts: sessions.map(({ who }) => ({
        action: `/auth/accounts/${who.accountId}/switch`,
        label: ["sign_in.continue", { name: `@${who.username}` }],
        fields: { return_to: returnTo },
      })),
    },
  ];
};
