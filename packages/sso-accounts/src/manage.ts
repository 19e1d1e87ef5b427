// What the staff does with providers, on its page and by commands: each is tried before it is saved.

import type { Examination } from "../../sso/src/index.ts";
import {
  countPeople,
  deleteProvider,
  deleteTokensOf,
  insertProvider,
  selectPeopleOf,
  selectSessionsOf,
  updateProvider,
} from "./queries-providers.ts";
import { deleteTold } from "./scim/queries-scim.ts";
import {
  DEFAULT_SETTINGS,
  EVERYONE_ID,
  OWNER_ID,
  Unprocessable,
  announceRevoked,
  askedAt,
  checkAll,
  effectiveBits,
  endSessionsIn,
  examineSource,
  faultIf,
  faultOf,
  providerFault,
  findAdded,
  takeProvider,
  shownOf,
  markOf,
  requireAsDrawn,
  isUniqueViolation,
  listSources,
  listRoles,
  orNotFound,
  purposeOf,
  recorded,
  requireMay,
  revokeAllOfUsers,
  says,
  seal,
} from "./uses.ts";
import type {
  Actor,
  App,
  OidcProvider,
  ProviderSettings,
  RoleRow,
  Said,
  Source,
  Tx,
  VerbOf,
} from "./uses.ts";

const ACT = "sso.write";
const MAX_NAME = 60;
const MAX_PROVIDERS = 20;

/** `secret`: null keeps the one that is stored. */
export type ProviderInput = { name: string; issuer: string; secret: string | null } & Pick<
  ProviderSettings,
  "clientId"
> &
  Partial<ProviderSettings>;

/** Asks for what a sign-in needs; throws what `refused` makes of the reason where the provider does not answer so. */
const examine = async (
  app: App,
  source: Source,
  refused: (why: Said) => Error,
): Promise<Examination> => {
  try {
    return await examineSource(app, source);
  } catch (error) {
    const fault = providerFault(error);
    if (fault === null) throw error;
    const issuer = askedAt(source);
    if (fault === "unreachable") throw refused(says("staff.sso.away", { issuer }));
    const reason = (error as Error).message.replace(/\.$/, "");
    throw refused(says("staff.sso.no_answer", { issuer, reason }));
  }
};

/** Asks a provider, or the directory; throws Unprocessable with the reason where it does not answer as it should. */
export const tryProvider = (app: App, source: Source): Promise<Examination> =>
  examine(app, source, (why) => new Unprocessable(why));

/** The form of a new provider has its issuer; that of one that is changed has not. */
const tryEntered = (app: App, provider: OidcProvider): Promise<Examination> =>
  examine(app, provider, (why) =>
    provider.id === "new" ? faultOf("issuer", why) : new Unprocessable(why),
  );

/** Gives nobody a role that the actor could not give; owners stay the people of this server. */
const checkRoles = (all: readonly RoleRow[], actor: Actor, { roles }: ProviderSettings): void => {
  for (const { group, role: name } of roles) {
    if (group === "" || name === "")
      throw faultOf("roles", says("staff.sso.bad_role_line", { line: group || name }));
    const role = all.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (!role || role.id === EVERYONE_ID)
      throw faultOf("roles", says("staff.sso.no_role", { name }));
    if (role.id === OWNER_ID)
      throw faultOf("roles", says("staff.sso.no_owner", { name: role.name }));
    const missing = effectiveBits(role.permissions) & ~actor.permissions;
    if (role.position >= actor.position || missing !== 0)
      throw faultOf("roles", says("staff.roles.not_to_give"));
  }
};

/** Compares as discovery does, for which an address without a path has a slash. */
const isSameIssuer = (known: string, issuer: string): boolean =>
  known === issuer || (isAddress(issuer) && URL.parse(known)?.href === new URL(issuer).href);

const isAddress = (url: string): boolean => /^https?:\/\//.test(url) && URL.canParse(url);

const check = (app: App, { name, issuer, settings }: OidcProvider): void => {
  const { claims, clientId, scope } = settings;
  const allowsHttp = settings.isInside || !app.config.site.https;
  const isReachable = isAddress(issuer) && (allowsHttp || issuer.startsWith("https:"));
  checkAll(
    faultIf(
      name === "" || name.length > MAX_NAME,
      "name",
      says("staff.sso.bad_name", { count: MAX_NAME }),
    ),
    faultIf(!isReachable || issuer.length > 500, "issuer", says("staff.sso.bad_issuer")),
    faultIf(clientId === "", "client_id", says("staff.sso.bad_client")),
    faultIf(!scope.split(/\s+/).includes("openid"), "scope", says("staff.sso.bad_scope")),
    faultIf(
      ["", "email", claims.email].includes(claims.subject),
      "subject",
      says("staff.sso.bad_subject"),
    ),
  );
};

