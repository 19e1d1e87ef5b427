// Questions of a drill about the server itself: its names and totals, and whether its secrets are those of its data.

import { takeTotpCode } from "../uses.ts";
import { ask } from "./ask.ts";
import { differences, refusal } from "./question.ts";
import type { Question } from "./question.ts";
import { selectCodeUsers, selectTotals } from "./queries.ts";
import type { Totals } from "./queries.ts";
import type { ThrowAway } from "./throw-away.ts";

/** Makes a question for a path that answers with JSON. */
const question = (
  server: ThrowAway,
  path: string,
  judge: (json: any) => string | null,
): Question => ({
  about: path,
  async judge() {
    const reply = await ask(server, path);
    return refusal(reply) ?? judge(reply.json);
  },
});

const ofTotals = (server: ThrowAway, { people, rules, emojis }: Totals): Question[] => [
  question(server, "/nodeinfo/2.0", ({ usage }) =>
    differences([["The number of people", usage?.users?.total, people]]),
  ),
  question(server, "/api/v1/instance/rules", (list) =>
    differences([["The number of rules", list.length, rules]]),
  ),
  question(server, "/api/v1/custom_emojis", (list) =>
    differences([["The number of emojis", list.length, emojis]]),
  ),
];

const CODE_USERS = 3;

/** Asks for a code of an authenticator app, which fails with other secrets than those that sealed the data. */
const ofCodes = async ({ app }: ThrowAway): Promise<Question[]> =>
  (await selectCodeUsers(app.sql, CODE_USERS)).map((userId) => ({
    about: `the authenticator app of user ${userId}`,
    async judge() {
      await takeTotpCode(app, userId, "000000");
      return null;
    },
  }));

export const aboutServer = async (server: ThrowAway): Promise<Question[]> => {
  const { site, secrets } = server.app.config;
  const totals = await selectTotals(server.app.sql);
  const health: Question = {
    about: "/health",
    judge: async () => refusal(await ask(server, "/health")),
  };
  const instance = question(server, "/api/v2/instance", ({ domain, configuration }) =>
    differences([
      ["The domain", domain, site.webDomain],
      ["The key for push", configuration?.vapid?.public_key, secrets.vapid.publicKey],
    ]),
  );
  return [health, instance, ...ofTotals(server, totals), ...(await ofCodes(server))];
};
