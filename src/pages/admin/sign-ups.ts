// Lists the sign-ups that wait for a decision, one by one or several at once.

import type { KeyLine, Part } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { newestPage } from "../../platform/db/paging.ts";
import type { Server } from "../../platform/http/server.ts";
import { parseId } from "../../platform/ids/index.ts";
import { accountFilter } from "../../domain/staff/moderation/account-filter.ts";
import { approveAccount, rejectAccount } from "../../domain/staff/moderation/accounts.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { listAdminAccounts } from "../../domain/staff/moderation/load.ts";
import type { AdminAccountView } from "../../domain/staff/moderation/load.ts";
import { accountOf, stateBadges } from "./people.ts";
import { decision, older } from "./page-parts.ts";
import { unlessDecided } from "./audit.ts";
import { formsOf, onEntry } from "./forms.ts";
import { sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { keyList, KEYS_SCRIPT, TICK } from "./keys.ts";
import { listQuery, bulkBar, accountTick } from "./bulk-bar.ts";
import { SEVERAL_DONE, severalForm } from "./bulk-form.ts";

const LIMIT = 40;
const SIGN_UPS = "/admin/sign_ups";
const TOGETHER = `${SIGN_UPS}/several`;

const SIGN_UP = { type: "account", actions: ["account.approve", "account.reject"] } as const;

const KEYS: readonly KeyLine[] = [
  TICK,
  ["a", "moderation.sign_ups.approve"],
  ["r", "moderation.sign_ups.reject"],
];

const applicant = (staff: Staff, view: AdminAccountView): Part => {
  const { t } = staff;
  const { account, user } = view;
  const of = account.username;
  const path = `${SIGN_UPS}/${account.id}`;
  return {
    kind: "applicant",
    isEntry: true,
    panel: [
      {
        beside: [{ tick: accountTick(account) }, { who: accountOf(staff, account) }],
        kind: "ticked",
      },
      { text: stateBadges(view) },
      {
        facts: [
          ["moderation.email", user?.email],
          ["moderation.ip", user?.ips[0]?.ip ?? t("moderation.unknown")],
          ["moderation.sign_ups.at", account.created_at],
        ],
      },
      user?.reason ? { quote: user.reason } : null,
      {
        acts: [
          ...decision(path, of, ["moderation.sign_ups.approve", "moderation.sign_ups.reject"]),
          {
            link: `/admin/accounts/${account.id}`,
            text: t("moderation.details"),
            isButton: true,
            open: true,
          },
        ],
      },
    ],
  };
};

const show = async (staff: Staff) => {
  const { app, actor } = staff;
  const page = newestPage(LIMIT, parseId(listQuery(staff)["max_id"]));
  const views = await listAdminAccounts(app, accountFilter({ status: "pending" }), page);
  const accounts = views.map(({ account }) => account);
  const names = (["approve", "reject"] as const).filter((name) => may(actor, `accounts.${name}`));
  return sendAdmin(staff, {
    done: SEVERAL_DONE,
    script: KEYS_SCRIPT,
    parts: [
      views.length === 0 && { none: "moderation.sign_ups.none" },
      ...views.map((view) => applicant(staff, view)),
      bulkBar(staff, { path: TOGETHER, accounts, names }),
      views.length > 0 && keyList(KEYS),
      older(accounts, LIMIT),
    ],
  });
};

export const signUpPages = (pages: Server, app: App): void => {
  pages.get(SIGN_UPS, staffPage(app, ["accounts.read"], show));
  severalForm(pages, app, { path: TOGETHER, home: SIGN_UPS, show });
  const take = formsOf(pages, app, SIGN_UPS, ["accounts.approve"], show);
  for (const [verb, command, done] of [
    ["approve", approveAccount, "moderation.sign_ups.approved"],
    ["reject", rejectAccount, "moderation.sign_ups.rejected"],
  ] as const)
    take(`${SIGN_UPS}/:id/${verb}`, done, unlessDecided(SIGN_UP, onEntry(command)));
};
