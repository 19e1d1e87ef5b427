// Draws the posts that reports name, in their present or saved form, each with the post that it answers.

import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { plainText } from "../../platform/text/plain.ts";
import { timeOfId } from "../../platform/ids/index.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import { answeredBy } from "../../domain/staff/moderation/load.ts";
import type { AdminReportView } from "../../domain/staff/moderation/load.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import type { SeenStatus } from "../../domain/posts/statuses/tables.ts";
import { evidenceOfPosts } from "../../domain/reading/strikes/strikes.ts";
import type { Staff } from "./frame.ts";
import { mediaRejectedOf, postQuote } from "./components.ts";

/** Posts shown; the page of the account's posts has more. */
const SHOWN = 40;

type Shown = { rejected: ReadonlySet<string>; answered: ReadonlyMap<string, SeenStatus> };

const postWithContext = (staff: Staff, status: SeenStatus, { rejected, answered }: Shown): Html => {
  const parent = answered.get(status.in_reply_to_id ?? "");
  const name = parent ? `@${acct(parent.account)}` : "";
  return html`<div class="reported" data-entry>
    ${
      parent &&
      html`<details class="context" open>
        <summary>${staff.t("moderation.reports.answers", { name })}</summary>
        ${postQuote(staff, parent, rejected)}
      </details>`
    }
    ${postQuote(staff, status, rejected)}
  </div>`;
};

const keptPart = async (staff: Staff, views: AdminReportView[]): Promise<Html[]> => {
  const { app, t, language } = staff;
  const named = [...new Set(views.flatMap(({ report }) => report.status_ids))];
  const { target_account_id: authorId } = views[0]!.report;
  const evidence = await evidenceOfPosts(app, authorId, named);
  const known = new Set(
    [...views.flatMap(({ statuses }) => statuses), ...evidence].map(({ id }) => id),
  );
  const missing = named.filter((id) => !known.has(id)).slice(0, SHOWN);
  return [
    ...evidence.map(
      ({ content, created_at: at }) =>
        html`<blockquote class="quote">
          <p>${plainText(content)}</p>
          <p class="soft small">
            ${t("moderation.reports.deleted_post")} ${whenText(new Date(at), language)}
          </p>
        </blockquote>`,
    ),
    ...missing.map(
      (id) =>
        html`<blockquote class="quote">
          <p class="soft">
            ${t("moderation.reports.missing_post", { id })} ${whenText(timeOfId(id), language)}
          </p>
        </blockquote>`,
    ),
  ];
};

export const reportedPosts = async (staff: Staff, views: AdminReportView[]): Promise<HtmlValue> => {
  const { app, who, t } = staff;
  const all = new Map(
    views.flatMap(({ statuses }) => statuses.map((status) => [status.id, status] as const)),
  );
  const statuses = [...all.values()].slice(0, SHOWN);
  const kept = await keptPart(staff, views);
  if (statuses.length === 0 && kept.length === 0) return null;
  const answered = await answeredBy(app, statuses, who.accountId);
  const rejected = await mediaRejectedOf(app, [...statuses, ...answered.values()]);
  const left = all.size - statuses.length;
  return html`<h2>${t("moderation.reports.posts")}</h2>
    ${statuses.map((status) => postWithContext(staff, status, { rejected, answered }))}
    ${left > 0 && html`<p class="soft">${t("moderation.reports.more_posts", { count: left })}</p>`}
    ${kept}`;
};
