// Auxiliary providers of this server: services that find people and posts for it. One registers by itself, which means
// nothing until somebody of the staff has compared its key and confirmed it; then each capability is switched on.

import { createHash, generateKeyPairSync } from "node:crypto";
import type { App } from "../../platform/app.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { lockNamed } from "../../platform/db/lock-named.ts";
import { requireAsDrawn } from "../../platform/drawn.ts";
import { NotFound, Unprocessable, invalidFields, orNotFound } from "../../platform/errors.ts";
import { FetchRefused } from "../../platform/fetch/errors.ts";
import { addDays } from "../../platform/ids/index.ts";
import type { DeleteSlice } from "../../platform/jobs/retention.ts";
import { httpUrl, isRecord, listOf, textOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { says } from "../../platform/text/texts.ts";
import { recorded } from "../../domain/base/audit/recorded.ts";
import type { VerbOf } from "../../domain/base/audit/actions.ts";
import type { Actor } from "../../domain/base/roles/permissions.ts";
import { requireMay } from "../../domain/base/roles/acts.ts";
import { setInUse } from "../../domain/base/settings/providers.ts";
import { RemoteFault, nullOnAnyFault } from "../faults.ts";
import { isLocalUri } from "../hosts.ts";
import { askProvider, toBase64 } from "./ask.ts";
import { sealedKey } from "./own-key.ts";
import {
  deleteExcess,
  deleteFormer,
  deleteProvider,
  deleteUnconfirmed,
  insertProvider,
  selectProvider,
  selectProviders,
  updateProvider,
  updateWishes,
} from "./queries.ts";
import { deletePassing } from "./queries-sharing.ts";
import { CAPABILITIES, mayUse } from "./tables.ts";
import type { Capability, ProviderRow, Wish } from "./tables.ts";

const ACT = "fasp.write";
/** Registrations that wait for the staff, at most; a further one takes the place of one by whom most wait. */
const MAX_WAITING = 20;
/** Days that they wait. */
const WAITING_DAYS = 7;
const MAX_NAME = 100;
const MAX_URL = 500;
const SERVER_ID = /^[\w.~:@/+=-]{1,200}$/;
const PUBLIC_KEY = /^[A-Za-z\d+/]{43}=$/;

export const listProviders = async (app: App): Promise<ProviderRow[]> => [
  ...(await selectProviders(app.sql)),
];

export const getProvider = async (db: Db, id: string): Promise<ProviderRow> =>
  orNotFound(await selectProvider(db, id));

/** Runs `work` with each provider that the staff lets do this; one that is slow or lies costs the others nothing. */
export const withProviders = async (
  app: App,
  capability: Capability,
  work: (provider: ProviderRow) => Promise<void>,
): Promise<void> => {
  const attempt = async (provider: ProviderRow): Promise<void> => {
    if (!mayUse(provider, capability)) return;
    try {
      await work(provider);
    } catch (error) {
      if (!(error instanceof RemoteFault)) throw error;
      app.log.info({ provider: provider.base_url, why: error.message }, "a provider did not help");
    }
  };
  await Promise.all((await selectProviders(app.sql)).map(attempt));
};

/** Returns what provider and staff compare: the hash of the provider's key. */
export const fingerprintOf = ({ public_key }: ProviderRow): string =>
  createHash("sha256").update(Buffer.from(public_key, "base64")).digest("base64");

/** Returns the address of a provider; null where no request would go to it. */
const baseUrl = (app: App, value: unknown): string | null => {
  const url = httpUrl(value);
  if (url === null || url.length > MAX_URL || /[?#]/.test(url) || isLocalUri(app, url)) return null;
  try {
    app.fetch.check(url);
    return url;
  } catch (error) {
    if (error instanceof FetchRefused) return null;
    throw error;
  }
};

/** Reads what a provider says about itself. Throws 422 that names all that is wrong. */
const readRegistration = (app: App, said: Json) => {
  const name = (textOf(said["name"]) ?? "").trim();
  const base_url = baseUrl(app, said["baseUrl"]);
  const server_id = textOf(said["serverId"]) ?? "";
  const public_key = textOf(said["publicKey"]) ?? "";
  const faults: [isWrong: boolean, field: string, description: string][] = [
    [name === "" || name.length > MAX_NAME, "name", `must have 1 to ${MAX_NAME} characters`],
    [
      base_url === null,
      "baseUrl",
      "must be the address of another server that may be asked, without ? or #",
    ],
    [!SERVER_ID.test(server_id), "serverId", "must have 1 to 200 letters, digits or _.~:@/+=-"],
    [!PUBLIC_KEY.test(public_key), "publicKey", "must be an Ed25519 key, 32 bytes in base64"],
  ];
  const wrong = faults.filter(([isWrong]) => isWrong);
  if (base_url === null || wrong.length > 0)
    throw invalidFields(
      wrong.map(([, field, description]) => ({ field, code: "ERR_INVALID", description })),
    );
  return { name, base_url, server_id, public_key };
};

/** Stores it for the staff to judge. `sender` is who sent it (addressKey). */
export const registerProvider = async (app: App, said: Json, sender: string) => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const registration = readRegistration(app, said);
  const row = {
    ...registration,
    sealed_key: sealedKey(app, registration, privateKey),
    sender,
    created_at: app.clock.now(),
  };
  const id = await app.sql.begin(async (tx) => {
    await lockNamed(tx, "fasp");
    await deleteFormer(tx, row);
    const inserted = await insertProvider(tx, row);
    await deleteExcess(tx, MAX_WAITING);
    return inserted;
  });
  return { id, publicKey: toBase64(publicKey), privateKey };
};

/** Deletes what nobody confirmed, and of what was told that of which no end is told. */
export const deleteOldRegistrations: DeleteSlice = async (app, now) => {
  await deleteUnconfirmed(app.sql, addDays(now, -WAITING_DAYS));
  return deletePassing(app.sql, addDays(now, -WAITING_DAYS));
};

const entryOf = (verb: VerbOf<"fasp">, { id, base_url: label }: ProviderRow) => ({
  action: `fasp.${verb}` as const,
  target: { type: "fasp", id, label },
});

/** Stores which capabilities any provider uses, so that nothing is done for others; nobody is told without a wish. */
const storeInUse = async (app: App, tx: Tx): Promise<void> => {
  const all = await selectProviders(tx);
  const uses = (id: Capability) => (provider: ProviderRow) =>
    mayUse(provider, id) && (id !== "data_sharing" || provider.wishes.length > 0);
  const used = CAPABILITIES.filter((id) => all.some(uses(id)));
  await setInUse(app, tx, used);
};

/** Asks for somebody of the staff, who is told when there is no answer. */
const ask = async (...request: Parameters<typeof askProvider>): Promise<unknown> => {
  try {
    return await askProvider(...request);
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error;
    throw new Unprocessable(says("network.fasp.no_answer", { reason: error.message }));
  }
};

/** Returns what the provider offers, of what this server knows. */
const capabilitiesIn = (info: Json): ProviderRow["capabilities"] =>
  CAPABILITIES.filter((id) =>
    listOf(info["capabilities"]).some(
      (offered) =>
        isRecord(offered) && offered["id"] === id && /^0(\.|$)/.test(String(offered["version"])),
    ),
  ).map((id) => ({ id, enabled: false }));

/** Confirms a registration, and reads what the provider offers. */
export const confirmProvider = async (app: App, actor: Actor, id: string): Promise<void> => {
  requireMay(actor, ACT);
  const provider = await getProvider(app.sql, id);
  const answer = await ask(app, provider, { path: "/provider_info" });
  const info = isRecord(answer) ? answer : {};
  const [policy] = listOf(info["privacyPolicy"]);
  await recorded(app, actor, ACT, async (tx) => {
    await updateProvider(tx, id, {
      capabilities: capabilitiesIn(info),
      sign_in_url: httpUrl(info["signInUrl"]),
      privacy_url: isRecord(policy) ? httpUrl(policy["url"]) : null,
      confirmed_at: app.clock.now(),
      sender: null,
    });
    await storeInUse(app, tx);
    return { entry: entryOf("confirm", provider) };
  });
};

/** Tells the provider what it is used for; one that is gone need not hear of an end. */
const activate = async (app: App, provider: ProviderRow, id: Capability, enabled: boolean) => {
  const path = `/capabilities/${id}/0/activation`;
  if (enabled) return ask(app, provider, { method: "POST", path });
  return nullOnAnyFault(askProvider(app, provider, { method: "DELETE", path }));
};

/** Switches on exactly these capabilities. `mark`: that of the form (platform/drawn.ts). */
export const useProvider = async (
  app: App,
  actor: Actor,
  id: string,
  choice: readonly Capability[],
  mark?: string,
): Promise<void> => {
  requireMay(actor, ACT);
  const provider = await getProvider(app.sql, id);
  if (!provider.confirmed_at) throw new NotFound();
  const capabilities = provider.capabilities.map(({ id }) => ({
    id,
    enabled: choice.includes(id),
  }));
  requireAsDrawn(provider.capabilities, mark, capabilities);
  const changed = provider.capabilities.filter(
    ({ id, enabled }) => enabled !== choice.includes(id),
  );
  for (const { id: capability, enabled } of changed)
    await activate(app, provider, capability, !enabled);
  await recorded(app, actor, ACT, async (tx) => {
    await updateProvider(tx, id, { capabilities });
    if (!choice.includes("data_sharing")) await updateWishes(tx, id, []);
    await storeInUse(app, tx);
    return { entry: entryOf("update", provider) };
  });
};

/** Removes a provider, or refuses one that only registered. */
export const removeProvider = (app: App, actor: Actor, id: string): Promise<void> =>
  recorded(app, actor, ACT, async (tx) => {
    const provider = await getProvider(tx, id);
    await deleteProvider(tx, id);
    await storeInUse(app, tx);
    return { entry: entryOf("remove", provider) };
  });

/** Changes what a provider asked to be told. */
export const changeWishes = async (
  app: App,
  id: string,
  change: (wishes: Wish[]) => Wish[],
): Promise<void> => {
  await app.sql.begin(async (tx) => {
    await lockNamed(tx, "fasp");
    const { wishes: former } = await getProvider(tx, id);
    const wishes = change(former);
    await updateWishes(tx, id, wishes);
    if (wishes.length === 0 || former.length === 0) await storeInUse(app, tx);
  });
};
