// Remembers which account this browser uses: each page that is opened writes it down, so that pages of another account
// notice that they are not in use any more. They say so (views/elsewhere.tsx), and send nothing.

import { signal } from "@preact/signals";

type Used = { id: string; acct: string };

const SLOT = "account";

const read = (): Used | null => {
  try {
    return JSON.parse(localStorage.getItem(SLOT) ?? "null") as Used | null;
  } catch {
    return null;
  }
};

/** The account that is used now, if it is not that of the page. */
export const usedElsewhere = signal<Used | null>(null);

/** Returns the id of the account that was used last. */
export const lastUsed = (): string | null => read()?.id ?? null;

export const followUsedAccount = ({ id, acct }: Used): void => {
  const look = (): void => {
    const used = read();
    usedElsewhere.value = used && used.id !== id ? used : null;
  };
  try {
    localStorage.setItem(SLOT, JSON.stringify({ id, acct }));
  } catch {
    // The server still refuses what a page of another account sends.
  }
  window.addEventListener("storage", ({ key }) => key === SLOT && look());
  // The browser shows this page again as it kept it.
  window.addEventListener("pageshow", ({ persisted }) => persisted && look());
};

/** Called when nobody is signed in any more. */
export const forgetUsedAccount = (): void => localStorage.removeItem(SLOT);
