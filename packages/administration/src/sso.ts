// The commands `rookery sso …`: providers that people sign in by, each tried before it is saved.

import {
  COMMAND_LINE,
  ConfigError,
  EVERYONE_ID,
  OWNER_ID,
  callbackUrl,
  faultOf,
  listProviders,
  listRoles,
  makeProtocol,
  purposeOf,
  readText,
  recorded,
  seal,
  withApp,
} from "./uses.ts";
import type { App, Provider, ProviderSettings } from "./uses.ts";
import { printRows } from "./print.ts";
import { deleteSsoProvider, insertSsoProvider } from "./queries-sso.ts";

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

const find = async (app: App, name: string): Promise<Provider> => {
  const provider = (await listProviders(app)).find((each) => each.name === name);
  if (!provider) throw new ConfigError(`There is no provider "${name}": see rookery sso list.`);
  return provider;
};

/** Makes a sentence of what goes wrong at a provider. */
const refuse = (issuer: string) => (error: unknown) => {
  const fault = faultOf(error);
  if (fault === null) throw error;
  const why =
    fault === "unreachable" ? "doesn’t respond" : `cannot be used: ${(error as Error).message}`;
  throw new ConfigError(`${issuer} ${why.replace(/\.?$/, ".")}`);
};

/** Asks a provider for everything that a sign-in needs, and says what it offers. */
const examine = async (app: App, provider: Provider): Promise<string[]> => {
  const protocol = await makeProtocol(app, provider);
  const { endpoints, ...offers } = await protocol.examine().catch(refuse(provider.issuer));
  const asksAgain = provider.settings.scope.split(" ").includes("offline_access");
  return [
    ...Object.entries(endpoints).map(([name, url]) => `${name}: ${url}`),
    ...(offers.tellsLogout ? [] : ["It does not tell this server when somebody signs out there."]),
    ...(asksAgain || !offers.lasts ? [] : ["It has lasting refresh tokens: scope offline_access."]),
  ];
};

export const showProviders = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) => {
    const providers = (await listProviders(app)).map(({ secret: _secret, ...rest }) => rest);
    printRows(providers, json, ({ id, name, issuer }) => [id, name, issuer].join("  "));
  });

export const tryNamed = (name: string): Promise<void> =>
  withApp(async (app) => {
    const provider = await find(app, name);
    for (const line of await examine(app, provider)) console.log(line);
    console.log(`redirect: ${callbackUrl(app, provider)}`);
  });

const roleIn = (text: string): { group: string; role: string } => {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new ConfigError("--role takes GROUP=ROLE.");
  return { group: text.slice(0, at), role: text.slice(at + 1) };
};

/** Owners stay the people of this server: no directory makes any. */
const checkRoles = async (app: App, { roles }: ProviderSettings): Promise<void> => {
  const names = (await listRoles(app))
    .filter(({ id }) => id !== OWNER_ID && id !== EVERYONE_ID)
    .map(({ name }) => name.toLowerCase());
  const unknown = roles.find(({ role }) => !names.includes(role.toLowerCase()));
  if (unknown) throw new ConfigError(`A group cannot give the role "${unknown.role}".`);
};

const settingsOf = (options: AddOptions): ProviderSettings => ({
  clientId: options.clientId,
  clientAuth: options.post ? "post" : "basic",
  scope: options.scope,
  endpoints: null,
  claims: {
    subject: options.subject,
    name: "name",
    username: "preferred_username",
    picture: "picture",
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

const check = async (app: App, { name, issuer, settings }: Provider): Promise<void> => {
  const allowsHttp = settings.isInside || !app.config.site.https;
  if (!URL.canParse(issuer) || !(issuer.startsWith("https:") || allowsHttp))
    throw new ConfigError("--issuer must be an address with https.");
  if (settings.claims.subject === "email")
    throw new ConfigError("--subject must not be email: providers give addresses to others.");
  const others = await listProviders(app);
  if (others.some((other) => other.name === name || other.issuer === issuer))
    throw new ConfigError("There is a provider with this name or issuer.");
  await checkRoles(app, settings);
};

export const addNamed = (name: string, options: AddOptions): Promise<void> =>
  withApp(async (app) => {
    const { issuer, secretFile } = options;
    const secret = secretFile ? (await readText(secretFile)).trim() : null;
    const settings = settingsOf(options);
    const provider: Provider = { id: "new", kind: "oidc", name, issuer, secret, settings };
    await check(app, provider);
    const lines = await examine(app, provider);
    const id = await recorded(app, COMMAND_LINE, "sso.write", async (tx) => {
      const result = await insertSsoProvider(tx, {
        kind: "oidc",
        name,
        issuer,
        settings,
        sealed_secret: secret === null ? null : seal(app, purposeOf(issuer), secret),
        created_at: app.clock.now(),
      });
      const target = { type: "sso", id: result, label: name };
      return { entry: { action: "sso.create", target }, result };
    });
    for (const line of lines) console.log(line);
    console.log(`redirect: ${callbackUrl(app, { id })}`);
  });

/** Who people are there stays, in case it comes back. */
export const removeNamed = (name: string): Promise<void> =>
  withApp(async (app) => {
    const { id } = await find(app, name);
    await recorded(app, COMMAND_LINE, "sso.write", async (tx) => {
      await deleteSsoProvider(tx, id);
      return { entry: { action: "sso.remove", target: { type: "sso", id, label: name } } };
    });
    console.log("OK");
  });
