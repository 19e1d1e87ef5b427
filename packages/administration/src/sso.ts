// The commands `rookery sso …`: providers that people sign in by, each tried before it is saved.

import {
  COMMAND_LINE,
  ConfigError,
  addProvider,
  callbackUrl,
  listProviders,
  peopleOf,
  readText,
  removeProvider,
  tryProvider,
  withApp,
} from "./uses.ts";
import type { App, Examination, Provider } from "./uses.ts";
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

const find = async (app: App, name: string): Promise<Provider> => {
  const provider = (await listProviders(app)).find((each) => each.name === name);
  if (!provider) throw new ConfigError(`There is no provider "${name}": see rookery sso list.`);
  return provider;
};

/** Says what was found out about a provider. */
const printExamination = (
  app: App,
  { endpoints, ...offers }: Examination,
  { id, scope }: { id: string; scope: string },
): void => {
  const asksAgain = scope.split(" ").includes("offline_access");
  for (const line of [
    ...Object.entries(endpoints).map(([name, url]) => `${name}: ${url}`),
    ...(offers.tellsLogout ? [] : ["It does not tell this server when somebody signs out there."]),
    ...(asksAgain || !offers.lasts ? [] : ["It has lasting refresh tokens: scope offline_access."]),
    `redirect: ${callbackUrl(app, { id })}`,
  ])
    console.log(line);
};

export const showProviders = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) => {
    const providers = (await listProviders(app)).map(({ secret: _secret, ...rest }) => rest);
    printRows(providers, json, ({ id, name, issuer }) => [id, name, issuer].join("  "));
  });

export const tryNamed = (name: string): Promise<void> =>
  withApp(async (app) => {
    const provider = await find(app, name);
    const { id, settings } = provider;
    printExamination(app, await tryProvider(app, provider), { id, scope: settings.scope });
  });

const roleIn = (text: string): { group: string; role: string } => {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new ConfigError("--role takes GROUP=ROLE.");
  return { group: text.slice(0, at), role: text.slice(at + 1) };
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
    printExamination(app, examination, { id, scope });
  });

export const removeNamed = (name: string, { yes }: { yes?: true }): Promise<void> =>
  withApp(async (app) => {
    const { id } = await find(app, name);
    const { people } = await peopleOf(app, id);
    if (!yes && people > 0)
      throw new ConfigError(
        `People who came by it are signed out here and in their apps (${people}). Add --yes if you want that.`,
      );
    await removeProvider(app, COMMAND_LINE, id);
    console.log("OK");
  });
