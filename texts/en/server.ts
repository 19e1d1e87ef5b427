// What the server itself says in English, a file for each area.

import account from "./account.json" with { type: "json" };
import auth from "./auth.json" with { type: "json" };
import base from "./base.json" with { type: "json" };
import mail from "./mail.json" with { type: "json" };
import privacy from "./privacy.json" with { type: "json" };
import refusals from "./refusals.json" with { type: "json" };
import scopes from "./scopes.json" with { type: "json" };
import staff from "./staff.json" with { type: "json" };
import staffAudit from "./staff-audit.json" with { type: "json" };
import staffModeration from "./staff-moderation.json" with { type: "json" };
import staffNetwork from "./staff-network.json" with { type: "json" };
import titles from "./titles.json" with { type: "json" };
import transfers from "./transfers.json" with { type: "json" };

export default {
  ...account,
  ...auth,
  ...base,
  ...mail,
  ...privacy,
  ...refusals,
  ...scopes,
  ...staff,
  ...staffAudit,
  ...staffModeration,
  ...staffNetwork,
  ...titles,
  ...transfers,
};
