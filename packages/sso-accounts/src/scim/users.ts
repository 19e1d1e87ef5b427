// People whom a provider tells of. An account is made by their first sign-in, for which the entry here waits; from then
// on `active: false` keeps them out, and so does DELETE, until they are told of again.

import { OWNER_ID, announceRevoked, endAllIn, isEmailAddress, isRecord } from "../uses.ts";
import type { App, Source, Tx } from "../uses.ts";
import { patched } from "./patch.ts";
import {
  countResources,
  deleteUser,
  endIdentity,
  insertUser,
  revive,
  selectAccountOf,
  selectClosed,
  selectGroupsOf,
  selectUser,
  selectUsers,
  updateUser,
} from "./queries-scim.ts";
import type { AccountRow, GroupOfRow, Kind, UserFields, UserRow } from "./queries-scim.ts";
import {
  ScimError,
  USER_SCHEMA,
  checkVersion,
  filterIn,
  flagIn,
  invalid,
  listBody,
  listIn,
  metaOf,
  pageIn,
  requiredIn,
  textIn,
} from "./wire.ts";
import type { Json } from "./wire.ts";

/** Whose resources these are, and where. */
export type Place = { app: App; provider: Pick<Source, "name" | "issuer">; base: string };

export type Query = Partial<Record<string, string>>;

/** Returns which part of a list the query asks for, and how many there are in all. */
export const listAsked = async (
  { app, provider }: Place,
  kind: Kind,
  query: Query,
  filters: readonly string[],
) => {
  const filter = filterIn(query["filter"], filters);
  const total = await countResources(app.sql, kind, provider.issuer, filter);
  return { filter, page: pageIn(query), total };
};

const MAX_USERS = 20_000;
const MAX_EMAILS = 10;
const FILTERS = ["userName", "externalId", "id"];

const present = (
  base: string,
  row: UserRow,
  { groups, closed }: { groups: readonly GroupOfRow[]; closed: readonly string[] },
) => ({
  schemas: [USER_SCHEMA],
  id: row.id,
  ...(row.external_id !== null && { externalId: row.external_id }),
  userName: row.user_name,
  ...row.attributes,
  active: row.active && !closed.includes(row.external_id ?? ""),
  groups: groups
    .filter(({ user_id }) => user_id === row.id)
    .map(({ group_id, display_name }) => ({
      value: group_id,
      $ref: `${base}/Groups/${group_id}`,
      display: display_name,
    })),
  meta: metaOf(base, "User", row),
});

const presentAll = async ({ app, provider, base }: Place, rows: readonly UserRow[]) => {
  const ids = rows.map(({ id }) => id);
  const subjects = rows.map(({ external_id }) => external_id);
  const [groups, closed] = await Promise.all([
    selectGroupsOf(app.sql, ids),
    selectClosed(app.sql, provider.issuer, subjects),
  ]);
  return rows.map((row) => present(base, row, { groups, closed }));
};

const presentOne = async (place: Place, row: UserRow) => (await presentAll(place, [row]))[0]!;

const namesIn = (value: unknown): Json | undefined => {
  if (value === undefined || value === null || value === "") return undefined;
  if (!isRecord(value)) throw invalid("name must have the parts of a name.");
  const names = ["formatted", "givenName", "familyName"].flatMap((key) => {
    const text = textIn(value[key], `name.${key}`);
    return text === null ? [] : [[key, text] as const];
  });
  return names.length > 0 ? Object.fromEntries(names) : undefined;
};

const emailsIn = (value: unknown): Json[] => {
  const list = listIn(value, "emails");
  if (list.length > MAX_EMAILS) throw invalid(`emails may be up to ${MAX_EMAILS}.`);
  return list.flatMap((email) => {
    if (!isRecord(email)) throw invalid("Each of the emails must be an object with its value.");
    const address = textIn(email["value"], "emails.value");
    const type = textIn(email["type"], "emails.type");
    const isPrimary = email["primary"] !== undefined && flagIn(email["primary"], "emails.primary");
    return address === null
      ? []
      : [{ value: address, ...(type && { type }), ...(isPrimary && { primary: true }) }];
  });
};

const fieldsIn = (body: Json): UserFields => {
  const displayName = textIn(body["displayName"], "displayName");
  const [name, emails] = [namesIn(body["name"]), emailsIn(body["emails"])];
  return {
    user_name: requiredIn(body["userName"], "userName"),
    external_id: textIn(body["externalId"], "externalId"),
    active: body["active"] === undefined ? true : flagIn(body["active"], "active"),
    attributes: {
      ...(displayName !== null && { displayName }),
      ...(name && { name }),
      ...(emails.length > 0 && { emails }),
    },
  };
};

