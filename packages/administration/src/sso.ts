// The commands `rookery sso …`: providers that people sign in by, each tried before it is saved.

import {
  COMMAND_LINE,
  ConfigError,
  DEFAULT_SETTINGS,
  addProvider,
  callbackUrl,
  listProviders,
  readText,
  removeProvider,
  tryProvider,
  withApp,
} from "./uses.ts";
import type { App, Provider } from "./uses.ts";
import { printRows } from "./print.ts";

type AddOptions = {
  issuer: string;
  clientId: string;
  secretFile?: string;
  scope: string;
  subject: string;
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

const named = async (app: App, name: string): Promise<Provider> => {
  const provider = (await listProviders(app)).find((each) => each.name === name);
  if (!provider) throw new ConfigError(`There is no provider "${name}": see rookery sso list.`);
  return provider;
};

const printExamination = async (app: App, provider: Provider): Promise<void> => {
  const { endpoints, tellsLogout, takesLogout, lasts } = await tryProvider(app, provider);
  for (const [name, url] of Object.entries(endpoints)) console.log(`${name}: ${url}`);
  console.log(`redirect: ${callbackUrl(app, provider)}`);
  if (!tellsLogout) console.log("It does not tell this server when somebody signs out there.");
  if (!takesLogout) console.log("Signing out here does not sign out there.");
  const asks = provider.settings.scope.split(" ").includes("offline_access");
  if (provider.settings.groups.length > 0 && !asks)
    console.log(
      `Who leaves the groups is noticed at the next sign-in alone: ${lasts ? "add offline_access to the scopes" : "it has no lasting refresh tokens"}.`,
    );
};

export const showProviders = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) => {
    const providers = (await listProviders(app)).map(({ secret: _secret, ...rest }) => rest);
    printRows(providers, json, ({ id, name, issuer }) => [id, name, issuer].join("  "));
  });

export const tryNamed = (name: string): Promise<void> =>
  withApp(async (app) => printExamination(app, await named(app, name)));

const roleIn = (text: string): { group: string; role: string } => {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new ConfigError("--role takes GROUP=ROLE.");
  return { group: text.slice(0, at), role: text.slice(at + 1) };
};

export const addNamed = (name: string, options: AddOptions): Promise<void> =>
  withApp(async (app) => {
    const secret = options.secretFile ? (await readText(options.secretFile)).trim() : null;
    await addProvider(app, COMMAND_LINE, {
      name,
      issuer: options.issuer,
      secret,
      clientId: options.clientId,
      clientAuth: options.post ? "post" : "basic",
      scope: options.scope,
      claims: {
        ...DEFAULT_SETTINGS.claims,
        subject: options.subject,
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
    await printExamination(app, await named(app, name));
  });

export const removeNamed = (name: string): Promise<void> =>
  withApp(async (app) => {
    await removeProvider(app, COMMAND_LINE, (await named(app, name)).id);
    console.log("OK");
  });
