// The viewer of a document: nobody, or the actor whose key signed the request.

import type { FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { HttpError, NotFound } from "../../platform/errors.ts";
import { asActor, NOBODY } from "../../platform/viewer.ts";
import type { Viewer } from "../../platform/viewer.ts";
import { loadVisible } from "../../domain/statuses/load.ts";
import { mayFederate } from "../../domain/statuses/rules.ts";
import type { FederatedStatus, SeenStatus } from "../../domain/statuses/tables.ts";
import { verifiedSigner } from "../inbox/signer.ts";
import type { Signer } from "../inbox/signer.ts";
import { selectLocalStatus } from "../queries.ts";
import { parseSignature } from "../signatures/parse.ts";
import { checkSignature } from "../signatures/verify.ts";

/** The actor that signed; null without a valid signature, and for a suspended one. */
export const signerOf = async (app: App, request: FastifyRequest): Promise<Signer | null> => {
  if (request.headers.signature === undefined) return null;
  const { webDomain, localDomain } = app.config.site;
  const { method, raw, headers } = request;
  const scheme = app.config.site.https ? ("https" as const) : ("http" as const);
  const incoming = { method, target: raw.url ?? "", headers, scheme, body: Buffer.alloc(0) };
  try {
    const signature = parseSignature(headers);
    checkSignature(signature, incoming, { hosts: [webDomain, localDomain], now: app.clock.now() });
    const signer = await verifiedSigner(app, signature, incoming);
    return signer.suspended ? null : signer;
  } catch (error) {
    if (error instanceof HttpError) return null;
    throw error;
  }
};

export type Shown = {
  view: SeenStatus & FederatedStatus;
  /** Everybody may see it, so caches may share it. */
  shared: boolean;
};

/** A status by its id, if the viewer may see it. Throws NotFound otherwise. */
export const shownById = async (
  app: App,
  request: FastifyRequest,
  id: string | null,
): Promise<Shown> => {
  const load = async (viewer: Viewer) =>
    id === null ? [] : (await loadVisible(app, [id], viewer)).filter(mayFederate);
  const [open] = await load(NOBODY);
  if (open) return { view: open, shared: true };
  // Also for a missing status: whether we fetch a key must not reveal that a hidden one exists.
  const signer = await signerOf(app, request);
  const [view] = signer ? await load(asActor(signer.accountId)) : [];
  if (!view) throw new NotFound();
  return { view, shared: false };
};

/**
 * A status of the named person. One that not everybody may see is served to an actor who may (a follower,
 * a mentioned one) when the request is signed. Throws NotFound otherwise.
 */
export const shownStatus = async (
  app: App,
  request: FastifyRequest,
  path: { username: string; id: string },
): Promise<Shown> => {
  const known = /^\d{1,18}$/.test(path.id) && /^[a-z0-9_]{1,30}$/i.test(path.username);
  const id = known ? await selectLocalStatus(app.sql, path.username, path.id) : null;
  return shownById(app, request, id);
};
