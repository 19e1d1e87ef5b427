// The floor of the inbox: a Fedify application whose listeners do nothing. Actor documents come from
// memory, so it never waits for another server.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createFederation, MemoryKvStore } from "@fedify/fedify/federation";
import { getDocumentLoader } from "@fedify/fedify/runtime";
import { Announce, Create, Delete, Like, Person, Undo } from "@fedify/fedify/vocab";
import { TEST_KEYS } from "../../test/keys.ts";
import { offer } from "./process.ts";

/** Actor documents by URI, set before the load. */
const documents = new Map<string, unknown>();
let taken = 0;

/** JSON-LD contexts come with the library; others would be fetched from the network. */
const contextLoader = getDocumentLoader();

const documentLoader = async (url: string) => {
  const address = url.split("#", 1)[0]!;
  const document = documents.get(address);
  if (!document) return contextLoader(url);
  return { contextUrl: null, documentUrl: address, document };
};

const federation = createFederation<void>({
  kv: new MemoryKvStore(),
  documentLoaderFactory: () => documentLoader,
  contextLoaderFactory: () => contextLoader,
  authenticatedDocumentLoaderFactory: () => documentLoader,
});
federation.setActorDispatcher("/users/{identifier}", (context, identifier) => {
  return new Person({
    id: context.getActorUri(identifier),
    inbox: context.getInboxUri(identifier),
  });
});
const count = () => void (taken += 1);
federation
  .setInboxListeners("/users/{identifier}/inbox", "/inbox")
  .on(Create, count)
  .on(Like, count)
  .on(Announce, count)
  .on(Undo, count)
  .on(Delete, count);

const http = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", async () => {
    const url = `http://${incoming.headers.host}${incoming.url}`;
    const headers = incoming.headers as Record<string, string>;
    const init = { method: incoming.method!, headers, body: Buffer.concat(chunks) };
    const answer = await federation.fetch(new Request(url, init), { contextData: undefined });
    outgoing.writeHead(answer.status, { "content-type": "text/plain" });
    outgoing.end(await answer.text());
  });
});
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));

type Actor = { uri: string; key: number };

const actorDocument = ({ uri, key }: Actor) => ({
  "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
  id: uri,
  type: "Person",
  preferredUsername: uri.split("/").at(-1),
  inbox: `${uri}/inbox`,
  publicKey: {
    id: `${uri}#main-key`,
    owner: uri,
    publicKeyPem: TEST_KEYS[key]!.publicKeyPem,
  },
});

offer({
  port: () => (http.address() as AddressInfo).port,
  know: (actors: Actor[]) => {
    for (const actor of actors) documents.set(actor.uri, actorDocument(actor));
  },
  taken: () => taken,
});
