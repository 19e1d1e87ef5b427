// What every handler of an activity gets, and the questions that several of them ask.

import type { App } from "../../platform/app.ts";
import { httpUrl, idOf, sameHost, textOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { selectActor, selectEarlyDelete } from "./queries.ts";
import type { KnownActor } from "./queries.ts";

export type Incoming = { actor: KnownActor; body: Json };
export type Handler = (app: App, incoming: Incoming) => Promise<void>;

/** The address of the activity's object. */
export const objectUri = (body: Json): string | null => httpUrl(idOf(body["object"]));

/** The person of ours with this address, if they may be spoken to. */
export const localPerson = async (app: App, uri: string | null): Promise<KnownActor | null> => {
  const account = uri && (await selectActor(app.sql, uri));
  return account && account.domain === null && !account.suspended ? account : null;
};

/** Whether the actor took the activity or object back before it came. */
export const wasTakenBack = async (
  app: App,
  actor: KnownActor,
  uri: string | null,
): Promise<boolean> => uri !== null && selectEarlyDelete(app.sql, actor.uri, uri);

/** The activity's own id, if it is one that this actor may give; a made-up one where it has none. */
export const activityUri = ({ actor, body }: Incoming): string => {
  const id = httpUrl(textOf(body["id"]));
  if (id && sameHost(id, actor.uri)) return id;
  return `${actor.uri}#${encodeURIComponent(objectUri(body) ?? "")}`;
};
