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
  Block,
  Create,
  Delete,
  EmojiReact,
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

type StoredNote = {
  text: string;
  inReplyTo: string | null;
  mentions: string[];
  /** True for a note to mentioned people alone. */
  direct: boolean;
  deleted: boolean;
};
type Order = Partial<Omit<StoredNote, "deleted">> & { act: string; id?: string; object?: string };

const keys = [await generateCryptoKeyPair("RSASSA-PKCS1-v1_5")];
const notes = new Map<string, StoredNote>();
const followers = new Map<string, Recipient>();
const sent = new Map<string, Activity>();
const received: object[] = [];
let counter = 0;
let displayName = "Stranger One";

const federation = createFederation<void>({
  kv: new MemoryKvStore(),
  origin,
  allowPrivateAddress: true,
});

const makePerson = async (ctx: Context<void>): Promise<Person> => {
  const pairs = await ctx.getActorKeyPairs(NAME);
  return new Person({
    id: ctx.getActorUri(NAME),
    preferredUsername: NAME,
    name: displayName,
    url: new URL(`/@${NAME}`, origin),
    inbox: ctx.getInboxUri(NAME),
    endpoints: new Endpoints({ sharedInbox: ctx.getInboxUri() }),
    followers: ctx.getFollowersUri(NAME),
    publicKey: pairs[0]!.cryptographicKey,
  });
};

federation
  .setActorDispatcher("/users/{identifier}", (ctx, identifier) =>
    identifier === NAME ? makePerson(ctx) : null,
  )
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
    ...(note.direct
      ? { tos: note.mentions.map((uri) => new URL(uri)) }
      : {
          to: PUBLIC_COLLECTION,
          ccs: [ctx.getFollowersUri(NAME), ...note.mentions.map((uri) => new URL(uri))],
        }),
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
  const document = await ctx.lookupObject(uri, { documentLoader });
  if (!isActor(document!)) throw new Error(`${uri} is no actor`);
  return document;
};

/** Returns the author of a remote object. */
const authorOf = async (ctx: Context<void>, uri: string): Promise<Actor> => {
  const documentLoader = await ctx.getDocumentLoader({ identifier: NAME });
  const document = await ctx.lookupObject(uri, { documentLoader });
  if (!(document instanceof Note)) throw new Error(`${uri} is no note`);
  return actorAt(ctx, document.attributionId!.href);
};

const send = async (ctx: Context<void>, to: Recipient[], activity: Activity): Promise<void> => {
  await ctx.sendActivity({ identifier: NAME }, [...to, ...followers.values()], activity, {
    preferSharedInbox: true,
  });
};

const nextId = (): URL => new URL(`/activities/${++counter}`, origin);

const OF_PEOPLE = new Set(["follow", "block"]);

const targetOf = (ctx: Context<void>, act: string, object: string): Promise<Actor> =>
  OF_PEOPLE.has(act) ? actorAt(ctx, object) : authorOf(ctx, object);

/** Sends an activity about somebody or a note, and stores it by its object for the Undo. */
const onObject = async (ctx: Context<void>, { act, object, text }: Order) => {
  const uri = new URL(object!);
  const base = { id: nextId(), actor: ctx.getActorUri(NAME), object: uri };
  const make: Record<string, () => Activity> = {
    follow: () => new Follow(base),
    block: () => new Block(base),
    like: () => new Like(base),
    react: () => new EmojiReact({ ...base, content: text! }),
    announce: () => new Announce({ ...base, to: PUBLIC_COLLECTION, cc: ctx.getFollowersUri(NAME) }),
  };
  const to = await targetOf(ctx, act, object!);
  const activity = make[act]!();
  sent.set(`${act} ${object}`, activity);
  await send(ctx, [to], activity);
  return { id: base.id.href };
};

const undo = async (ctx: Context<void>, { act, object }: Order) => {
  const undone = act.replace("undo ", "");
  const activity = sent.get(`${undone} ${object}`)!;
  const to = await targetOf(ctx, undone, object!);
  await send(ctx, [to], new Undo({ id: nextId(), actor: ctx.getActorUri(NAME), object: activity }));
  return {};
};

/** Changes its name, and tells its followers. */
const onProfile = async (ctx: Context<void>, { text }: Order) => {
  displayName = text!;
  const object = await makePerson(ctx);
  const actor = ctx.getActorUri(NAME);
  await send(ctx, [], new Update({ id: nextId(), actor, to: PUBLIC_COLLECTION, object }));
  return {};
};

const onNote = async (ctx: Context<void>, order: Order) => {
  const { act, id: actId, text, object, mentions, direct = false } = order;
  const id = actId ?? String(++counter);
  const before = notes.get(id) ?? {
    text: "",
    inReplyTo: object ?? null,
    mentions: mentions ?? [],
    direct,
    deleted: false,
  };
  notes.set(id, { ...before, text: text ?? before.text, deleted: act === "delete" });
  const uri = ctx.getObjectUri(Note, { id });
  const audience = before.direct
    ? { tos: before.mentions.map((mention) => new URL(mention)) }
    : { to: PUBLIC_COLLECTION };
  const base = { id: nextId(), actor: ctx.getActorUri(NAME), ...audience };
  const to = await Promise.all(before.mentions.map((mention) => actorAt(ctx, mention)));
  if (act === "create") await send(ctx, to, new Create({ ...base, object: makeNote(ctx, id) }));
  if (act === "update") await send(ctx, to, new Update({ ...base, object: makeNote(ctx, id) }));
  if (act === "delete")
    await send(ctx, to, new Delete({ ...base, object: new Tombstone({ id: uri }) }));
  return { id, uri: uri.href };
};

const obey = (ctx: Context<void>, order: Order): Promise<object> => {
  if (["create", "update", "delete"].includes(order.act)) return onNote(ctx, order);
  if (order.act === "profile") return onProfile(ctx, order);
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
  const incoming = new Request(new URL(request.url ?? "/", origin), {
    method,
    headers,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  return federation.fetch(incoming, { contextData: undefined });
};

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  try {
    const answered = await answer(request);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  } catch (error) {
    console.error(error);
    response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
  }
};

createServer((request, response) => void serve(request, response)).listen(port, "127.0.0.1", () =>
  console.log("listening"),
);
