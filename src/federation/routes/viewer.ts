// The viewer of a document: nobody, or the actor whose key signed the request.

import type { FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { ownDomains } from "../../platform/config/names.ts";
import { DomainError, NotFound } from "../../platform/errors.ts";
import { isHostRefused } from "../../domain/base/blocklists/domains.ts";
import { identifying } from "../../platform/http/asking.ts";
import { hostIn } from "../../platform/json/read.ts";
import { asActor, NOBODY } from "../../platform/viewer.ts";
import type { Viewer } from "../../platform/viewer.ts";
import { loadVisible } from "../../domain/posts/statuses/load.ts";
import { mayFederate } from "../../domain/posts/statuses/rules.ts";
import type { FederatedStatus, SeenStatus } from "../../domain/posts/statuses/tables.ts";
import { verifiedSigner } from "../inbox/signer.ts";
import type { Signer } from "../inbox/signer.ts";
import { isActorName } from "../actor-paths.ts";
import type { ActorName } from "../actor-paths.ts";
import { asksForPage } from "./answer.ts";
import { selectLocalStatus } from "../queries.ts";
import { parseSignature } from "../signatures/parse.ts";
import { checkSignature } from "../signatures/verify.ts";

const verify = async (app: App, request: FastifyRequest): Promise<Signer | null> => {
  const { method, raw, headers } = request;
  const scheme = app.config.site.https ? ("https" as const) : ("http" as const);
  const incoming = { method, target: raw.url ?? "", headers, scheme, body: Buffer.alloc(0) };
  try {
    const signature = parseSignature(headers);
    checkSignature(signature, incoming, {
      hosts: ownDomains(app.config.site),
      now: app.clock.now(),
    });
    // The key is not even fetched for a blocked server or, in limited federation, for one that is not allowed.
    if (await isHostRefused(app, hostIn(signature.keyId) ?? "")) return null;
    const signer = await verifiedSigner(app, signature, incoming);
    return signer.suspended || (await isHostRefused(app, hostIn(signer.uri) ?? "")) ? null : signer;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
};

const verified = new WeakMap<FastifyRequest, Promise<Signer | null>>();

/**
 * Returns the actor that signed; null without a valid signature, for a suspended actor, and for a server that is
 * blocked here. A request is verified once.
 */
export const signerOf = (app: App, request: FastifyRequest): Promise<Signer | null> => {
  if (request.headers.signature === undefined) return Promise.resolve(null);
  const known = verified.get(request);
  if (known) return known;
  const signer = identifying(
    request,
    () => verify(app, request),
    ({ uri }) => `host:${hostIn(uri) ?? uri}`,
  );
  verified.set(request, signer);
  return signer;
};

/** Whether a signature decides the answer: with AUTHORIZED_FETCH, unless the answer redirects to a page. */
export const needsSigner = (app: App, request: FastifyRequest): boolean =>
  app.config.access.signedFetches &&
  request.routeOptions.config.openDocument !== true &&
  !asksForPage(request);

/** Returns the viewer of public documents: with AUTHORIZED_FETCH the signer, who may be blocked; otherwise nobody. */
export const readerOf = async (app: App, request: FastifyRequest): Promise<Viewer> => {
  const signer = needsSigner(app, request) ? await signerOf(app, request) : null;
  return signer ? asActor(signer.accountId) : NOBODY;
};

export type Shown = {
  view: SeenStatus & FederatedStatus;
  /** True when everybody may see it, so that caches may share it. */
  shared: boolean;
};

/** Returns a status by its id if the viewer may see it; throws NotFound otherwise. */
export const shownById = async (
  app: App,
  request: FastifyRequest,
  id: string | null,
): Promise<Shown> => {
  const load = async (viewer: Viewer) =>
    id === null ? [] : (await loadVisible(app, [id], viewer)).filter(mayFederate);
  const isForSigner = needsSigner(app, request);
  const [open] = isForSigner ? [] : await load(NOBODY);
  if (open) return { view: open, shared: true };
  // The signer is also looked up for a missing status: whether we fetch a key must not reveal that a hidden one exists.
  const signer = await signerOf(app, request);
  const [view] = signer ? await load(asActor(signer.accountId)) : [];
  if (!view) throw new NotFound();
  return { view, shared: false };
};

export type StatusPath = ActorName & { id: string };

export const isStatusPath = (path: StatusPath): boolean =>
  /^\d{1,18}$/.test(path.id) && isActorName(path);

/**
 * Returns a status of the named actor. One that not everybody may see is served to an actor who may (a follower, a
 * mentioned one) when the request is signed. Throws NotFound otherwise.
 */
export const shownStatus = async (
  app: App,
  request: FastifyRequest,
  path: StatusPath,
): Promise<Shown> => {
  const id = isStatusPath(path) ? await selectLocalStatus(app.sql, path, path.id) : null;
  return shownById(app, request, id);
};
