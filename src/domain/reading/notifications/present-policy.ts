// Presents policies and requests as JSON entities. https://docs.joinmastodon.org/entities/NotificationPolicy/

import type { FullConfig } from "../../../platform/config/config.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import { statusEntity } from "../../posts/statuses/present.ts";
import type { PolicyView } from "./policy.ts";
import type { PolicyRow, RequestSummary, RequestView } from "./tables.ts";

const summaryEntity = ({ requests, notifications }: RequestSummary) => ({
  pending_requests_count: requests,
  pending_notifications_count: notifications,
});

export const policyEntity = ({ policy, summary }: PolicyView) => ({
  ...policy,
  summary: summaryEntity(summary),
});

/** Makes the first version, which has switches, and none for limited accounts. */
export const policyV1Entity = ({ policy, summary }: PolicyView) => ({
  filter_not_following: policy.for_not_following !== "accept",
  filter_not_followers: policy.for_not_followers !== "accept",
  filter_new_accounts: policy.for_new_accounts !== "accept",
  filter_private_mentions: policy.for_private_mentions !== "accept",
  filter_bots: policy.for_bots !== "accept",
  summary: summaryEntity(summary),
});

/** Returns the changes by switches of the first version. */
export const changesOfV1 = (switches: Record<string, boolean | undefined>): Partial<PolicyRow> =>
  Object.fromEntries(
    Object.entries(switches).map(([name, isOn]) => [
      name.replace("filter_", "for_"),
      isOn ? "filter" : "accept",
    ]),
  );

/** Makes the entity of https://docs.joinmastodon.org/entities/NotificationRequest/ */
export const requestEntity = (view: RequestView, site: FullConfig["site"]) => ({
  id: view.id,
  created_at: isoTime(view.created_at),
  updated_at: isoTime(view.updated_at),
  notifications_count: String(view.count),
  account: accountEntity(view.account, site),
  last_status: view.status && statusEntity(view.status, site),
});
