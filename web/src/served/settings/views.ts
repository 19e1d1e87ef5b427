// The views of settings and of signing in, by name.

import type { FunctionComponent } from "preact";
import type { SettingsPages } from "../settings-pages.ts";
import { DeleteAccount } from "./delete-account.tsx";

export const SETTINGS_VIEWS: {
  [Name in keyof SettingsPages]: FunctionComponent<{ data: SettingsPages[Name] }>;
} = {
  "delete-account": DeleteAccount,
};
