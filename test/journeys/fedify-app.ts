// A small Fedify application to federate with: one actor, s1, everything in memory. Run as
// `node fedify-app.ts PORT`; POST /control takes {act, …} and GET /control shows its state.

import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createFederation, generateCryptoKeyPair, MemoryKvStore } from "@fedify/fedify";
import type { Context } from "@fedify/fedify";
import {
  Accept,
  Activity,
  Announce,
  Create,
  Delete,
  Endpoints,
  Follow,
  isActor,
  Like,
  Mention,
  Note,
  Person,
  PUBLIC_COLLECTION,
  Tombstone,
  Undo,
  Update,
} from "@fedify/fedify/vocab";
import type { Actor, Recipient } from "@fedify/fedify/vocab";

const NAME = "s1";
const port = Number(process.argv[2]);
const origin = `http://127.0.0.1:${port}`;

type StoredNote = { text: string; inReplyTo: string | null; mentions: string[]; deleted: boolean };
type Order = { act: string; id?: string; object?: string; text?: string; mentions?: string[] };

const keys = [await generateCryptoKeyPair("RSASSA-PKCS1-v1_5")];
const notes = new Map<string, StoredNote>();
const followers = new Map<string, Recipient>();
const sent = new Map<string, Activity>();
const received: object[] = [];
let counter = 0;

const federation = createFederation<void>({
  kv: new MemoryKvStore(),
  origin,
  allowPrivateAddress: true,
});

federation
  .setActorDispatcher("/users/{identifier}", async (ctx, identifier) => {
    if (identifier !== NAME) return null;
    const pairs = await ctx.getActorKeyPairs(identifier);
    return new Person({
      id: ctx.getActorUri(identifier),
      preferredUsername: identifier,
      name: "Stranger One",
      url: new URL(`/@${identifier}`, origin),
      inbox: ctx.getInboxUri(identifier),
      endpoints: new Endpoints({ sharedInbox: ctx.getInboxUri() }),
      followers: ctx.getFollowersUri(identifier),
      publicKey: pairs[0]!.cryptographicKey,
    });
  })
  .setKeyPairsDispatcher((_ctx, identifier) => (identifier === NAME ? keys : []));

federation.setFollowersDispatcher("/users/{identifier}/followers", () => ({
  items: [...followers.values()],
}));

const makeNote = (ctx: Context<void>, id: string): Note => {
  const note = notes.get(id)!;
  return new Note({
    id: ctx.getObjectUri(Note, { id }),
    attribution: ctx.getActorUri(NAME),
    content: `<p>${note.text}</p>`,
    to: PUBLIC_COLLECTION,
    ccs: [ctx.getFollowersUri(NAME), ...note.mentions.map((uri) => new URL(uri))],
    tags: note.mentions.map((uri) => new Mention({ href: new URL(uri), name: "@somebody" })),
    replyTarget: note.inReplyTo ? new URL(note.inReplyTo) : null,
    published: Temporal.Now.instant(),
    updated: note.text.startsWith("edited") ? Temporal.Now.instant() : null,
  });
};

federation.setObjectDispatcher(Note, "/notes/{id}", (ctx, { id }) =>
  notes.has(id) && !notes.get(id)!.deleted ? makeNote(ctx, id) : null,
);

const keep = async (activity: Activity): Promise<void> => {
  received.push((await activity.toJsonLd({ format: "compact" })) as object);
};

federation
  .setInboxListeners("/users/{identifier}/inbox", "/inbox")
  .setSharedKeyDispatcher(() => ({ identifier: NAME }))
  .on(Follow, async (ctx, follow) => {
    await keep(follow);
    const follower = await follow.getActor(ctx);
    if (!follower?.id) return;
    followers.set(follower.id.href, follower);
    const id = new URL(`/accepts/${++counter}`, origin);
    const accept = new Accept({ id, actor: ctx.getActorUri(NAME), object: follow });
    await ctx.sendActivity({ identifier: NAME }, follower, accept);
  })
  .on(Activity, async (_ctx, activity) => keep(activity))
  .onError((_ctx, error) => console.error(error));

const actorAt = async (ctx: Context<void>, uri: string): Promise<Actor> => {
  const documentLoader = await ctx.getDocumentLoader({ identifier: NAME });
  const found = await ctx.lookupObject(uri, { documentLoader });
  if (!isActor(found!)) throw new Error(`${uri} is no actor`);
  return found;
};

