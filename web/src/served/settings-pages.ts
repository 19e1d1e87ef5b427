// The data of the views of settings and of signing in, by name (settings/).

export type SettingsPages = {
  /** `isOnlyOwner`: other people act for the account and would lose it. */
  "delete-account": { username: string; domain: string; isOnlyOwner: boolean };
};
