// The posts that reports name, in their present or saved form, each with the post that it replies to.

import type { Part } from "../../../web/src/served/part-pages.ts";
import { plainText } from "../../platform/text/plain.ts";
import { timeOfId } from "../../platform/ids/index.ts";
import { answeredBy } from "../../domain/staff/moderation/load.ts";
import type { AdminReportView } from "../../domain/staff/moderation/load.ts";
import type { SeenStatus } from "../../domain/posts/statuses/tables.ts";
import { evidenceOfPosts } from "../../domain/reading/strikes/strikes.ts";
import { atName } from "./people.ts";
import { postPart, mediaRejectedOf } from "./components.ts";
import type { Staff } from "./frame.ts";

/** Posts shown; the page of the account's posts has more. */
const SHOWN = 40;

type Shown = { rejected: ReadonlySet<string>; answered: ReadonlyMap<string, SeenStatus> };

const postWithContext = (staff: Staff, status: SeenStatus, { rejected, answered }: Shown): Part => {
  const parent = answered.get(status.in_reply_to_id ?? "");
  return {
    kind: "reported",
    isEntry: true,
    beside: [
      parent && {
        fold: ["moderation.reports.answers", { name: atName(parent.account) }],
        parts: [postPart(staff, parent, rejected)],
        kind: "context",
        open: true,
      },
      postPart(staff, status, rejected),
    ],
  };
};

const keptParts = async ({ app, t }: Staff, views: AdminReportView[]): Promise<Part[]> => {
  const named = [...new Set(views.flatMap(({ report }) => report.status_ids))];
  const { target_account_id: authorId } = views[0]!.report;
  const evidence = await evidenceOfPosts(app, authorId, named);
  const known = new Set(
    [...views.flatMap(({ statuses }) => statuses), ...evidence].map(({ id }) => id),
  );
  const missing = named.filter((id) => !known.has(id)).slice(0, SHOWN);
  return [
    ...evidence.map(({ content, created_at: at }) => ({
      quote: plainText(content),
      soft: { joined: [t("moderation.reports.deleted_post"), new Date(at)] },
    })),
    ...missing.map((id) => ({
      quote: null,
      soft: {
        say: "moderation.reports.missing_post" as const,
        values: { id },
        with: { time: timeOfId(id) },
      },
    })),
  ];
};

export const reportedPosts = async (
  staff: Staff,
  views: AdminReportView[],
): Promise<(Part | false)[]> => {
  const { app, who, t } = staff;
  const all = new Map(
    views.flatMap(({ statuses }) => statuses.map((status) => [status.id, status] as const)),
  );
  const statuses = [...all.values()].slice(0, SHOWN);
  const kept = await keptParts(staff, views);
  if (statuses.length === 0 && kept.length === 0) return [];
  const answered = await answeredBy(app, statuses, who.accountId);
  const rejected = await mediaRejectedOf(app, [...statuses, ...answered.values()]);
  const count = all.size - statuses.length;
  return [
    { heading: "moderation.reports.posts" },
    ...statuses.map((status) => postWithContext(staff, status, { rejected, answered })),
    count > 0 && { text: t("moderation.reports.more_posts", { count }), isSoft: true },
    ...kept,
  ];
};
