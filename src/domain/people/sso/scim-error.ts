// The shape in which SCIM says what is wrong (RFC 7644, 3.12).

const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

export const scimError = (status: number, detail: string, scimType: string | null = null) => ({
  schemas: [ERROR],
  status: String(status),
  ...(scimType !== null && { scimType }),
  detail,
});
