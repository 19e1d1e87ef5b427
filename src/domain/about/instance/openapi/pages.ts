// Serves /developers: the OpenAPI document as pages for people who write apps, one for each group of requests, each
// request and each entity. What the document says stays in English; the pages around it speak the reader's language.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { FactList, Inline, No, Part } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { orNotFound } from "../../../../platform/errors.ts";
import { OWN } from "../../../../platform/http/extension.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { asAnybody, sendServed } from "../../../people/users/pages/components.ts";
import type { CardContext } from "../../../people/users/pages/components.ts";
import { readTexts } from "../../../people/oauth/parameters.ts";
import { makeDocument } from "./document.ts";
import type { Examples } from "./document.ts";
import { boundsOf, curlOf, typeOf } from "./say.ts";
import type { Schema } from "./say.ts";

const PATH = "/developers";
const ENTITIES = `${PATH}/entities`;

type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
};

export type Operation = {
  operationId: string;
  summary: string;
  tags: [string];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  security?: Record<string, string[]>[];
  responses: Record<string, { description: string; content: Record<string, { schema?: Schema }> }>;
  "x-source"?: string;
};

type Request = Operation & { method: string; path: string };

type Reference = {
  origin: string;
  requests: readonly Request[];
  groups: ReadonlyMap<string, readonly Request[]>;
  entities: Record<string, Schema>;
  examples: Examples;
};

/** `admin/accounts` is one word in addresses. */
const groupOf = ({ tags: [tag] }: Request): string => tag.replace("/", "-");

/** Where a path has PUT, this does the same. */
const OTHER_METHOD = "patch";

const referenceOf = async (app: App, server: Server): Promise<Reference> => {
  const { document, examples } = await makeDocument(app, server);
  const paths = document["paths"] as Record<string, Record<string, Operation>>;
  const requests = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => method !== OTHER_METHOD || !operations["put"])
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  const { schemas } = document["components"] as { schemas: Record<string, Schema> };
  const groups = Map.groupBy(requests, groupOf);
  return { origin: app.config.site.origin, requests, groups, entities: schemas, examples };
};

const addressOf = (request: Request): string =>
  `${PATH}/${groupOf(request)}/${request.operationId}`;

const entityLink = (name: string): Inline => ({
  link: `${ENTITIES}/${name}`,
  text: { english: name },
});

/** Draws a schema as words, with links to entities. */
const typeLine = (schema: Schema | undefined): Inline => ({
  joined: typeOf(schema).map(({ isList, ...part }) => [
    "entity" in part ? entityLink(part.entity) : { code: part.code },
    isList && { code: "[]" },
  ]),
});

const isOwn = (described: { "x-source"?: string }): boolean =>
  described["x-source"] === OWN["x-source"];

const OWN_BADGE = { badge: "developers.own", kind: "mild" } as const;

const requestRows = (requests: readonly Request[]): Part => ({
  rows: requests.map((request) => ({
    title: { code: `${request.method} ${request.path}` },
    badges: [isOwn(request) && OWN_BADGE],
    lines: [{ english: request.summary }],
    href: addressOf(request),
  })),
  none: "developers.nothing",
});

/** Words of a search are all somewhere in the request's line. */
const matching = (requests: readonly Request[], q: string): Request[] => {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return requests.filter(({ method, path, summary }) => {
    const line = `${method} ${path} ${summary}`.toLowerCase();
    return words.every((word) => line.includes(word));
  });
};

