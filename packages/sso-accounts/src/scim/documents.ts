// What a client reads first: what this server can do, its kinds of resources and their attributes (RFC 7644, 4).

import { GROUP_SCHEMA, MAX_PAGE, USER_SCHEMA } from "./wire.ts";

const CORE = "urn:ietf:params:scim:schemas:core:2.0";

export const serviceProviderConfig = (base: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_PAGE },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "A token that the staff made for this provider.",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
});

export const resourceTypes = (base: string) =>
  (
    [
      ["User", USER_SCHEMA],
      ["Group", GROUP_SCHEMA],
    ] as const
  ).map(([name, schema]) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
  }));

type Options = Partial<{
  type: "string" | "boolean" | "complex" | "reference";
  multiValued: boolean;
  required: boolean;
  uniqueness: "none" | "server";
  subAttributes: object[];
}>;

const attribute = (name: string, options: Options = {}) => ({
  name,
  type: "string",
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...options,
});

export const schemas = (base: string) =>
  [
    {
      id: USER_SCHEMA,
      name: "User",
      attributes: [
        attribute("userName", { required: true, uniqueness: "server" }),
        attribute("displayName"),
        attribute("active", { type: "boolean" }),
        attribute("name", {
          type: "complex",
          subAttributes: ["formatted", "givenName", "familyName"].map((name) => attribute(name)),
        }),
        attribute("emails", {
          type: "complex",
          multiValued: true,
          subAttributes: [
            attribute("value"),
            attribute("type"),
            attribute("primary", { type: "boolean" }),
          ],
        }),
      ],
    },
    {
      id: GROUP_SCHEMA,
      name: "Group",
      attributes: [
        attribute("displayName", { required: true, uniqueness: "server" }),
        attribute("members", {
          type: "complex",
          multiValued: true,
          subAttributes: [attribute("value"), attribute("$ref", { type: "reference" })],
        }),
      ],
    },
  ].map((schema) => ({
    schemas: [`${CORE}:Schema`],
    ...schema,
    meta: { resourceType: "Schema", location: `${base}/Schemas/${schema.id}` },
  }));
