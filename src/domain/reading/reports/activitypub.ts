// Turns reports into Flag activities, sent by the server's own actor so that the reporter stays anonymous.

import type { FullConfig } from "../../../platform/config/config.ts";
import { AS_CONTEXT, sendable } from "../../people/accounts/activitypub.ts";
import type { FederatedStatus } from "../../posts/statuses/tables.ts";
import type { ReportView } from "./tables.ts";

export const flagActivity = (
  view: ReportView,
  statuses: FederatedStatus[],
  collectionUris: string[],
  site: FullConfig["site"],
) =>
  sendable({
    "@context": AS_CONTEXT,
    id: view.uri,
    type: "Flag",
    actor: `${site.origin}/actor`,
    content: view.comment,
    object: [view.target.uri, ...statuses.map(({ uri }) => uri), ...collectionUris],
  });
