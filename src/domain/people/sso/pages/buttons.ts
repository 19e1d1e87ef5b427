// Parts of pages about providers: the buttons by which people sign in, and what went wrong there.

import type { FastifyReply } from "fastify";
import type { Part } from "../../../../../web/src/served/part-pages.ts";
import type { SsoError } from "#sso";
import { sendCard } from "../../users/pages/components.ts";
import type { CardContext } from "../../users/pages/components.ts";
import { sessionToken } from "../../users/pages/cookies.ts";
import { formerName, listSources } from "../directory.ts";
import { listProviders } from "../providers.ts";
import { selectGoneIssuers } from "../queries.ts";
import type { Provider } from "../tables.ts";

const ssoPath = ({ id }: Pick<Provider, "id">): string => `/auth/sso/${id}`;

/** Declares a button for each provider, with `isNew` for each that makes accounts; nothing where there are none. */
export const providerActs = async (
  { app }: Pick<CardContext, "app">,
  returnTo: string | null,
  { isOnly = false, isNew = false } = {},
): Promise<Part[]> => {
  const all = await listProviders(app);
  const providers = all.filter(({ settings }) => !isNew || settings.signsUp);
  if (providers.length === 0) return [];
  const acts = providers.map((provider) => ({
    action: ssoPath(provider),
    label: ["sso.button", { name: provider.name }] as const,
    fields: { return_to: returnTo },
    kind: isOnly ? ("" as const) : ("plain" as const),
  }));
  return [...(isOnly ? [] : [{ text: { say: "sign_in.or" }, kind: "or" } as const]), { acts }];
};

/**
 * Says how they get in again to whom a provider signed in that is gone: where the browser still has a session that has
 * ended, and passwords are allowed.
 */
export const goneParts = async ({ app, request }: CardContext): Promise<Part[]> => {
  if (app.config.sso.only || sessionToken(app, request) === null) return [];
  const issuers = (await listSources(app)).map(({ issuer }) => issuer);
  const gone = await selectGoneIssuers(app.sql, issuers);
  if (gone.length === 0) return [];
  const names = { listed: gone.map(formerName) };
  const link = { link: "/auth/password/new", text: { say: "sign_in.forgot" } } as const;
  return [{ notice: [{ say: "sso.gone", with: { name: names } }, link] }];
};

const STATUS = { denied: 403, ended: 403, mismatch: 400, invalid: 502, unreachable: 502 } as const;

/** Says what went wrong at a provider, and leads to `again`; programs of the staff read the reason in the log. */
export const sendFault = (
  context: CardContext,
  provider: Pick<Provider, "name">,
  fault: SsoError["fault"],
  again: string,
): Promise<FastifyReply> =>
  sendCard(context, {
    title: "sso.failed",
    status: STATUS[fault],
    parts: [
      { text: { say: `sso.fault.${fault}`, values: { name: provider.name } } },
      { ways: [[again, "sign_in.again"]] },
    ],
  });
