// Answers requests of SCIM 2.0 (RFC 7643 and 7644) by a provider whose token was checked.

import { DomainError, isUniqueViolation, listSources, parseId, scimError } from "../uses.ts";
import type { App } from "../uses.ts";
import { resourceTypes, schemas, serviceProviderConfig } from "./documents.ts";
import { groups } from "./groups.ts";
import { users } from "./users.ts";
import type { Place } from "./users.ts";
import { ScimError, bodyIn, listBody } from "./wire.ts";

export type ScimRequest = {
  method: string;
  /** What follows `/scim/v2/`, without the query. */
  path: string;
  query: Partial<Record<string, string>>;
  /** Its text; undefined without one. */
  body: unknown;
  /** The If-Match header. */
  match: string | null;
};

export type ScimAnswer = { status: number; body: object | null; etag?: string; location?: string };

const KINDS = { users, groups } as const;

const read = (body: object): ScimAnswer => ({ status: 200, body });

const withMeta = (
  status: number,
  body: { meta: { version: string; location: string } },
): ScimAnswer => ({ status, body, etag: body.meta.version, location: body.meta.location });

const ofDocuments = ({ base }: Place, [kind = "", ...rest]: string[]): ScimAnswer => {
  const lists = new Map<string, readonly { id: string }[]>([
    ["resourcetypes", resourceTypes(base)],
    ["schemas", schemas(base)],
  ]);
  if (kind === "serviceproviderconfig" && rest.length === 0)
    return read(serviceProviderConfig(base));
  const list = lists.get(kind);
  if (list && rest.length === 0) return read(listBody([...list], list.length, 1));
  const document = list?.find(({ id }) => id.toLowerCase() === rest.join("/"));
  if (!document) throw new ScimError(404, "There is no such resource.");
  return read(document);
};

const ofKind = async (
  place: Place,
  { method, query, body, match }: ScimRequest,
  [kind, id]: [keyof typeof KINDS, string | null],
): Promise<ScimAnswer> => {
  const of = KINDS[kind];
  if (id === null) {
    if (method === "GET") return read(await of.list(place, query));
    if (method === "POST") return withMeta(201, await of.create(place, bodyIn(body)));
  } else {
    if (method === "GET") return withMeta(200, await of.get(place, id, query));
    if (method === "PUT") return withMeta(200, await of.replace(place, id, match, bodyIn(body)));
    if (method === "PATCH") return withMeta(200, await of.patch(place, id, match, bodyIn(body)));
    if (method === "DELETE") {
      await of.remove(place, id, match);
      return { status: 204, body: null };
    }
  }
  throw new ScimError(405, `${method} is not possible here.`);
};

const route = (place: Place, request: ScimRequest): Promise<ScimAnswer> | ScimAnswer => {
  const parts = request.path.split("/").map((part) => part.toLowerCase());
  const [kind = "", id] = parts;
  if (kind !== "users" && kind !== "groups") {
    if (request.method !== "GET") throw new ScimError(405, "This is only read.");
    return ofDocuments(place, parts);
  }
  const known = id === undefined ? null : parseId(id);
  if (parts.length > 2 || (id !== undefined && known === null))
    throw new ScimError(404, "There is no such resource.");
  return ofKind(place, request, [kind, known]);
};

const refusal = (error: unknown): ScimError => {
  if (error instanceof ScimError) return error;
  if (isUniqueViolation(error))
    return new ScimError(409, "There is one with this name or externalId.", "uniqueness");
  if (error instanceof DomainError) return new ScimError(400, error.message);
  throw error;
};

/** Returns the answer, with refusals in the shape of the protocol; null where the provider is gone. */
export const answerScim = async (
  app: App,
  issuer: string,
  request: ScimRequest,
): Promise<ScimAnswer | null> => {
  const provider = (await listSources(app)).find((each) => each.issuer === issuer);
  if (!provider) return null;
  const place = { app, provider, base: `${app.config.site.origin}/scim/v2` };
  try {
    return await route(place, request);
  } catch (error) {
    const { status, message, scimType } = refusal(error);
    return { status, body: scimError(status, message, scimType) };
  }
};