/** The author of a remote object. */
const authorOf = async (ctx: Context<void>, uri: string): Promise<Actor> => {
  const documentLoader = await ctx.getDocumentLoader({ identifier: NAME });
  const found = await ctx.lookupObject(uri, { documentLoader });
  if (!(found instanceof Note)) throw new Error(`${uri} is no note`);
  return actorAt(ctx, found.attributionId!.href);
};

const send = async (ctx: Context<void>, to: Recipient[], activity: Activity): Promise<void> => {
  await ctx.sendActivity({ identifier: NAME }, [...to, ...followers.values()], activity, {
    preferSharedInbox: true,
  });
};

const nextId = (): URL => new URL(`/activities/${++counter}`, origin);

/** Sends Follow, Like and Announce, and stores them by their object for the Undo. */
const onObject = async (ctx: Context<void>, { act, object }: Order) => {
  const uri = new URL(object!);
  const base = { id: nextId(), actor: ctx.getActorUri(NAME), object: uri };
  const to = act === "follow" ? await actorAt(ctx, object!) : await authorOf(ctx, object!);
  const made =
    act === "follow"
      ? new Follow(base)
      : act === "like"
        ? new Like(base)
        : new Announce({ ...base, to: PUBLIC_COLLECTION, cc: ctx.getFollowersUri(NAME) });
  sent.set(`${act} ${object}`, made);
  await send(ctx, [to], made);
  return { id: base.id.href };
};

const undo = async (ctx: Context<void>, { act, object }: Order) => {
  const undone = act.replace("undo ", "");
  const made = sent.get(`${undone} ${object}`)!;
  const to = undone === "follow" ? await actorAt(ctx, object!) : await authorOf(ctx, object!);
  await send(ctx, [to], new Undo({ id: nextId(), actor: ctx.getActorUri(NAME), object: made }));
  return {};
};

const onNote = async (ctx: Context<void>, { act, id: given, text, object, mentions }: Order) => {
  const id = given ?? String(++counter);
  const before = notes.get(id) ?? {
    text: "",
    inReplyTo: object ?? null,
    mentions: mentions ?? [],
    deleted: false,
  };
  notes.set(id, { ...before, text: text ?? before.text, deleted: act === "delete" });
  const uri = ctx.getObjectUri(Note, { id });
  const base = { id: nextId(), actor: ctx.getActorUri(NAME), to: PUBLIC_COLLECTION };
  const to = await Promise.all(before.mentions.map((one) => actorAt(ctx, one)));
  if (act === "create") await send(ctx, to, new Create({ ...base, object: makeNote(ctx, id) }));
  if (act === "update") await send(ctx, to, new Update({ ...base, object: makeNote(ctx, id) }));
  if (act === "delete")
    await send(ctx, to, new Delete({ ...base, object: new Tombstone({ id: uri }) }));
  return { id, uri: uri.href };
};

const obey = (ctx: Context<void>, order: Order): Promise<object> => {
  if (["create", "update", "delete"].includes(order.act)) return onNote(ctx, order);
  return order.act.startsWith("undo ") ? undo(ctx, order) : onObject(ctx, order);
};

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const control = async (method: string, body: string): Promise<Response> => {
  if (method === "GET") return Response.json({ received, followers: [...followers.keys()] });
  const ctx = federation.createContext(new URL(origin));
  return Response.json(await obey(ctx, JSON.parse(body) as Order));
};

const answer = async (request: IncomingMessage): Promise<Response> => {
  const method = request.method ?? "GET";
  const body = await readAll(request);
  if (request.url === "/control") return control(method, body.toString());
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  const asked = new Request(new URL(request.url ?? "/", origin), {
    method,
    headers,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  return federation.fetch(asked, { contextData: undefined });
};

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  try {
    const given = await answer(request);
    response.writeHead(given.status, Object.fromEntries(given.headers));
    response.end(Buffer.from(await given.arrayBuffer()));
  } catch (error) {
    console.error(error);
    response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
  }
};

createServer((request, response) => void serve(request, response)).listen(port, "127.0.0.1", () =>
  console.log("listening"),
);