const stepsOf = (origin: string): Part[] => [
  { heading: "developers.start" },
  { text: { say: "developers.register" } },
  {
    block: `curl ${origin}/api/v1/apps \\
  -d client_name='My app' -d website=https://app.example \\
  -d redirect_uris=https://app.example/callback -d scopes='read write'`,
  },
  { text: { say: "developers.authorize" } },
  {
    block: `VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | basenc --base64url | tr -d =)`,
  },
  {
    block: `${origin}/oauth/authorize?response_type=code&client_id=CLIENT_ID
  &redirect_uri=https://app.example/callback&scope=read+write
  &code_challenge=CHALLENGE&code_challenge_method=S256`,
  },
  { text: { say: "developers.token" } },
  {
    block: `curl ${origin}/oauth/token \\
  -d grant_type=authorization_code -d code=CODE -d code_verifier=VERIFIER \\
  -d client_id=CLIENT_ID -d client_secret=CLIENT_SECRET \\
  -d redirect_uri=https://app.example/callback`,
  },
  { text: { say: "developers.use" } },
  { block: `curl ${origin}/api/v1/accounts/verify_credentials -H 'Authorization: Bearer TOKEN'` },
];

const showIndex = (context: CardContext, reference: Reference) => {
  const { q = "" } = readTexts(context.request.query);
  const { origin, requests, groups } = reference;
  const file = { link: "/api/openapi.json", text: { code: "/api/openapi.json" } };
  const rows = [...groups].map(([name, all]) => ({
    title: { english: name },
    href: `${PATH}/${name}`,
    lines: [{ say: "developers.count" as const, values: { count: all.length } }],
  }));
  return sendServed(context, {
    title: "developers.title",
    back: "/about",
    parts: [
      { text: { say: "developers.about", with: { file } } },
      {
        filters: {
          action: PATH,
          submit: "developers.find",
          fields: [{ name: "q", label: "developers.search", max: 100 }],
          values: { q },
        },
      },
      ...(q.trim()
        ? [requestRows(matching(requests, q))]
        : [
            ...stepsOf(origin),
            { heading: "developers.requests" as const },
            {
              rows: [...rows, { title: { say: "developers.entities" as const }, href: ENTITIES }],
            },
          ]),
    ],
  });
};

const crumbs = (...others: (Inline | No)[]): Part => ({
  links: [{ link: PATH, text: { say: "developers.title" } }, ...others.filter(Boolean)] as Inline[],
  kind: "queue-links",
});

const example = (value: unknown): (Part | No)[] => [
  value !== undefined && { heading: "developers.example" },
  value !== undefined && { block: JSON.stringify(value, null, 2) },
];

const propertyRows = (
  properties: readonly { name: string; place?: string; needed: boolean; schema: Schema }[],
): Part => ({
  rows: properties.map(({ name, place, needed, schema }) => ({
    title: { code: name },
    badges: [needed && { badge: "developers.needed" }, isOwn(schema) && OWN_BADGE],
    lines: [
      { joined: [place && { code: place }, typeLine(schema)] },
      schema.description && { english: schema.description },
      boundsOf(schema) !== "" && { english: boundsOf(schema) },
    ],
  })),
  none: "developers.none",
});

type Member = { name: string; needed: boolean; schema: Schema };

/** Returns the members of an object, each followed by those within it: `poll`, `poll[options]`. */
const membersOf = (schema: Schema, within = ""): Member[] =>
  [schema, ...(schema.allOf ?? []), ...(schema.anyOf ?? [])].flatMap(
    ({ properties = {}, required = [] }) =>
      Object.entries(properties).flatMap(([key, of]) => {
        const name = within ? `${within}[${key}]` : key;
        return [
          { name, needed: required.includes(key), schema: of },
          ...membersOf(of.items ?? of, of.items ? `${name}[]` : name),
        ];
      }),
  );

const bodyOf = ({ requestBody }: Request): Schema =>
  Object.values(requestBody?.content ?? {})[0]?.schema ?? {};

const answerOf = ({ responses }: Request): Schema | undefined =>
  responses["200"]?.content["application/json"]?.schema;

const exampleOf = ({ examples }: Reference, request: Request): unknown => {
  const schema = answerOf(request);
  const [of] = typeOf(schema).filter((part) => "entity" in part);
  const own = examples.operations[`${request.method} ${request.path}`];
  if (own !== undefined || !of) return own;
  const each = examples.entities[of.entity];
  return each !== undefined && schema?.type === "array" ? [each] : each;
};

