// What carol's acts about a post of another server send there: which activity goes to which software.

import type { PeerActor } from "../fake-peer.ts";
import * as w from "../inbox-world.ts";
import { claimCheck, storePeer } from "../../src/domain/base/peers/peers.ts";
import { DAY_MS } from "./usual-shapes.ts";

type Json = Record<string, any>;

/** What most servers get; `answer` is one to an event. */
const USUAL: Record<string, string[]> = {
  follow: ["Follow"],
  favourite: ["Like"],
  unfavourite: ["Undo Like"],
  react: ["Like 🎉"],
  unreact: ["Undo Like"],
  boost: ["Announce"],
  unboost: ["Undo Announce"],
  reply: ["Create Note"],
  edit: ["Update Note"],
  delete: ["Delete Tombstone"],
  answer: [],
};

const described = ({ type, content, object }: Json): string =>
  [type, content ?? object?.type].filter(Boolean).join(" ");

/** Returns what comes to the peer because of a request of carol's, or with which status that is refused. */
const sentBy = async (
  request: () => ReturnType<typeof w.carol.post>,
): Promise<[string[], Json]> => {
  const before = w.peer.inbox().length;
  const { status, json } = await request();
  await w.test.runJobs();
  const sent = w.peer.inbox().slice(before).map(described);
  return [status >= 400 ? [String(status)] : [...new Set(sent)], json];
};

/** Returns a copy of one of their posts, without what belongs to that one alone. */
const copyOf = (post: Json): Json => {
  const id = `${w.peer.origin}/copies/${encodeURIComponent(String(post["id"]))}`;
  const own = { id, url: undefined, inReplyTo: undefined, endTime: undefined };
  const startTime = new Date(Date.now() + DAY_MS).toISOString();
  return { ...post, ...own, ...(post["startTime"] && { startTime }) };
};

/** Returns what is sent for each act, where it is not as usual, to a server of this software about such a post. */
export const sentToThem = async (
  software: string,
  { post, author }: { post: Json; author: PeerActor },
): Promise<Record<string, string[]>> => {
  await claimCheck(w.test.app, w.peer.host);
  await storePeer(w.test.app, w.peer.host, { software, version: "1" });
  const at = (path: string, json?: Json) => sentBy(() => w.carol.post(path, json));
  const took: Record<string, string[]> = {};
  const does = async (act: string, [sent, json]: [string[], Json]): Promise<Json> => {
    if (JSON.stringify(sent) !== JSON.stringify(USUAL[act])) took[act] = sent;
    return json;
  };
  await does("follow", await at(`/api/v1/accounts/${await w.idOfActor(author)}/follow`));
  const object = { type: "Follow", actor: w.uriOf(w.carol), object: author.uri };
  await w.send(author, { type: "Accept", object });
  const copy = copyOf(post);
  await w.send(author, { type: "Create", object: copy, to: copy["to"], cc: copy["cc"] });
  const { id } = (await w.statusByUri(copy["id"]))!;
  const about = `/api/v1/statuses/${id}`;
  await does("favourite", await at(`${about}/favourite`));
  await does("unfavourite", await at(`${about}/unfavourite`));
  await does("react", await at(`${about}/react/${encodeURIComponent("🎉")}`));
  await does("unreact", await at(`${about}/unreact/${encodeURIComponent("🎉")}`));
  await does("boost", await at(`${about}/reblog`));
  await does("unboost", await at(`${about}/unreblog`));
  const reply = await does(
    "reply",
    await at("/api/v1/statuses", { status: "yes", in_reply_to_id: id }),
  );
  const own = `/api/v1/statuses/${reply["id"]}`;
  await does("edit", await sentBy(() => w.carol.put(own, { status: "no" })));
  await does("delete", await sentBy(() => w.carol.delete(own)));
  if (post["startTime"]) await does("answer", await at(`${about}/event/answer`, { answer: "yes" }));
  return took;
};
