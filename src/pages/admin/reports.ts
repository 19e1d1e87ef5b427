// The queue of reports for the staff: an entry for each account with open ones, and the ended reports.

import type { Part, Row } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { listReportQueue, loadAdminReports } from "../../domain/staff/moderation/load.ts";
import type { ReportQueueEntry } from "../../domain/staff/moderation/load.ts";
import { pageOfReports } from "../../domain/reading/reports/moderate.ts";
import { atName, stateBadges } from "./people.ts";
import { older } from "./page-parts.ts";
import { endedRows } from "./history.ts";
import { entered, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { keyList, KEYS_SCRIPT } from "./keys.ts";
import { accountReportPages, REPORT_DONE } from "./report.ts";
import { listed } from "../../../texts/lists.ts";

const REPORTS = "/admin/reports";
const ENDED = `${REPORTS}?resolved=1`;
const LIMIT = 40;
const SHOWN = 200;

const queueRow = (staff: Staff, { group, newest, assigned }: ReportQueueEntry): Row => {
  const { t } = staff;
  const { report, target, account } = newest;
  const posts = report.status_ids.length;
  const by = t("moderation.reports.last_by", { name: atName(account.account) });
  const names = listed(staff.language, assigned.map(atName));
  return {
    isEntry: true,
    href: `${REPORTS}/${report.id}`,
    title: atName(target.account),
    badges: [
      { badge: ["moderation.reports.count", { count: group.count }], kind: "bad" },
      ...group.categories.map((category) => ({
        badge: `moderation.category.${category}` as const,
      })),
      ...stateBadges(target),
    ],
    lines: [
      {
        joined: [
          by,
          report.created_at,
          posts > 0 && t("moderation.count.posts", { count: posts }),
          names && t("moderation.reports.assigned", { names }),
        ],
      },
      report.comment && `“${report.comment.slice(0, SHOWN)}”`,
    ],
  };
};

const openParts = async (staff: Staff): Promise<(Part | false)[]> => {
  const { app, who } = staff;
  const { maxId: below } = pageOf(staff, LIMIT);
  const entries = await listReportQueue(app, { below, limit: LIMIT }, who.accountId);
  const ids = entries.map(({ group }) => ({ id: group.newest }));
  return [
    { rows: entries.map((entry) => queueRow(staff, entry)), none: "moderation.reports.none" },
    entries.length > 0 && keyList([]),
    older(ids, LIMIT),
  ];
};

const endedParts = async (staff: Staff): Promise<Part[]> => {
  const { app, who } = staff;
  const filter = { resolved: true, accountId: null, targetId: null };
  const ids = await pageOfReports(app, filter, pageOf(staff, LIMIT));
  const views = await loadAdminReports(app, ids, who.accountId);
  const rows = await endedRows(staff, views);
  return [
    { rows, none: "moderation.reports.none_ended" },
    older(
      ids.map((id) => ({ id })),
      LIMIT,
    ),
  ];
};

const showList = async (staff: Staff) => {
  const isEnded = entered(staff)["resolved"] === "1";
  return sendAdmin(staff, {
    done: REPORT_DONE,
    script: KEYS_SCRIPT,
    parts: [
      {
        title: "staff.section.reports",
        shown: isEnded ? ENDED : REPORTS,
        tabs: [
          [REPORTS, "moderation.reports.open"],
          [ENDED, "moderation.reports.ended"],
        ],
      },
      ...(await (isEnded ? endedParts(staff) : openParts(staff))),
    ],
  });
};

export const reportPages = (pages: Server, app: App): void => {
  pages.get(REPORTS, staffPage(app, ["reports.read"], showList));
  accountReportPages(pages, app);
};
