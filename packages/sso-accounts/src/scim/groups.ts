// Groups that a provider tells of: with those of its claims they decide who enters, and which roles they get.

import { isRecord, parseId } from "../uses.ts";
import type { Tx } from "../uses.ts";
import { patched } from "./patch.ts";
import {
  countResources,
  deleteGroup,
  insertGroup,
  replaceMembers,
  selectGroup,
  selectGroups,
  selectMembers,
  updateGroup,
} from "./queries-scim.ts";
import type { GroupFields, GroupRow, MemberRow } from "./queries-scim.ts";
import { listAsked } from "./users.ts";
import type { Place, Query } from "./users.ts";
import {
  GROUP_SCHEMA,
  ScimError,
  checkVersion,
  invalid,
  listBody,
  listIn,
  metaOf,
  requiredIn,
  textIn,
} from "./wire.ts";
import type { Json } from "./wire.ts";

const MAX_GROUPS = 500;
const MAX_MEMBERS = 5_000;
const FILTERS = ["displayName", "externalId", "id"];

const memberOf = ({ base }: Place, { user_id, user_name }: MemberRow) => ({
  value: user_id,
  $ref: `${base}/Users/${user_id}`,
  display: user_name,
});

const present = (place: Place, row: GroupRow, members: readonly MemberRow[] | null) => ({
  schemas: [GROUP_SCHEMA],
  id: row.id,
  ...(row.external_id !== null && { externalId: row.external_id }),
  displayName: row.display_name,
  ...(members && {
    members: members
      .filter(({ group_id }) => group_id === row.id)
      .map((member) => memberOf(place, member)),
  }),
  meta: metaOf(place.base, "Group", row),
});

const presentOne = async (place: Place, row: GroupRow, isBare = false) =>
  present(place, row, isBare ? null : await selectMembers(place.app.sql, [row.id]));

const fieldsIn = (body: Json): GroupFields => ({
  display_name: requiredIn(body["displayName"], "displayName"),
  external_id: textIn(body["externalId"], "externalId"),
});

const membersIn = (body: Json): string[] => {
  const list = listIn(body["members"], "members");
  if (list.length > MAX_MEMBERS) throw invalid(`A group may have ${MAX_MEMBERS} members.`);
  const ids = list.map((member) => parseId(String(isRecord(member) ? member["value"] : "")));
  if (ids.includes(null)) throw invalid("A member's value must be the id of a user.");
  return [...new Set(ids as string[])];
};

const setMembers = async (tx: Tx, { provider }: Place, id: string, ids: string[]) => {
  if ((await replaceMembers(tx, provider.issuer, id, ids)) < ids.length)
    throw invalid("A member is no user that this provider told of.");
};

const lockGroup = async (tx: Tx, { provider }: Place, id: string, match: string | null) => {
  const row = await selectGroup(tx, provider.issuer, id, true);
  if (!row) throw new ScimError(404, `There is no group ${id}.`);
  checkVersion(match, row.version);
  return row;
};

const isWithoutMembers = (query: Query): boolean =>
  (query["excludedAttributes"] ?? "").split(/\s*,\s*/).includes("members");

const change = async (
  place: Place,
  id: string,
  match: string | null,
  bodyOf: (tx: Tx, row: GroupRow) => Promise<Json>,
) => {
  const { app } = place;
  const row = await app.sql.begin(async (tx) => {
    const body = await bodyOf(tx, await lockGroup(tx, place, id, match));
    const changed = await updateGroup(tx, id, fieldsIn(body), app.clock.now());
    await setMembers(tx, place, id, membersIn(body));
    return changed;
  });
  return presentOne(place, row);
};

const currentBody = async (tx: Tx, row: GroupRow): Promise<Json> => ({
  displayName: row.display_name,
  externalId: row.external_id ?? undefined,
  members: (await selectMembers(tx, [row.id])).map(({ user_id }) => ({ value: user_id })),
});

export const groups = {
  async list(place: Place, query: Query) {
    const { app, provider } = place;
    const { filter, page, total } = await listAsked(place, "scim_groups", query, FILTERS);
    const rows = await selectGroups(app.sql, provider.issuer, filter, page);
    const ids = rows.map(({ id }) => id);
    const members = isWithoutMembers(query) ? null : await selectMembers(app.sql, ids);
    return listBody(
      rows.map((row) => present(place, row, members)),
      total,
      page.startIndex,
    );
  },

  async get(place: Place, id: string, query: Query) {
    const row = await selectGroup(place.app.sql, place.provider.issuer, id);
    if (!row) throw new ScimError(404, `There is no group ${id}.`);
    return presentOne(place, row, isWithoutMembers(query));
  },

  async create(place: Place, body: Json) {
    const { app, provider } = place;
    const [fields, members] = [fieldsIn(body), membersIn(body)];
    if ((await countResources(app.sql, "scim_groups", provider.issuer, null)) >= MAX_GROUPS)
      throw new ScimError(403, `A provider may tell of ${MAX_GROUPS} groups.`);
    const row = await app.sql.begin(async (tx) => {
      const group = await insertGroup(tx, provider.issuer, fields, app.clock.now());
      await setMembers(tx, place, group.id, members);
      return group;
    });
    return presentOne(place, row);
  },

  replace: (place: Place, id: string, match: string | null, body: Json) =>
    change(place, id, match, async () => body),

  patch: (place: Place, id: string, match: string | null, body: Json) =>
    change(place, id, match, async (tx, row) =>
      patched(await currentBody(tx, row), body, ["members"]),
    ),

  async remove(place: Place, id: string, match: string | null): Promise<void> {
    await place.app.sql.begin(async (tx) => {
      await lockGroup(tx, place, id, match);
      await deleteGroup(tx, id);
    });
  },
};
