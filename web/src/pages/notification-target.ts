// The address that push notifications lead to; it redirects to what the notification is about.

import type { Notification } from "../api/entities.ts";
import { profilePath } from "../elements/names.tsx";
import { postPath } from "../views/shown-status.ts";
import { Redirect } from "./page.ts";
import type { Page } from "./page.ts";

const targetOf = ({ type, status, account, report }: Notification): string => {
  if (status) return postPath(status);
  if (report) return `/admin/reports/${report.id}`;
  return type === "follow" || type === "admin.sign_up" ? profilePath(account) : "/notifications";
};

export const notificationTarget: Page<null> = {
  path: "/notifications/:id(\\d+)",
  isForMembers: true,
  load: async ({ get, place, me }) => {
    const { id = "" } = place.params;
    const { for: whose } = place.query;
    // The notification is for another account of this browser, which has to be switched to.
    if (whose && whose !== me?.id)
      throw new Redirect(`/settings/accounts?${new URLSearchParams({ for: whose, to: id })}`);
    const { body } = await get<Notification>(`/api/v1/notifications/${id}`);
    throw new Redirect(targetOf(body));
  },
  View: () => null,
  head: (_data, { t }) => ({ title: t("notify.title"), isHidden: true }),
};
