// Other servers: one that follows people here, writes to them and favourites their posts, and one that attacks.

import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../test/journeys/eventually.ts";
import type { FakePeer, PeerActor } from "../../test/fake-peer.ts";
import { postsThere } from "./ledger.ts";
import { answered } from "./people.ts";
import type { Stage } from "./people.ts";

const PAUSE_MS = 150;
const ACTORS = 4;
/** Statuses that a server may answer to garbage; 403 where the sender is not known to be allowed. */
const REFUSALS = new Set([400, 401, 403, 413, 415, 422, 429, 503, 502, 0]);

type Json = Record<string, unknown>;

/** Sends until the activity is accepted, as servers do. */
const send = async (
  stage: Stage,
  peer: FakePeer,
  actor: PeerActor,
  activity: Json,
): Promise<boolean> => {
  const answer = await answered(stage, `an activity ${String(activity["type"])}`, async () => {
    const { status, text } = await peer.post(`${stage.server.url}/inbox`, actor, activity);
    return { status, text } as Awaited<ReturnType<typeof stage.server.request>>;
  });
  if (answer && answer.status !== 202)
    stage.ledger.faults.push(`${String(activity["type"])}: ${answer.status} ${answer.text}`);
  return answer?.status === 202;
};

const uriOf = ({ server }: Stage, name: string): string => `${server.url}/users/${name}`;

export const followAll = async (stage: Stage, peer: FakePeer): Promise<PeerActor[]> => {
  const actors = Array.from({ length: ACTORS }, (_, index) => peer.actor(`stranger${index}`));
  for (const actor of actors) {
    for (const { name } of stage.people) {
      const id = `${peer.origin}/follows/${actor.name}-${name}`;
      await send(stage, peer, actor, {
        id,
        type: "Follow",
        actor: actor.uri,
        object: uriOf(stage, name),
      });
    }
  }
  // What is written before the Follow is accepted is not for them.
  const accepts = (): number => peer.inbox().filter(({ type }) => type === "Accept").length;
  await eventually("the Accepts", () => accepts() >= actors.length * stage.people.length);
  return actors;
};

/** Acts as one actor: a note, a change of it, at times its deletion, and a favourite. */
const write = async (
  stage: Stage,
  peer: FakePeer,
  actor: PeerActor,
  number: number,
): Promise<void> => {
  const { ledger, people } = stage;
  const object = uriOf(stage, people[number % people.length]!.name);
  const path = `/notes/${actor.name}-${number}`;
  const text = `first ${actor.name} ${number}`;
  const note = peer.note(actor, path, {
    content: `<p>${text}</p>`,
    published: new Date().toISOString(),
    cc: [object, `${actor.uri}/followers`],
    tag: [{ type: "Mention", href: object, name: "@somebody" }],
  });
  const wrap = (type: string, inner: unknown): Json => ({
    id: `${peer.origin}/${type}/${actor.name}-${number}`,
    type,
    actor: actor.uri,
    to: note["to"],
    cc: note["cc"],
    object: inner,
  });
  const uri = String(note["id"]);
  if (await send(stage, peer, actor, wrap("Create", note))) ledger.notes.set(uri, text);
  const last = text.replace("first", "last");
  const changed = {
    ...note,
    content: `<p>${last}</p>`,
    updated: new Date(Date.now() + 60_000).toISOString(),
  };
  if (await send(stage, peer, actor, wrap("Update", changed))) ledger.notes.set(uri, last);
  if (number % 5 === 4 && (await send(stage, peer, actor, wrap("Delete", uri))))
    ledger.notes.set(uri, null);
  const post = postsThere(ledger).at(-1);
  if (post && (await send(stage, peer, actor, wrap("Like", post.uri))))
    ledger.likes.add(`${actor.name} ${post.id}`);
};

const live = async (stage: Stage, peer: FakePeer, actor: PeerActor): Promise<void> => {
  for (let number = 0; !stage.isOver(); number += 1) {
    await stage.gate.pass(() => write(stage, peer, actor, number));
    await sleep(PAUSE_MS);
  }
};

/** Sends what no real server sends; a new attack every time, and each has to be refused. */
const attack = async (stage: Stage, peer: FakePeer, actor: PeerActor): Promise<void> => {
  const inbox = `${stage.server.url}/inbox`;
  const activity = { id: `${peer.origin}/x`, type: "Like", actor: actor.uri, object: inbox };
  const attacks = [
    () => peer.post(inbox, actor, activity, { signedBody: "something else" }),
    () => peer.post(inbox, actor, activity, { rawBody: "{".repeat(50_000) }),
    () => peer.post(inbox, actor, activity, { rawBody: "x".repeat(3_000_000) }),
    () => peer.post(inbox, actor, activity, { date: new Date(0) }),
    () => peer.post(inbox, actor, activity, { keyId: `${peer.origin}/nobody#key` }),
    () => peer.post(inbox, actor, { ...activity, actor: uriOf(stage, stage.people[0]!.name) }),
  ];
  for (let number = 0; !stage.isOver(); number += 1) {
    await stage.gate.pass(async () => {
      const answer = await attacks[number % attacks.length]!().catch(() => ({
        status: 0,
        text: "",
      }));
      if (!REFUSALS.has(answer.status))
        stage.ledger.faults.push(
          `attack ${number % attacks.length}: ${answer.status} ${answer.text}`,
        );
    });
    await sleep(PAUSE_MS * 4);
  }
};

export const liveElsewhere = async (
  stage: Stage,
  peer: FakePeer,
  actors: PeerActor[],
): Promise<void> => {
  await Promise.all([
    ...actors.map((actor) => live(stage, peer, actor)),
    attack(stage, peer, peer.actor("villain", 1)),
  ]);
};
