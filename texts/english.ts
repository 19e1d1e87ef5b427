// All English messages, a file for each area: the original of the catalogue.

import account from "./en/account.json" with { type: "json" };
import accounts from "./en/accounts.json" with { type: "json" };
import auth from "./en/auth.json" with { type: "json" };
import base from "./en/base.json" with { type: "json" };
import compose from "./en/compose.json" with { type: "json" };
import doctor from "./en/doctor.json" with { type: "json" };
import developers from "./en/developers.json" with { type: "json" };
import drafts from "./en/drafts.json" with { type: "json" };
import explore from "./en/explore.json" with { type: "json" };
import groups from "./en/groups.json" with { type: "json" };
import mail from "./en/mail.json" with { type: "json" };
import notifications from "./en/notifications.json" with { type: "json" };
import people from "./en/people.json" with { type: "json" };
import posts from "./en/posts.json" with { type: "json" };
import privacy from "./en/privacy.json" with { type: "json" };
import reasons from "./en/reasons.json" with { type: "json" };
import refusals from "./en/refusals.json" with { type: "json" };
import scopes from "./en/scopes.json" with { type: "json" };
import settings from "./en/settings.json" with { type: "json" };
import setup from "./en/setup.json" with { type: "json" };
import staff from "./en/staff.json" with { type: "json" };
import staffAudit from "./en/staff-audit.json" with { type: "json" };
import staffModeration from "./en/staff-moderation.json" with { type: "json" };
import staffNetwork from "./en/staff-network.json" with { type: "json" };
import titles from "./en/titles.json" with { type: "json" };
import transfers from "./en/transfers.json" with { type: "json" };

export const ENGLISH = {
  ...account,
  ...accounts,
  ...auth,
  ...base,
  ...compose,
  ...doctor,
  ...developers,
  ...drafts,
  ...explore,
  ...groups,
  ...mail,
  ...notifications,
  ...people,
  ...posts,
  ...privacy,
  ...reasons,
  ...refusals,
  ...scopes,
  ...settings,
  ...setup,
  ...staff,
  ...staffAudit,
  ...staffModeration,
  ...staffNetwork,
  ...titles,
  ...transfers,
};

export type Key = keyof typeof ENGLISH;