const accessOf = ({ security = [] }: Request): FactList => {
  const scopes = security.flatMap(({ OAuth = [] }) => OAuth);
  const isOpen = security.length === 0 || security.some((each) => !("OAuth" in each));
  return [
    ["developers.access", { say: isOpen ? "developers.open" : "developers.signed_in" }],
    scopes.length > 0 && [
      "developers.scopes",
      { joined: scopes.map((scope) => ({ code: scope })) },
    ],
  ];
};

const showRequest = (context: CardContext, reference: Reference, request: Request) => {
  const group = groupOf(request);
  const parameters = [
    ...(request.parameters ?? []).map(({ name, in: place, required, description, schema }) => ({
      name,
      place,
      needed: required,
      schema: { ...schema, ...(description !== undefined && { description }) },
    })),
    ...membersOf(bodyOf(request)).map((each) => ({ ...each, place: "body" })),
  ];
  return sendServed(context, {
    title: { plain: `${request.method} ${request.path}` },
    back: `${PATH}/${group}`,
    parts: [
      crumbs({ link: `${PATH}/${group}`, text: { english: group } }),
      { text: [{ english: request.summary }, isOwn(request) && OWN_BADGE] },
      { facts: accessOf(request) },
      { heading: "developers.parameters" },
      propertyRows(parameters),
      { heading: "developers.answers" },
      {
        facts: Object.entries(request.responses).map(([status, { description, content }]) => [
          { plain: status },
          [{ english: description }, typeLine(content["application/json"]?.schema)],
        ]),
      },
      { heading: "developers.ask" },
      { block: curlOf(reference.origin, request, membersOf(bodyOf(request))) },
      ...example(exampleOf(reference, request)),
    ],
  });
};

const showEntity = (context: CardContext, { entities, examples }: Reference, name: string) => {
  const schema = orNotFound(Object.hasOwn(entities, name) ? entities[name] : undefined);
  return sendServed(context, {
    title: { plain: name },
    back: ENTITIES,
    parts: [
      crumbs({ link: ENTITIES, text: { say: "developers.entities" } }),
      isOwn(schema) && { text: OWN_BADGE },
      propertyRows(membersOf(schema)),
      ...example(examples.entities[name]),
    ],
  });
};

const showEntities = (context: CardContext, { entities }: Reference) =>
  sendServed(context, {
    title: "developers.entities",
    back: PATH,
    parts: [
      crumbs(),
      {
        rows: Object.keys(entities)
          .toSorted()
          .map((name) => ({ title: { english: name }, href: `${ENTITIES}/${name}` })),
      },
    ],
  });

const showGroup = (context: CardContext, reference: Reference, name: string) => {
  if (name === "entities") return showEntities(context, reference);
  const requests = orNotFound(reference.groups.get(name));
  return sendServed(context, {
    title: { plain: name },
    back: PATH,
    parts: [crumbs(), requestRows(requests)],
  });
};

type Place = { group?: string; name?: string };

export const developerPages = (server: Server, app: App): void => {
  let reference: Promise<Reference> | null = null;
  const page = (
    show: (context: CardContext, reference: Reference, place: Place) => Promise<FastifyReply>,
  ) =>
    asAnybody(app)(async (context) =>
      show(
        context,
        await (reference ??= referenceOf(app, server)),
        context.request.params as Place,
      ),
    ) as (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  server.get(PATH, page(showIndex));
  server.get(
    `${PATH}/:group`,
    page((context, all, { group = "" }) => showGroup(context, all, group)),
  );
  server.get(
    `${PATH}/:group/:name`,
    page((context, all, { group, name = "" }) => {
      if (group === "entities") return showEntity(context, all, name);
      const request = orNotFound(
        all.groups.get(group ?? "")?.find(({ operationId }) => operationId === name),
      );
      return showRequest(context, all, request);
    }),
  );
};