const entryOf = (verb: VerbOf<"sso">, id: string, { name: label }: Pick<OidcProvider, "name">) => ({
  action: `sso.${verb}` as const,
  target: { type: "sso", id, label },
});

const rowOf = (app: App, { kind, name, issuer, settings, secret }: OidcProvider) => ({
  kind,
  name,
  issuer,
  settings,
  sealed_secret: secret === null ? null : seal(app, purposeOf(issuer), secret),
});

/** Checks what was entered and tries it; names what is wrong with roles beside what is wrong with the provider. */
const judge = async (app: App, actor: Actor, provider: OidcProvider): Promise<Examination> => {
  const roles = await listRoles(app);
  const tried = async () => {
    check(app, provider);
    return tryEntered(app, provider);
  };
  const examined = await tried().then(
    (examination) => () => examination,
    (error: unknown) => () => {
      throw error;
    },
  );
  const [examination] = checkAll(examined, () => checkRoles(roles, actor, provider.settings));
  return examination;
};

/** Judges what was entered, and saves it by `write`. */
const save = async (
  app: App,
  actor: Actor,
  provider: OidcProvider,
  write: (
    tx: Tx,
    examination: Examination,
  ) => Promise<{ entry: ReturnType<typeof entryOf>; result: string }>,
): Promise<Saved> => {
  requireMay(actor, ACT);
  const examination = await judge(app, actor, provider);
  try {
    const id = await recorded(app, actor, ACT, (tx) => write(tx, examination));
    return { id, examination };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw faultOf("name", says("staff.sso.taken"));
  }
};

export type Saved = { id: string; examination: Examination };

export const addProvider = async (
  app: App,
  actor: Actor,
  { name, issuer, secret, ...settings }: ProviderInput,
): Promise<Saved> => {
  const others = await listSources(app);
  if (others.length >= MAX_PROVIDERS)
    throw new Unprocessable(says("staff.sso.many", { count: MAX_PROVIDERS }));
  // Those of the environment have no rows that would be in the way.
  if (others.some((other) => other.name === name || isSameIssuer(other.issuer, issuer)))
    throw faultOf("name", says("staff.sso.taken"));
  const all = { ...DEFAULT_SETTINGS, ...settings };
  const provider: OidcProvider = { id: "new", kind: "oidc", name, issuer, secret, settings: all };
  return save(app, actor, provider, async (tx, examination) => {
    const created_at = app.clock.now();
    const named = { ...provider, issuer: examination.issuer ?? issuer };
    const id = await insertProvider(tx, { ...rowOf(app, named), created_at });
    return { entry: entryOf("create", id, provider), result: id };
  });
};

const added = async (app: App, id: string): Promise<OidcProvider> =>
  orNotFound(await findAdded(app, id));

/**
 * Changes everything but the issuer, by which people are known. `mark` is that of the form; without one nobody may have
 * changed it while the provider was tried.
 */
export const changeProvider = async (
  app: App,
  actor: Actor,
  id: string,
  { name, issuer: _issuer, secret, ...settings }: ProviderInput,
  mark?: string,
): Promise<Saved> => {
  const before = await added(app, id);
  const provider: OidcProvider = {
    ...before,
    name,
    secret: secret ?? before.secret,
    settings: { ...before.settings, ...settings },
  };
  return save(app, actor, provider, async (tx) => {
    const now = orNotFound(await takeProvider(app, tx, id));
    requireAsDrawn(shownOf(now), mark ?? markOf(shownOf(before)), shownOf(provider));
    await updateProvider(tx, id, rowOf(app, { ...provider, secret: secret ?? now.secret }));
    return { entry: entryOf("update", id, provider), result: id };
  });
};

/** Returns how many people came by a provider, whom its removal signs out. */
export const peopleOf = async (
  app: App,
  id: string,
): Promise<OidcProvider & { people: number }> => {
  const provider = await added(app, id);
  return { ...provider, people: await countPeople(app.sql, provider.issuer) };
};

/**
 * Removes a provider with the sessions that it began, and all tokens of its people, since nothing says how an app's
 * consent was signed in to. Who people are there stays, in case it comes back.
 */
export const removeProvider = async (app: App, actor: Actor, id: string): Promise<void> => {
  const provider = await added(app, id);
  const ended = await recorded(app, actor, ACT, async (tx) => {
    await deleteProvider(tx, id);
    await deleteTold(tx, provider.issuer);
    const people = await selectPeopleOf(tx, provider.issuer);
    const sessions = await selectSessionsOf(tx, provider.issuer);
    const ofSessions = await endSessionsIn(app, tx, sessions);
    const ofPeople = await revokeAllOfUsers(app, tx, people);
    await deleteTokensOf(tx, provider.issuer);
    return { entry: entryOf("remove", id, provider), result: [...ofSessions, ...ofPeople] };
  });
  await announceRevoked(app, ended);
};
