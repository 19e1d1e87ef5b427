// Announces what happens in a local group to servers such as Lemmy, which know no boosts, but announced activities
// (FEP-1b12). NodeInfo says which servers these are.

import type { App } from "../platform/app.ts";
import { hostIn } from "../platform/json/read.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import {
  announceCreate,
  announceOthers,
  announceRemoval,
} from "../domain/reading/groups/activitypub.ts";
import { softwareOf } from "../domain/base/peers/peers.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";
import { mayFederate } from "../domain/posts/statuses/rules.ts";
import type { FederatedStatus } from "../domain/posts/statuses/tables.ts";
import { deliver } from "./deliver.ts";
import { followerInboxes } from "./delivery/follower-inboxes.ts";
import { fetchDocument } from "./documents.ts";
import { nullUnlessTemporary } from "./faults.ts";

const KNOWS_ANNOUNCED_ACTIVITIES = new Set(["lemmy", "piefed", "mbin", "kbin", "nodebb"]);

/** Returns the inboxes of such servers with members of the group. */
const inboxesOf = async (app: App, groupId: string): Promise<string[]> => {
  const inboxes = (await followerInboxes(app, app.sql, [groupId])).get(groupId)!;
  const hostOf = (inbox: string) => hostIn(inbox) ?? "";
  const software = await softwareOf(app, [...new Set(inboxes.map(hostOf))]);
  return inboxes.filter((inbox) =>
    KNOWS_ANNOUNCED_ACTIVITIES.has(software.get(hostOf(inbox))?.software ?? ""),
  );
};

/** Returns null where the post's origin has it no more. Throws RemoteFault (503) when that does not answer. */
const announcementOf = async (app: App, group: AccountView, view: FederatedStatus) => {
  if (view.local) return announceCreate(group, view, app.config.site);
  const fetched = await nullUnlessTemporary(fetchDocument(app, view.uri, { cause: "note" }));
  return fetched && announceOthers(group, view, fetched.document);
};

type Told = { groupId: string; statusId: string };

/** Returns null where there is nothing to announce, or no server to announce it to. */
const toTell = async (app: App, { groupId, statusId }: Told) => {
  const [status] = await loadAsServer(app, [statusId]);
  if (!status || !mayFederate(status)) return null;
  const group = (await loadAccounts(app, [groupId])).get(groupId);
  if (!group || group.suspended_at !== null) return null;
  const inboxes = await inboxesOf(app, groupId);
  return inboxes.length > 0 ? { status, group, inboxes } : null;
};

export const announceInGroup = async (
  app: App,
  payload: JobPayloads["group.announce"],
): Promise<void> => {
  const told = await toTell(app, payload);
  if (!told) return;
  const activity = await announcementOf(app, told.group, told.status);
  if (!activity) return;
  await deliver(app, app.sql, [{ accountId: told.group.id, activity, inboxes: told.inboxes }]);
};

export const announceGroupRemoval = async (
  app: App,
  payload: JobPayloads["group.removed"],
): Promise<void> => {
  const told = await toTell(app, payload);
  const moderator = (await loadAccounts(app, [payload.by])).get(payload.by);
  if (!told || !moderator) return;
  const activity = announceRemoval(told.group, told.status, moderator.uri);
  await deliver(app, app.sql, [{ accountId: told.group.id, activity, inboxes: told.inboxes }]);
};