const addressesOf = ({ attributes }: Pick<UserFields, "attributes">): string[] =>
  ((attributes["emails"] ?? []) as { value: string }[]).map(({ value }) => value);

/** Refuses addresses that are none. What was told before is no reason to refuse another change, such as an end. */
const checkAddresses = ({ config }: App, fields: UserFields, before?: UserRow): UserFields => {
  const known = before ? addressesOf(before) : [];
  const isWrong = (address: string) => !known.includes(address) && !isEmailAddress(address, config);
  if (addressesOf(fields).some(isWrong)) throw invalid("emails.value must be an email address.");
  return fields;
};

const bodyOf = ({ external_id, user_name, active, attributes }: UserRow): Json => ({
  userName: user_name,
  externalId: external_id ?? undefined,
  active,
  displayName: undefined,
  name: undefined,
  emails: undefined,
  ...attributes,
});

/** Returns the account of somebody, once they have one; throws for an owner, whom no directory ends. */
const endable = async (
  tx: Tx,
  { issuer }: Pick<Source, "issuer">,
  { external_id }: Pick<UserRow, "external_id">,
): Promise<AccountRow | null> => {
  const account = external_id === null ? null : await selectAccountOf(tx, issuer, external_id);
  if (account?.role_id === OWNER_ID)
    throw new ScimError(403, "This person is an owner of the server, whom no provider ends.");
  return account;
};

const endIn = ({ app, provider }: Place, tx: Tx, account: AccountRow) =>
  endAllIn(app, tx, { id: account.identity_id, user_id: account.user_id }, provider.name);

const change = async (
  place: Place,
  id: string,
  match: string | null,
  fieldsOf: (row: UserRow) => UserFields,
) => {
  const { app, provider } = place;
  const { row, ended } = await app.sql.begin(async (tx) => {
    const before = await lockUser(tx, place, id, match);
    const fields = checkAddresses(app, fieldsOf(before), before);
    const row = await updateUser(tx, id, fields, app.clock.now());
    await revive(tx, row);
    const account = before.active && !row.active ? await endable(tx, provider, row) : null;
    return { row, ended: account ? await endIn(place, tx, account) : [] };
  });
  await announceRevoked(app, ended);
  return presentOne(place, row);
};

const lockUser = async (tx: Tx, { provider }: Place, id: string, match: string | null) => {
  const row = await selectUser(tx, provider.issuer, id, true);
  if (!row) throw new ScimError(404, `There is no user ${id}.`);
  checkVersion(match, row.version);
  return row;
};

export const users = {
  async list(place: Place, query: Query) {
    const { app, provider } = place;
    const { filter, page, total } = await listAsked(place, "scim_users", query, FILTERS);
    const rows = await selectUsers(app.sql, provider.issuer, filter, page);
    return listBody(await presentAll(place, rows), total, page.startIndex);
  },

  async get(place: Place, id: string) {
    const row = await selectUser(place.app.sql, place.provider.issuer, id);
    if (!row) throw new ScimError(404, `There is no user ${id}.`);
    return presentOne(place, row);
  },

  async create(place: Place, body: Json) {
    const { app, provider } = place;
    const fields = checkAddresses(app, fieldsIn(body));
    if ((await countResources(app.sql, "scim_users", provider.issuer, null)) >= MAX_USERS)
      throw new ScimError(403, `A provider may tell of ${MAX_USERS} people.`);
    const { row, ended } = await app.sql.begin(async (tx) => {
      const row = await insertUser(tx, provider.issuer, fields, app.clock.now());
      await revive(tx, row);
      const account = row.active ? null : await endable(tx, provider, row);
      return { row, ended: account ? await endIn(place, tx, account) : [] };
    });
    await announceRevoked(app, ended);
    return presentOne(place, row);
  },

  replace: (place: Place, id: string, match: string | null, body: Json) =>
    change(place, id, match, () => fieldsIn(body)),

  patch: (place: Place, id: string, match: string | null, body: Json) =>
    change(place, id, match, (row) => fieldsIn(patched(bodyOf(row), body, ["emails"]))),

  async remove(place: Place, id: string, match: string | null): Promise<void> {
    const { app, provider } = place;
    const ended = await app.sql.begin(async (tx) => {
      const row = await lockUser(tx, place, id, match);
      const account = await endable(tx, provider, row);
      await deleteUser(tx, id);
      if (!account) return [];
      await endIdentity(tx, account.identity_id, app.clock.now());
      return row.active ? endIn(place, tx, account) : [];
    });
    await announceRevoked(app, ended);
  },
};
