// The views of settings and of signing in, by name.

import type { FunctionComponent } from "preact";
import type { SettingsPages } from "../settings-pages.ts";
import { Apps, Invites, Sessions } from "./access.tsx";
import {
  Email,
  Passkeys,
  Password,
  RecoveryCodes,
  TwoFactorOff,
  TwoFactorOn,
  TwoFactorStart,
} from "./credentials.tsx";
import { Aliases, Migration, Moved } from "./account.tsx";
import { Cleanup } from "./cleanup.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { Letter, Mails } from "./mails.tsx";
import { Strike, Strikes } from "./strikes.tsx";
import { Export, Import, Imports, Severed } from "./transfers.tsx";
import { Identities, Sharing, SharingLog } from "./identities.tsx";

export const SETTINGS_VIEWS: {
  [Name in keyof SettingsPages]: FunctionComponent<{ data: SettingsPages[Name] }>;
} = {
  "delete-account": DeleteAccount,
  email: Email,
  password: Password,
  "two-factor-off": TwoFactorOff,
  "two-factor-on": TwoFactorOn,
  "two-factor-start": TwoFactorStart,
  "recovery-codes": RecoveryCodes,
  passkeys: Passkeys,
  sessions: Sessions,
  apps: Apps,
  invites: Invites,
  identities: Identities,
  sharing: Sharing,
  "sharing-log": SharingLog,
  aliases: Aliases,
  moved: Moved,
  migration: Migration,
  export: Export,
  imports: Imports,
  import: Import,
  severed: Severed,
  strikes: Strikes,
  strike: Strike,
  mails: Mails,
  letter: Letter,
  cleanup: Cleanup,
};
