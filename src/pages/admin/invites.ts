// Lists invitations for the staff: who made them, how often they were used, and how to end them.

import type { Row } from "../../../web/src/served/part-pages.ts";
import { isOver, listInvites } from "../../domain/people/users/invites.ts";
import type { InviteRow } from "../../domain/people/users/invites.ts";
import { endInviteAs } from "../../domain/staff/moderation/invites.ts";
import { useText } from "../../domain/people/users/pages/invites.ts";
import { onEntry, pageWithForms } from "./forms.ts";
import { pageOf, sendAdmin } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { older } from "./page-parts.ts";

const INVITES = "/admin/invites";
const ACTS = ["invites.manage"] as const;
const LIMIT = 60;

const show: Show = async (context) => {
  const { app, t } = context;
  const rows = await listInvites(app, null, pageOf(context, LIMIT));
  return sendAdmin(context, {
    parts: [
      {
        text: {
          say: "moderation.invites.about",
          with: {
            settings: { link: "/settings/invites", text: t("moderation.invites.settings") },
            roles: { link: "/admin/roles", text: t("staff.section.roles") },
          },
        },
      },
      { rows: rows.map((row) => rowOf(context, row)), none: "moderation.invites.none" },
      older(rows, LIMIT),
    ],
  });
};

const rowOf = ({ app, t }: Staff, row: InviteRow): Row => {
  const { id, code, expires_at: end } = row;
  const works = !isOver(app, row);
  return {
    title: { link: `/admin/accounts/${row.account_id}`, text: `@${row.username}` },
    badges: [
      works
        ? { badge: "moderation.invites.works", kind: "good" }
        : { badge: "moderation.invites.over" },
    ],
    lines: [
      { say: "invites.line", with: { uses: useText(t, row), time: row.created_at } },
      end && { say: "invites.until", with: { time: end } },
    ],
    acts: [
      works && {
        action: `${INVITES}/${id}/end`,
        label: "moderation.invites.end",
        of: code,
        kind: "bad",
      },
    ],
  };
};

export const inviteListPages = pageWithForms({ path: INVITES, read: ACTS, show }, [
  ["/:id/end", "moderation.invites.ended", onEntry(endInviteAs)],
]);
