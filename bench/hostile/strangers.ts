// Hostile hosts on addresses of 127.2.0.0/16: some have actors, by any name and all with one key, others are slow,
// silent, or count their requests.

import { createServer as createHttpServer } from "node:http";
import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { once } from "node:events";
import { parsePrivateKey } from "../../src/federation/signatures/keys.ts";
import { TEST_KEYS } from "../../test/keys.ts";
import { signAs } from "../activities.ts";
import type { Json, Key } from "../activities.ts";

const ACTORS = "127.2.0.1";
const THIRD = "127.2.0.2";
/** A host that accepts connections and never answers. */
const SILENT = "127.2.0.3";
const SLOW_MS = 9000;

const { publicKeyPem, privateKeyPem } = TEST_KEYS[0]!;
const privateKey = parsePrivateKey(privateKeyPem);

export const strangerHost = (index: number): string =>
  `127.2.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`;

export type Mood = "silent" | "slow" | "accepting";

export type Strangers = Awaited<ReturnType<typeof startStrangers>>;

const actorDocument = (origin: string, name: string, more: Json): Json => {
  const uri = `${origin}/users/${name}`;
  return {
    "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
    id: uri,
    type: "Person",
    preferredUsername: name,
    inbox: `${uri}/inbox`,
    publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem },
    ...more,
  };
};

const finger = (host: string, name: string): Json => ({
  subject: `acct:${name}@${host}`,
  links: [{ rel: "self", type: "application/activity+json", href: `http://${host}/users/${name}` }],
});

/** `hosts` is their number besides the three above; they behave as `mood` says. */
export const startStrangers = async (port: number, hosts: number) => {
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const state = { mood: "accepting" as Mood, more: {} as Json, connections: 0 };
  const [host, third] = [`${ACTORS}:${port}`, `${THIRD}:${port}`];

  const answerActor = (path: string, response: ServerResponse): void => {
    const name = /(?:acct:|acct%3A|\/users\/)([\w-]+)/i.exec(path)?.[1];
    if (!name) return void response.writeHead(404).end();
    const isFinger = path.startsWith("/.well-known/");
    const json = isFinger ? finger(host, name) : actorDocument(`http://${host}`, name, state.more);
    const type = isFinger ? "application/jrd+json" : "application/activity+json";
    response.writeHead(200, { "content-type": type }).end(JSON.stringify(json));
  };
  const http = createHttpServer((request, response) => {
    const { localAddress = "" } = request.socket;
    request.resume();
    if (request.method === "GET") counts.set(localAddress, (counts.get(localAddress) ?? 0) + 1);
    const accept = () => void response.writeHead(request.method === "GET" ? 404 : 202).end();
    if (localAddress === ACTORS && request.method === "GET")
      return answerActor(request.url ?? "", response);
    if (localAddress === ACTORS || localAddress === THIRD || state.mood === "accepting")
      return accept();
    if (state.mood === "slow") setTimeout(accept, SLOW_MS).unref();
  });
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    state.connections += 1;
    if (socket.localAddress === SILENT) socket.resume();
    else http.emit("connection", socket);
  };
  const listen = async (address: string): Promise<Server> => {
    const server = createServer(accept);
    server.listen(port, address);
    await once(server, "listening");
    return server;
  };
  const fixed = await Promise.all([ACTORS, THIRD, SILENT].map(listen));
  let many: Server[] = [];
  const open = async () => {
    many = await Promise.all(Array.from({ length: hosts }, (_, n) => listen(strangerHost(n))));
  };
  const refuse = () => {
    for (const server of many.splice(0)) server.close();
    for (const socket of sockets) socket.destroy();
  };
  await open();

  const actorUri = (name: string): string => `http://${host}/users/${name}`;
  const keyOf = (name: string): Key => ({ keyId: `${actorUri(name)}#main-key`, privateKey });
  return {
    port,
    hosts,
    /** A host whose actors have any name, and one key. */
    host,
    /** An uninvolved server without documents. */
    third,
    silent: `${SILENT}:${port}`,
    state,
    actorUri,
    /** From now on the many hosts refuse connections. */
    refuse,
    open,
    /** Returns the number of GETs at a host so far. */
    countOf: (which: string): number => counts.get(which.split(":")[0]!) ?? 0,
    /** Returns the bytes of a request to the inbox, signed by the actor `name`, or with another key's id. */
    sign: (name: string, to: string, activity: Json, keyId = keyOf(name).keyId): Buffer =>
      signAs({ ...keyOf(name), keyId }, to, { actor: actorUri(name), ...activity }).bytes,
    close() {
      refuse();
      http.closeAllConnections();
      for (const server of fixed) server.close();
    },
  };
};
