// The directory whose passwords people sign in with: by LDAP, in the same form as with a password of this server.

import type { Directory, Examination, SignIn } from "#sso";
import type { App } from "../../../platform/app.ts";
import { perApp } from "../../../platform/caches/index.ts";
import { dnOf } from "../../../platform/config/dn.ts";
import { countAttempt, refundAttempt } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { makeProtocol } from "./protocols.ts";
import { findProvider, listProviders } from "./providers.ts";
import { selectIsAt } from "./queries.ts";
import type { IdentityRow, Provider, Source } from "./tables.ts";

const DIRECTORY_ID = "ldap";

/** Fewer guesses than after which directories usually lock an entry, however it is named. */
const GUESSES: Limit = { name: "directory:person", by: "person", count: 5, seconds: 900 };

const keptOf = perApp("connections of the directory", () => {
  const kept: { directory: Promise<Directory> | null } = { directory: null };
  return { kept, entries: () => (kept.directory ? 1 : 0), clear: () => (kept.directory = null) };
});

/** Returns null where there is no directory. */
export const directoryOf = ({ config }: App): Source | null =>
  config.ldap && { ...config.ldap, id: DIRECTORY_ID, kind: "ldap" };

/** Loads the library with the first use, so that a server without a directory has nothing of it. */
const protocolOf = (app: App): Promise<Directory> =>
  (keptOf(app).kept.directory ??= import("#sso").then(({ ldap }) => ldap(app.config.ldap!.ldap)));

/** Returns everything that vouches for people: the providers and the directory. */
export const listSources = async (app: App): Promise<Source[]> => {
  const directory = directoryOf(app);
  return [...(await listProviders(app)), ...(directory ? [directory] : [])];
};

export const isDirectory = ({ kind }: Source): boolean => kind === "ldap";

/** Asks a provider or the directory for everything that a sign-in needs, without signing anybody in. */
export const examineSource = async (app: App, source: Source): Promise<Examination> =>
  (await (isDirectory(source) ? protocolOf(app) : makeProtocol(app, source as Provider))).examine();

/** Names what there is no longer: by its host, which only the directory has not. */
export const formerName = (issuer: string): string => new URL(issuer).host || issuer;

/** Writes the names of groups as the rules have them. */
const comparable = ({ identity, grant }: SignIn): SignIn => ({
  identity: { ...identity, groups: identity.groups.map(dnOf) },
  grant,
});

/** Returns the name of where somebody's identity is; null for what there is no longer. */
export const sourceName = (
  sources: readonly Source[],
  { issuer }: Pick<IdentityRow, "issuer">,
): string | null => sources.find((each) => each.issuer === issuer)?.name ?? null;

/** Returns the provider or the directory of this id; null for one that there is no longer. */
export const findSource = async (app: App, id: string): Promise<Source | null> =>
  id === DIRECTORY_ID ? directoryOf(app) : findProvider(app, id);

/**
 * Asks the directory whose name and password these are; null for nobody's. Throws OverLimit after too many guesses at
 * one entry, and SsoError where the directory cannot say.
 */
export const askDirectory = async (
  app: App,
  login: string,
  password: string,
): Promise<SignIn | null> => {
  const directory = await protocolOf(app);
  let refusal: unknown = null;
  const admit = (subject: string): Promise<boolean> =>
    countAttempt(app, GUESSES, subject).then(
      () => true,
      (error: unknown) => {
        refusal = error;
        return false;
      },
    );
  const signIn = await directory.check(login, password, admit);
  if (refusal !== null) throw refusal;
  if (!signIn) return null;
  await refundAttempt(app, GUESSES, signIn.identity.subject);
  return comparable(signIn);
};

/** Whether somebody has added the directory to their account, so that its password is theirs too. */
export const isInDirectory = async (app: App, userId: string): Promise<boolean> => {
  const directory = directoryOf(app);
  return directory !== null && selectIsAt(app.sql, userId, directory.issuer);
};

/** Asks again who somebody is; throws SsoError, with the fault `ended` for whom the directory has no more. */
export const askAgain = async (app: App, subject: string): Promise<SignIn> =>
  comparable(await (await protocolOf(app)).refresh(subject));
