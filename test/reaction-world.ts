// A server with three people and an emoji of its own, and somebody elsewhere: for the tests of reactions to posts.
// `openWorld` sets the exported variables.

import { startPeer } from "./fake-peer.ts";
import type { FakePeer, PeerActor } from "./fake-peer.ts";
import { startTestApp } from "./harness.ts";
import type { Person, TestApp } from "./harness.ts";

export type Json = Record<string, any>;

export let t: TestApp;
export let peer: FakePeer;
export let remote: PeerActor;
export const people = {} as Record<"author" | "fan" | "other", Person>;

export const post = (json: Json = {}): Promise<Json> =>
  people.author.post("/api/v1/statuses", { status: "words", ...json }).ok();

let activities = 0;
export const reactFromElsewhere = (status: Json, content: string): Promise<void> =>
  remote.deliver(t, {
    id: `${remote.uri}/reacts/${++activities}`,
    type: "EmojiReact",
    object: status["uri"],
    content,
  });

export const openWorld = async (): Promise<void> => {
  t = await startTestApp();
  peer = await startPeer("127.0.0.1");
  remote = peer.actor("remote");
  for (const name of ["author", "fan", "other"] as const) people[name] = await t.person(name);
  const key = "emojis/12/34.png";
  await t.write`
    INSERT INTO custom_emojis (shortcode, file_key, static_key) VALUES ('rook', ${key}, ${key})`;
};

export const closeWorld = async (): Promise<void> => {
  await peer?.close();
  await t?.close();
};
