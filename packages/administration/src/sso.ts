// The commands `rookery sso …`: providers that people sign in by, each tried before it is saved.

import {
  COMMAND_LINE,
  ConfigError,
  addProvider,
  callbackUrl,
  endScimToken,
  listSources,
  makeScimToken,
  metadataUrl,
  parseId,
  peopleOf,
  readGroupRole,
  readText,
  removeProvider,
  signedOutUrl,
  tryProvider,
  withApp,
} from "./uses.ts";
import type { App, Examination, Source } from "./uses.ts";
import { printRows } from "./print.ts";

type AddOptions = {
  issuer: string;
  clientId: string;
  secretFile?: string;
  scope: string;
  subject: string;
  usernameClaim: string;
  nameClaim: string;
  pictureClaim: string;
  emailClaim: string;
  groupsClaim: string;
  group: string[];
  role: string[];
  post?: true;
  verified?: true;
  linkByEmail?: true;
  strong?: true;
  inside?: true;
  signUp: boolean;
};

/** Finds what `sso list` shows, by its name or its id. */
const find = async (app: App, name: string): Promise<Source> => {
  const sources = await listSources(app);
  const source =
    sources.find((each) => each.name === name) ?? sources.find(({ id }) => id === name);
  if (!source) throw new ConfigError(`There is no provider "${name}": see rookery sso list.`);
  return source;
};

/** Says what was found out about a provider or the directory, to which nobody is sent. */
const printExamination = (
  app: App,
  { endpoints, ...offers }: Examination,
  { id, kind }: Pick<Source, "id" | "kind">,
): void => {
  for (const line of [
    ...Object.entries(endpoints).map(([name, url]) => `${name}: ${url}`),
    ...(offers.tellsLogout ? [] : ["It does not tell this server when somebody signs out there."]),
    ...(offers.couldLast ? ["It has lasting refresh tokens: scope offline_access."] : []),
    ...(kind === "ldap" ? [] : [`redirect: ${callbackUrl(app, { id })}`]),
    ...(kind === "oidc" ? [`after signing out: ${signedOutUrl(app)}`] : []),
    ...(kind === "saml" ? [`metadata of this server: ${metadataUrl(app, { id })}`] : []),
  ])
    console.log(line);
};

export const showProviders = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) => {
    // Secrets are beside these.
    const sources = (await listSources(app)).map(({ id, kind, name, issuer, settings }) => ({
      id,
      kind,
      name,
      issuer,
      settings,
    }));
    printRows(sources, json, ({ id, name, issuer }) => [id, name, issuer].join("  "));
  });

export const tryNamed = (name: string): Promise<void> =>
  withApp(async (app) => {
    const source = await find(app, name);
    printExamination(app, await tryProvider(app, source), source);
  });

const roleIn = (text: string) => {
  const rule = readGroupRole(text);
  if (rule.group === "") throw new ConfigError("--role takes GROUP=ROLE.");
  return rule;
};

export const addNamed = (name: string, options: AddOptions): Promise<void> =>
  withApp(async (app) => {
    const { issuer, clientId, scope, secretFile } = options;
    const { id, examination } = await addProvider(app, COMMAND_LINE, {
      name,
      issuer,
      clientId,
      scope,
      secret: secretFile ? (await readText(secretFile)).trim() : null,
      clientAuth: options.post ? "post" : "basic",
      claims: {
        subject: options.subject,
        username: options.usernameClaim,
        name: options.nameClaim,
        picture: options.pictureClaim,
        email: options.emailClaim,
        groups: options.groupsClaim,
      },
      groups: options.group,
      roles: options.role.map(roleIn),
      assumesVerified: options.verified === true,
      linksByEmail: options.linkByEmail === true,
      isStrong: options.strong === true,
      isInside: options.inside === true,
      signsUp: options.signUp,
    });
    printExamination(app, examination, { id, kind: "oidc" });
  });

export const removeNamed = (name: string, { yes }: { yes?: true }): Promise<void> =>
  withApp(async (app) => {
    const { id, kind } = await find(app, name);
    if (parseId(id) === null) {
      const variables = `${kind.toUpperCase()}_*`;
      throw new ConfigError(
        `${name} is set by ${variables}: remove those variables, then start again.`,
      );
    }
    const { people } = await peopleOf(app, id);
    if (!yes && people > 0)
      throw new ConfigError(
        `People who came by it are signed out here and in their apps (${people}). Add --yes if you want that.`,
      );
    await removeProvider(app, COMMAND_LINE, id);
    console.log("OK");
  });

/** The token is printed once, alone on the last line. */
export const makeToken = (name: string, { end }: { end?: true }): Promise<void> =>
  withApp(async (app) => {
    const { id } = await find(app, name);
    if (end) await endScimToken(app, COMMAND_LINE, id);
    else console.log(`${app.config.site.origin}/scim/v2`);
    console.log(end ? "OK" : await makeScimToken(app, COMMAND_LINE, id));
  });
